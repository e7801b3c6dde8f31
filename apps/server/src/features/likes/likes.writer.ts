import type { FastifyBaseLogger } from 'fastify'
import { refuse } from '../../lib/api-error.ts'
import { createGroups, type Groups } from '../../lib/groups.ts'
import type { LikeCount, Wish } from './likes.queries.ts'

/**
 * Fulfils wishes in groups, as posts are written: while one statement is under way the next wishes wait together. So a storm
 * of likes on one post holds one connection, and its row is locked once for hundreds of them.
 */
export interface LikeWriter {
  /** Likes there are after the wish. @throws ApiError not_found, unavailable */
  fulfil(wish: Wish): Promise<number>
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>
  readonly stats: Groups<unknown>['stats']
}

interface Waiting {
  readonly wish: Wish
  /** Who wants it of what: of these, one goes with a group, so that like and unlike keep their order. */
  readonly key: string
  readonly promise: Promise<number>
  readonly resolve: (likes: number) => void
  readonly reject: (error: unknown) => void
}

/** Wishes in one statement at most. */
const GROUP_MAX = 500
/** Wishes that may wait. */
const WAITING_MAX = 10_000

export interface LikeWriterOptions {
  /** Fulfils a group in one transaction; leaves out what does not exist. */
  readonly write: (wishes: readonly Wish[]) => Promise<LikeCount[]>
  readonly log: FastifyBaseLogger
  /** Called after each commit with what it changed, before those who wished are told. */
  readonly onCommit: (changed: readonly LikeCount[]) => void
}

export function createLikeWriter({ write, log, onCommit }: LikeWriterOptions): LikeWriter {
  /** The last wish of each key that waits: the same once more is the same wish. */
  const last = new Map<string, Waiting>()
  const groups = createGroups<Waiting>({
    groupMax: GROUP_MAX,
    waitingMax: WAITING_MAX,
    keyOf: (one) => one.key,
    work: fulfilGroup,
  })

  async function fulfil(wish: Wish): Promise<number> {
    const key = `${wish.postId ?? wish.threadId} ${wish.userId}`
    const before = last.get(key)
    if (before?.wish.liked === wish.liked && before.wish.threadId === wish.threadId) return before.promise
    const one: Waiting = { wish, key, ...Promise.withResolvers<number>() }
    groups.add(one)
    last.set(key, one)
    return one.promise
  }

  async function fulfilGroup(group: readonly Waiting[]): Promise<void> {
    for (const one of group) if (last.get(one.key) === one) last.delete(one.key)
    try {
      const counts = await write(group.map((one) => one.wish))
      announce(counts.filter((count) => count.added + count.removed > 0))
      const likes = new Map(counts.map((count) => [`${count.threadId} ${count.postId}`, count.likes]))
      for (const { wish, resolve, reject } of group) {
        const count = likes.get(`${wish.threadId} ${wish.postId}`)
        if (count !== undefined) resolve(count)
        else reject(refuse('not_found', wish.postId === null ? 'thread_not_found' : 'post_not_found'))
      }
    } catch (error) {
      // Nothing of what is sent can spoil a group by itself, so the error is everybody's. Asking again is safe.
      for (const { reject } of group) reject(error)
    }
  }

  function announce(changed: readonly LikeCount[]): void {
    try {
      if (changed.length > 0) onCommit(changed)
    } catch (error) {
      // They are stored, whatever became of telling others.
      log.error({ err: error }, 'likes are stored but could not be announced')
    }
  }

  return { fulfil, settle: groups.settle, stats: groups.stats }
}
