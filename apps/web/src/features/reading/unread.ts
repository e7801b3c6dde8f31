import type { ThreadRecord } from './record.ts'

/**
 * Unread posts of a thread with this many posts, or null when it was never opened. A list may be
 * older than what was read, so the higher number of posts counts.
 */
export const unreadOf = (record: ThreadRecord | undefined, postCount: number): number | null =>
  record?.visitedAt == null ? null : Math.max(0, Math.max(postCount, record.postCount) - record.readThrough)
