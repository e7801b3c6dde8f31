import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { createLru } from '../../lib/lru.ts'

/** What deciding about a post needs to know of its thread. */
export interface ThreadPlace {
  readonly categoryId: string
  readonly isLocked: boolean
}

/** Which category threads are in, without asking the database at every post. */
export interface Places {
  /** Undefined for a thread that is not there. */
  find(threadId: string): Promise<ThreadPlace | undefined>
}

/** A thread that was moved is judged by its old category for so long at most. */
const TTL_MS = 2_000
const THREADS_MAX = 10_000

export function createPlaces(db: Db): Places {
  const places = createLru<string, Promise<ThreadPlace | undefined>>(THREADS_MAX, { ttl: TTL_MS })

  async function read(threadId: string): Promise<ThreadPlace | undefined> {
    try {
      const row = await db
        .selectFrom('threads')
        .select(['categoryId', 'lockedAt'])
        .where('id', '=', threadId)
        .where(isThreadVisible())
        .executeTakeFirst()
      // One that is missing or locked may be there, or open, at the next moment; the statement that writes knows the contrary.
      if (row === undefined || row.lockedAt !== null) places.delete(threadId)
      return row === undefined ? undefined : { categoryId: row.categoryId, isLocked: row.lockedAt !== null }
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
