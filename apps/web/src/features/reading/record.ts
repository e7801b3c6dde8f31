/** What this browser knows of a thread, and the rules for changing it; pure. */
import { READING_RECORDS_MAX } from '@shinobi/contract/limits'

export interface ThreadRecord {
  readonly threadId: string
  readonly title: string
  readonly categoryId: string | null
  /** Number of the last post that was really on screen; 0 when none. */
  readonly readThrough: number
  /** Posts of the thread as last seen by this browser, for +n while offline. */
  readonly postCount: number
  /** Milliseconds of the newest post as last seen; absent where no list or page told it. */
  readonly lastPostAt?: number
  /** Milliseconds; the last visit, or null when only marked. */
  readonly visitedAt: number | null
  /** Milliseconds when it became a favourite; null when it is none. */
  readonly favouriteAt: number | null
  /** Milliseconds when it last ceased to be a favourite; a merge with older records heeds it. */
  readonly favouriteRemovedAt?: number
  /** Whether this browser (or member) opened the thread. */
  readonly isOwn: boolean
  /** Numbers of the posts that this browser wrote here. */
  readonly ownPosts: readonly number[]
  /** Milliseconds of the last change; the oldest records are dropped first. */
  readonly updatedAt: number
}

/** Returns the next record, the same object to leave it as it is, or null to remove it. */
export type RecordChange = (before: ThreadRecord | undefined) => ThreadRecord | null | undefined

export const newRecord = (threadId: string): ThreadRecord => ({
  threadId,
  title: '',
  categoryId: null,
  readThrough: 0,
  postCount: 0,
  visitedAt: null,
  favouriteAt: null,
  isOwn: false,
  ownPosts: [],
  updatedAt: 0,
})

/** The record after a change: read position and number of posts only rise. */
export function changeRecord(before: ThreadRecord | undefined, change: RecordChange): ThreadRecord | null | undefined {
  const next = change(before)
  if (before === undefined || next === before || next == null) return next
  return {
    ...next,
    readThrough: Math.max(before.readThrough, next.readThrough),
    postCount: Math.max(before.postCount, next.postCount),
  }
}

/** Threads that the visitor chose or wrote in are kept longest. */
function worth({ favouriteAt, isOwn, ownPosts }: ThreadRecord): number {
  if (favouriteAt !== null || isOwn) return 2
  return ownPosts.length > 0 ? 1 : 0
}

/**
 * Ids of the records beyond the limit: the oldest of the least worth. `kept` is never among them.
 */
export function surplusRecords(
  records: readonly ThreadRecord[],
  kept: string,
  max: number = READING_RECORDS_MAX,
): readonly string[] {
  if (records.length <= max) return []
  return records
    .filter(({ threadId }) => threadId !== kept)
    .toSorted((a, b) => worth(a) - worth(b) || a.updatedAt - b.updatedAt)
    .slice(0, records.length - max)
    .map(({ threadId }) => threadId)
}
