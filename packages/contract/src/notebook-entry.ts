/**
 * What is kept of a thread for one reader, and how two such records become one: the browser merges
 * files and other devices with it, the server what the devices of a member send. It does not import
 * zod: the first page loads this module, and zod would add 60 kB to its JavaScript.
 */

/** Times are milliseconds since 1970. What was removed later than it was added stays removed. */
export interface NotebookEntry {
  readonly threadId: string
  /** Highest number of a post that was on screen; 0 when none. */
  readonly readThrough: number
  /** The last visit; null when it was only marked, or removed from the history. */
  readonly visitedAt: number | null
  readonly visitRemovedAt?: number | undefined
  /** When it became a favourite; null when it is none. */
  readonly favouriteAt: number | null
  readonly favouriteRemovedAt?: number | undefined
  /** Whether the thread is listed as one that the reader created. */
  readonly isOwn: boolean
  /** Whether it was removed from that list. It never returns, because a thread is created once. */
  readonly isOwnRemoved?: true | undefined
  /** Numbers of the posts that the reader wrote, each once and in order. */
  readonly ownPosts: readonly number[]
  /** The own posts up to this number were removed from the list. */
  readonly ownPostsRemovedThrough?: number | undefined
  /** The last change. */
  readonly updatedAt: number
  /** Everything known before was forgotten then. */
  readonly forgottenAt?: number | undefined
}

export const newEntry = (threadId: string): NotebookEntry => ({
  threadId,
  readThrough: 0,
  visitedAt: null,
  favouriteAt: null,
  isOwn: false,
  ownPosts: [],
  updatedAt: 0,
})

/** The numbers in ascending order, each once. */
export const sortedUnique = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b)

/** The later of two times; null where neither is known. */
export const later = (a: number | null | undefined, b: number | null | undefined): number | null =>
  a == null && b == null ? null : Math.max(a ?? 0, b ?? 0)

const unlessRemoved = (addedAt: number | null, removedAt: number | null): number | null =>
  removedAt !== null && (addedAt ?? -1) < removedAt ? null : addedAt

/** The entry, or an empty one when it was last changed before everything was forgotten. */
const unlessForgotten = (entry: NotebookEntry, forgottenAt: number | null): NotebookEntry =>
  forgottenAt !== null && entry.updatedAt <= forgottenAt
    ? { ...newEntry(entry.threadId), updatedAt: entry.updatedAt }
    : entry

/**
 * One entry of two of the same thread, in either order: the furthest position, the lists of both,
 * and where one was changed back, what was decided last.
 */
export function mergeEntries(one: NotebookEntry, other: NotebookEntry): NotebookEntry {
  const forgottenAt = later(one.forgottenAt, other.forgottenAt)
  const [a, b] = [unlessForgotten(one, forgottenAt), unlessForgotten(other, forgottenAt)]
  const visitRemovedAt = later(a.visitRemovedAt, b.visitRemovedAt)
  const favouriteRemovedAt = later(a.favouriteRemovedAt, b.favouriteRemovedAt)
  const isOwnRemoved = a.isOwnRemoved === true || b.isOwnRemoved === true
  const removedThrough = Math.max(a.ownPostsRemovedThrough ?? 0, b.ownPostsRemovedThrough ?? 0)
  return {
    threadId: a.threadId,
    readThrough: Math.max(a.readThrough, b.readThrough),
    visitedAt: unlessRemoved(later(a.visitedAt, b.visitedAt), visitRemovedAt),
    favouriteAt: unlessRemoved(later(a.favouriteAt, b.favouriteAt), favouriteRemovedAt),
    isOwn: !isOwnRemoved && (a.isOwn || b.isOwn),
    ownPosts: sortedUnique([...a.ownPosts, ...b.ownPosts]).filter((number) => number > removedThrough),
    updatedAt: Math.max(a.updatedAt, b.updatedAt),
    ...(visitRemovedAt !== null && { visitRemovedAt }),
    ...(favouriteRemovedAt !== null && { favouriteRemovedAt }),
    ...(isOwnRemoved && { isOwnRemoved }),
    ...(removedThrough > 0 && { ownPostsRemovedThrough: removedThrough }),
    ...(forgottenAt !== null && { forgottenAt }),
  }
}

/** Whether an entry is in no list, and nothing of the thread was read. */
export const isBare = ({ readThrough, visitedAt, favouriteAt, isOwn, ownPosts }: NotebookEntry): boolean =>
  readThrough === 0 && visitedAt === null && favouriteAt === null && !isOwn && ownPosts.length === 0
