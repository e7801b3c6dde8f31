import { sql, type RawBuilder } from 'kysely'
import type { PosterIds } from '@shinobi/contract/categories'
import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { ApiError } from '../../lib/api-error.ts'
import { startOfDayInJapan } from '../../lib/day-in-japan.ts'
import { createLru } from '../../lib/lru.ts'

/** Facts about a post's thread that the checks need. */
export interface ThreadPlace {
  readonly categoryId: string
  readonly posterIds: PosterIds
  readonly holdImages: boolean
  readonly isLocked: boolean
  /** Number of posts of a thread that is closed because it reached its limit, else null. */
  readonly fullAt: number | null
  /** IDs under which nobody may write there today: silenced by the opener of the thread. */
  readonly silencedIds: readonly string[]
}

/** The refusal of a post into a full thread. */
export const threadFull = (posts: number): ApiError => new ApiError('thread_full', messages.thread_full(posts))

/** A cache of the categories of threads, which saves a query per post. */
export interface Places {
  /** Undefined for an unknown thread. */
  find(threadId: string): Promise<ThreadPlace | undefined>
  /** Reads a thread again for the next post, on this server. */
  forget(threadId: string): void
}

/** Max age: for so long, a moved thread may be checked by its old category, or a silence missed. */
const TTL_MS = 2_000
const THREADS_MAX = 10_000

/** Read with the place, so that a thread without silences costs a post nothing. */
const silencedIdsOf = (threadId: string, since: Date): RawBuilder<string[]> => sql<string[]>`array(
  select "posterId" from "ownerActions"
  where "threadId" = ${threadId}::uuid and kind = 'silence' and at >= ${since}::timestamptz and "undoneBy" is null)`

export function createPlaces(db: Db, now: () => number): Places {
  const places = createLru<string, Promise<ThreadPlace | undefined>>(THREADS_MAX, { ttl: TTL_MS })

  async function read(threadId: string): Promise<ThreadPlace | undefined> {
    try {
      const row = await db
        .selectFrom('threads as t')
        .innerJoin('categories as c', 'c.id', 't.categoryId')
        .select(['t.categoryId', 'c.posterIds', 'c.holdImages', 't.lockedAt', 't.closedAt', 't.postCount'])
        .select(silencedIdsOf(threadId, new Date(startOfDayInJapan(now()))).as('silencedIds'))
        .where('t.id', '=', threadId)
        .where(isThreadVisible('t'))
        .executeTakeFirst()
      // A missing or locked thread is not cached, as it may exist or be open a moment later; in the
      // opposite case, the statement that writes the post checks again.
      if (row === undefined || row.lockedAt !== null) places.delete(threadId)
      if (row === undefined) return undefined
      const { categoryId, posterIds, holdImages, silencedIds, lockedAt, closedAt, postCount } = row
      return {
        categoryId,
        posterIds,
        holdImages,
        silencedIds,
        isLocked: lockedAt !== null,
        fullAt: closedAt === null ? null : postCount,
      }
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
    forget: (threadId) => void places.delete(threadId),
  }
}
