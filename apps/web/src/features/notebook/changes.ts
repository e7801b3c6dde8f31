/** What a visitor changes in the notebook: each a change of one record. */
import type { ThreadPosition } from '@shinobi/contract/threads'
import { mergeRecords } from '../reading/merge.ts'
import { newRecord } from '../reading/record.ts'
import { updateHere, updateRecord, type ThreadRecord } from '../reading/store.ts'

/** The fields of a thread that a record keeps. */
export interface KeptThread {
  readonly _id: string
  readonly title: string
  readonly categoryId: string
  readonly postCount: number
  readonly lastPostAt: string
}

/** The record with what is known of its thread now, in the history from now on if it was not. */
const withThread = (record: ThreadRecord, thread: KeptThread, now: number): ThreadRecord => ({
  ...record,
  title: thread.title,
  categoryId: thread.categoryId,
  postCount: thread.postCount,
  lastPostAt: Date.parse(thread.lastPostAt),
  visitedAt: record.visitedAt ?? now,
  updatedAt: now,
})

/** Keeps a record of the thread; its page does so too, but may be left before it has. */
export const keepThread = (thread: KeptThread): Promise<void> =>
  updateRecord(thread._id, (before = newRecord(thread._id)) => withThread(before, thread, Date.now()))

export function setFavourite(thread: KeptThread, isFavourite: boolean): Promise<void> {
  const now = Date.now()
  return updateRecord(thread._id, (before = newRecord(thread._id)) => ({
    ...withThread(isFavourite ? before : withoutFavourite(before, now), thread, now),
    ...(isFavourite && { favouriteAt: Math.max(now, (before.favouriteRemovedAt ?? 0) + 1) }),
  }))
}

const withoutFavourite = (record: ThreadRecord, now: number): ThreadRecord => ({
  ...record,
  favouriteAt: null,
  favouriteRemovedAt: Math.max(now, (record.favouriteAt ?? 0) + 1),
  updatedAt: now,
})

export const removeFavourite = (threadId: string): Promise<void> =>
  updateRecord(threadId, (before) => before && withoutFavourite(before, Date.now()))

/** Removes a thread from the history; deletes its record if it is in no other list. */
export const forgetVisit = (threadId: string): Promise<void> =>
  updateRecord(threadId, (before) => {
    if (before === undefined) return before
    const isElsewhere = before.favouriteAt !== null || before.isOwn || before.ownPosts.length > 0
    if (!isElsewhere) return null
    const now = Date.now()
    return {
      ...before,
      visitedAt: null,
      visitRemovedAt: Math.max(now, (before.visitedAt ?? 0) + 1),
      updatedAt: now,
    }
  })

export const forgetOwn = (threadId: string, list: 'threads' | 'posts'): Promise<void> =>
  updateRecord(
    threadId,
    (before) =>
      before && {
        ...before,
        ...(list === 'threads'
          ? { isOwn: false, isOwnRemoved: true }
          : { ownPosts: [], ownPostsRemovedThrough: before.ownPosts.at(-1) ?? before.ownPostsRemovedThrough }),
      },
  )

export const forgetThread = (threadId: string): Promise<void> => updateRecord(threadId, () => null)

/** Deletes the record in this browser only: the other devices of the member keep theirs. */
export const forgetThreadHere = (threadId: string): Promise<void> => updateHere(threadId, () => null)

/** Stores the position that the server returned, so that lists show it without a network. */
export async function notePosition(position: ThreadPosition): Promise<void> {
  await updateRecord(position._id, (before) => {
    if (before === undefined) return before
    if (position.state === 'removed') return before.isGone ? before : { ...before, isGone: true }
    const { title, categoryId, postCount } = position
    const lastPostAt = Date.parse(position.lastPostAt)
    // A removed thread can be restored.
    const { isGone = false, ...kept } = before
    const isKnown =
      !isGone &&
      before.title === title &&
      before.categoryId === categoryId &&
      before.postCount >= postCount &&
      before.lastPostAt === lastPostAt
    return isKnown ? before : { ...kept, title, categoryId, postCount, lastPostAt }
  })
}

/** Transactions under way at a time: a browser queues them anyway. */
const AT_ONCE = 50

/** Changes many threads, the first ones first. */
export async function changeAll<T>(items: readonly T[], change: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE)
    await Promise.all(items.slice(from, from + AT_ONCE).map(change))
}

/**
 * Merges the records of a file into those of this browser; the newest last, so that the limit
 * removes older ones. They are not sent to a member's account, because they may be somebody else's.
 */
export const addRecords = (records: readonly ThreadRecord[]): Promise<void> =>
  changeAll(
    records.toSorted((a, b) => a.updatedAt - b.updatedAt),
    (record) => updateHere(record.threadId, (before) => (before === undefined ? record : mergeRecords(before, record))),
  )
