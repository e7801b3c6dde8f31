/**
 * 勢い of a thread: the posts a day, without those with sage, that it has had on average since it was
 * opened. The server sorts by it, and lists show it.
 */

/** A younger thread counts as this old: one post in the first second is no 86,400 a day. */
const MIN_AGE_MS = 3_600_000
const DAY_MS = 86_400_000

export function speedOf(
  {
    postCount,
    sages = 0,
    createdAt,
  }: { readonly postCount: number; readonly sages?: number; readonly createdAt: string | Date },
  now: Date,
): number {
  const age = now.getTime() - new Date(createdAt).getTime()
  return ((postCount - sages) * DAY_MS) / Math.max(age, MIN_AGE_MS)
}
