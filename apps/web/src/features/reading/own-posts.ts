/**
 * The posts that this browser wrote, and the threads that it opened. The server does not link
 * anonymous posts to each other: only the browser knows which ones are its own.
 */
import { sortedUnique } from '@shinobi/contract/notebook-entry'
import { useMemo } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { newRecord } from './record.ts'
import { updateRecord } from './store.ts'
import { useRecord } from './use-record.ts'
import type { VisitedThread } from './visit.ts'

interface WrittenPost {
  readonly _id: string
  readonly threadId: string
  readonly number: number
}

const addOwn = (threadId: string, numbers: readonly number[]): Promise<void> =>
  updateRecord(threadId, (before = newRecord(threadId)) => {
    const ownPosts = sortedUnique([...before.ownPosts, ...numbers])
    // Its writer has read it; posts of others before it stay unread.
    const readThrough = firstOfOthers(before.readThrough, new Set(ownPosts)) - 1
    return {
      ...before,
      isOwn: before.isOwn || numbers.includes(1),
      ownPosts,
      readThrough,
      postCount: Math.max(before.postCount, readThrough),
      updatedAt: Date.now(),
    }
  })

// Without the script of the database nothing is remembered; the post is written all the same.
export function rememberOwnPost({ threadId, number }: Omit<WrittenPost, '_id'>): void {
  addOwn(threadId, [number]).catch(() => {})
}

/**
 * A thread that was opened, or let through by a moderator and perhaps visited since: its writer has
 * read post 1.
 */
export function rememberOwnThread({ _id: threadId, title, categoryId }: VisitedThread): void {
  const now = Date.now()
  updateRecord(threadId, (before = newRecord(threadId)) => ({
    ...before,
    title,
    categoryId: categoryId ?? before.categoryId,
    readThrough: Math.max(1, before.readThrough),
    postCount: Math.max(1, before.postCount),
    visitedAt: now,
    isOwn: true,
    ownPosts: sortedUnique([1, ...before.ownPosts]),
    updatedAt: now,
  })).catch(() => {})
}

/** The first number after this one that is not an own post. */
export function firstOfOthers(after: number, own: ReadonlySet<number>): number {
  let number = after + 1
  while (own.has(number)) number += 1
  return number
}

/** Numbers of the posts of a thread that this browser wrote; empty while hydrating. */
export function useOwnPosts(threadId: string): ReadonlySet<number> {
  const numbers = useRecord(threadId, (record) => record?.ownPosts.join(',') ?? null)
  return useMemo(() => new Set(numbers === null || numbers === '' ? [] : numbers.split(',').map(Number)), [numbers])
}

/** A member's posts are not marked for the next user of this browser. */
export const isOwnPost = (
  own: ReadonlySet<number>,
  memberId: string | undefined,
  { number, userId }: { readonly number: number; readonly userId: string | null },
): boolean => (userId === null ? own.has(number) : userId === memberId)

/**
 * Versions up to 0.2 kept ids of posts, and of opened threads, in local storage. An id says neither
 * thread nor number, so it moves into a record when its post is loaded.
 */
const FORMER_KEY = 'ownPosts'

export function adoptFormerOwnPosts(posts: readonly WrittenPost[]): void {
  const stored = readStored(FORMER_KEY)
  if (stored === null) return
  try {
    const ids = new Set(JSON.parse(stored) as readonly unknown[])
    const isOwn = (post: WrittenPost) => ids.has(post._id) || (post.number === 1 && ids.has(post.threadId))
    const found = posts.filter(isOwn)
    const [first] = found
    if (first === undefined) return
    const left = [...ids].filter((id) => !found.some(({ _id, threadId }) => id === _id || id === threadId))
    const adopted = addOwn(
      first.threadId,
      found.map(({ number }) => number),
    )
    adopted.then(
      () => writeStored(FORMER_KEY, left.length === 0 ? null : JSON.stringify(left)),
      () => {},
    )
  } catch {
    writeStored(FORMER_KEY, null)
  }
}
