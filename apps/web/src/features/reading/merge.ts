/** Merges what two places know of one thread: a file, another page, another device; pure. */
import type { ThreadRecord } from './record.ts'

/** Numbers of either, each once and in order. */
export const union = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b)

const later = (a: number | null | undefined, b: number | null | undefined): number | null =>
  a == null && b == null ? null : Math.max(a ?? 0, b ?? 0)

/**
 * One record of two of the same thread, in either order: the furthest position, the lists of both,
 * and as a favourite what was decided last.
 */
export function mergeRecords(a: ThreadRecord, b: ThreadRecord): ThreadRecord {
  const newer = a.updatedAt > b.updatedAt || (a.updatedAt === b.updatedAt && a.title >= b.title) ? a : b
  const older = newer === a ? b : a
  const favouriteAt = later(a.favouriteAt, b.favouriteAt)
  const favouriteRemovedAt = later(a.favouriteRemovedAt, b.favouriteRemovedAt)
  const lastPostAt = later(a.lastPostAt, b.lastPostAt)
  return {
    threadId: a.threadId,
    title: newer.title || older.title,
    categoryId: newer.categoryId ?? older.categoryId,
    readThrough: Math.max(a.readThrough, b.readThrough),
    postCount: Math.max(a.postCount, b.postCount),
    visitedAt: later(a.visitedAt, b.visitedAt),
    favouriteAt: favouriteRemovedAt !== null && (favouriteAt ?? -1) < favouriteRemovedAt ? null : favouriteAt,
    isOwn: a.isOwn || b.isOwn,
    ownPosts: union([...a.ownPosts, ...b.ownPosts]),
    updatedAt: newer.updatedAt,
    ...(favouriteRemovedAt !== null && { favouriteRemovedAt }),
    ...(lastPostAt !== null && { lastPostAt }),
  }
}
