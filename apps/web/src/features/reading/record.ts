/** What this browser knows of a thread, and the rules for changing it; pure. */
import { READING_RECORDS_MAX } from '@shinobi/contract/limits'
import { newEntry, type NotebookEntry } from '@shinobi/contract/notebook-entry'

export interface ThreadRecord extends Omit<NotebookEntry, 'forgottenAt'> {
  readonly title: string
  readonly categoryId: string | null
  /** Posts of the thread as last seen by this browser, for +n while offline. */
  readonly postCount: number
  /** Milliseconds of the newest post as last seen; absent where no list or page told it. */
  readonly lastPostAt?: number
  /** The thread was removed when this browser last asked for it: it has nothing to read. */
  readonly isGone?: true
}

/** Returns the next record, the same object to leave it as it is, or null to remove it. */
export type RecordChange = (before: ThreadRecord | undefined) => ThreadRecord | null | undefined

export const newRecord = (threadId: string): ThreadRecord => ({
  ...newEntry(threadId),
  title: '',
  categoryId: null,
  postCount: 0,
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
