import type { FastifyBaseLogger } from 'fastify'
import { refuse } from '../../lib/api-error.ts'
import { createGroupCommit, type GroupCommit } from '../../lib/group-commit.ts'
import type { LikeCount, Wish } from './like-counts.queries.ts'

/**
 * Writes likes by group commit, as posts are written: wishes that arrive during a statement
 * (like-counts.queries.ts) wait for the next one. So any number of likes for one post uses one
 * connection, and its row is locked once for hundreds of them.
 */
export interface LikeWriter {
  /** @returns the number of likes afterwards. @throws ApiError not_found, unavailable */
  fulfil(wish: Wish): Promise<number>
  /** Resolves when no wish waits. */
  settle(): Promise<void>
  readonly stats: GroupCommit<unknown>['stats']
}

interface Waiting {
  readonly wish: Wish
  /**
   * Member and target. A group contains at most one wish per key, so that like and unlike keep
   * their order.
   */
  readonly key: string
  readonly promise: Promise<number>
  readonly resolve: (likes: number) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of wishes per statement. */
const GROUP_MAX = 500
/** Maximum number of waiting wishes. */
const WAITING_MAX = 10_000

export interface LikeWriterOptions {
  /** Writes a group in one transaction; leaves out targets that do not exist. */
  readonly write: (wishes: readonly Wish[]) => Promise<LikeCount[]>
  readonly log: FastifyBaseLogger
  /** Called after each commit with its changes, before the wishes are resolved. */
  readonly onCommit: (changed: readonly LikeCount[]) => void
}

export function createLikeWriter({ write, log, onCommit }: LikeWriterOptions): LikeWriter {
  /** The last waiting wish of each key: an equal one is merged with it. */
  const last = new Map<string, Waiting>()
  const groupCommit = createGroupCommit<Waiting>({
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
    groupCommit.add(one)
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
      // No wish can make a statement fail by its content, so the error concerns all of them. A
      // retry is safe.
      for (const { reject } of group) reject(error)
    }
  }

  function announce(changed: readonly LikeCount[]): void {
    try {
      if (changed.length > 0) onCommit(changed)
    } catch (error) {
      // The likes are stored even if publishing them fails.
      log.error({ err: error }, 'likes are stored but could not be announced')
    }
  }

  return { fulfil, settle: groupCommit.settle, stats: groupCommit.stats }
}
