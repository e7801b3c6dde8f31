import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createLru } from '../../lib/lru.ts'

/** Facts about a post's thread that the checks need. */
export interface ThreadPlace {
  readonly categoryId: string
  readonly isLocked: boolean
  /** Number of posts of a thread that is closed because it reached its limit, else null. */
  readonly fullAt: number | null
}

/** The refusal of a post into a full thread. */
export const threadFull = (posts: number): ApiError => new ApiError('thread_full', messages.thread_full(posts))

/** A cache of the categories of threads, which saves a query per post. */
export interface Places {
  /** Undefined for an unknown thread. */
  find(threadId: string): Promise<ThreadPlace | undefined>
}

/** Max age: for so long, a moved thread may be checked by its old category. */
const TTL_MS = 2_000
const THREADS_MAX = 10_000

export function createPlaces(db: Db): Places {
  const places = createLru<string, Promise<ThreadPlace | undefined>>(THREADS_MAX, { ttl: TTL_MS })

  async function read(threadId: string): Promise<ThreadPlace | undefined> {
    try {
      const row = await db
        .selectFrom('threads')
        .select(['categoryId', 'lockedAt', 'closedAt', 'postCount'])
        .where('id', '=', threadId)
        .where(isThreadVisible())
        .executeTakeFirst()
      // A missing or locked thread is not cached, as it may exist or be open a moment later; in the
      // opposite case, the statement that writes the post checks again.
      if (row === undefined || row.lockedAt !== null) places.delete(threadId)
      if (row === undefined) return undefined
      const { categoryId, lockedAt, closedAt, postCount } = row
      return { categoryId, isLocked: lockedAt !== null, fullAt: closedAt === null ? null : postCount }
    } catch (error) {
      places.delete(threadId)
      throw error
    }
  }

  return {
    find(threadId) {
      let place = places.get(threadId)
      if (place === undefined) places.set(threadId, (place = read(threadId)))
      return place
    },
  }
}
