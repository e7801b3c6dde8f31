import { sql } from 'kysely'
import type { PosterIds } from '@shinobi/contract/categories'
import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import { isOneOf, shardOf, type Shard } from '../../db/shards.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { ApiError } from '../../lib/api-error.ts'
import { startOfDayInJapan } from '../../lib/day-in-japan.ts'
import { createGroupCommit } from '../../lib/group-commit.ts'
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

/** Threads of one statement. */
const GROUP_MAX = 500

/** A thread that waits to be read. */
interface Waiting {
  readonly threadId: string
  readonly shard: Shard
  readonly resolve: (place: ThreadPlace | undefined) => void
  readonly reject: (error: unknown) => void
}

export function createPlaces(db: Db, now: () => number): Places {
  const places = createLru<string, Promise<ThreadPlace | undefined>>(THREADS_MAX, { ttl: TTL_MS })
  // Many threads that are written to at once are read together.
  const reads = createGroupCommit<Waiting>({
    groupMax: GROUP_MAX,
    waitingMax: THREADS_MAX,
    laneOf: ({ shard }) => shard.id,
    trackOf: ({ shard }) => shard.worker,
    work: readGroup,
  })

  async function readGroup(group: readonly Waiting[]): Promise<void> {
    const threadIds = group.map(({ threadId }) => threadId)
    try {
      const found = await selectPlaces(db, threadIds, new Date(startOfDayInJapan(now())))
      for (const { threadId, resolve } of group) resolve(found.get(threadId))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function read(threadId: string): Promise<ThreadPlace | undefined> {
    try {
      const shard = await shardOf(db, threadId)
      const { promise, resolve, reject } = Promise.withResolvers<ThreadPlace | undefined>()
      reads.add({ threadId, shard, resolve, reject })
      const place = await promise
      // A missing or locked thread is not cached, as it may exist or be open a moment later; in the
      // opposite case, the statement that writes the post checks again.
      if (place === undefined || place.isLocked) places.delete(threadId)
      return place
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

/** @param since the beginning of the day, at which silences end */
async function selectPlaces(db: Db, threadIds: readonly string[], since: Date): Promise<Map<string, ThreadPlace>> {
  // Silences are read along, so that a thread without any costs a post nothing.
  const { rows } = await sql<ThreadPlace & { id: string }>`
    select t.id, t."categoryId", c."posterIds", c."holdImages", t."lockedAt" is not null as "isLocked",
      case when t."closedAt" is not null then t."postCount" end as "fullAt",
      array(
        select own."posterId" from "ownerActions" as own
        where own."threadId" = t.id and ${isOneOf('own.threadId', threadIds)} and own.kind = 'silence' and own.at >= ${since}::timestamptz and own."undoneBy" is null
      ) as "silencedIds"
    from threads as t join categories as c on c.id = t."categoryId"
    where ${isOneOf('t.id', threadIds)} and ${isThreadVisible('t')}`.execute(db)
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}
