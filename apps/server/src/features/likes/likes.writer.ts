import type { FastifyBaseLogger } from 'fastify'
import { refuse } from '../../lib/api-error.ts'
import { createGroupCommit, type GroupCommit } from '../../lib/group-commit.ts'
import type { LikeCount, LikeChange } from './likes.queries.ts'

/**
 * The queue in front of the statements of likes.queries.ts, a group commit like that of posts:
 * changes that arrive during a statement wait for the next one. So any number of likes for one post
 * uses one connection, and its row is locked once for hundreds of them.
 */
export interface LikeWriter {
  /** @returns the number of likes afterwards. @throws ApiError not_found, unavailable */
  apply(change: LikeChange): Promise<number>
  /** Resolves when no change waits. */
  settle(): Promise<void>
  readonly stats: GroupCommit<unknown>['stats']
}

interface Waiting {
  readonly change: LikeChange
  /**
   * Member and target. A group contains at most one change per key, so that like and unlike keep
   * their order.
   */
  readonly key: string
  readonly promise: Promise<number>
  readonly resolve: (likes: number) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of changes per statement. */
const GROUP_MAX = 500
/** Maximum number of waiting changes. */
const WAITING_MAX = 10_000

export interface LikeWriterOptions {
  /** Writes a group in one transaction; leaves out targets that do not exist. */
  readonly write: (changes: readonly LikeChange[]) => Promise<LikeCount[]>
  readonly log: FastifyBaseLogger
  /** Called after each commit with its changes, before `apply` resolves. */
  readonly onCommit: (changed: readonly LikeCount[]) => void
}

export function createLikeWriter({ write, log, onCommit }: LikeWriterOptions): LikeWriter {
  /** The last waiting change of each key: an equal one is merged with it. */
  const last = new Map<string, Waiting>()
  const groupCommit = createGroupCommit<Waiting>({
    groupMax: GROUP_MAX,
    waitingMax: WAITING_MAX,
    keyOf: (one) => one.key,
    work: applyGroup,
  })

  async function apply(change: LikeChange): Promise<number> {
    const key = `${change.postId ?? change.threadId} ${change.userId}`
    const before = last.get(key)
    if (before?.change.liked === change.liked && before.change.threadId === change.threadId) return before.promise
    const one: Waiting = { change, key, ...Promise.withResolvers<number>() }
    groupCommit.add(one)
    last.set(key, one)
    return one.promise
  }

  async function applyGroup(group: readonly Waiting[]): Promise<void> {
    for (const one of group) if (last.get(one.key) === one) last.delete(one.key)
    try {
      const counts = await write(group.map((one) => one.change))
      announce(counts.filter((count) => count.added + count.removed > 0))
      const likes = new Map(counts.map((count) => [`${count.threadId} ${count.postId}`, count.likes]))
      for (const { change, resolve, reject } of group) {
        const count = likes.get(`${change.threadId} ${change.postId}`)
        if (count !== undefined) resolve(count)
        else reject(refuse('not_found', change.postId === null ? 'thread_not_found' : 'post_not_found'))
      }
    } catch (error) {
      // No change can make a statement fail by its content, so the error concerns all of them. A
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

  return { apply, settle: groupCommit.settle, stats: groupCommit.stats }
}
