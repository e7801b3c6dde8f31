import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import { createFollower } from '../../lib/follower.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

/**
 * Copies the live counters of a thread into the columns that lists are sorted by, a few times a second at most.
 * So a hot thread costs its list indexes two entries a second instead of one for each post.
 */
export interface ThreadRanking {
  /** A thread's counters have changed. */
  touch(threadIds: Iterable<string>): void
  /**
   * Copies what a crash may have left out: threads with posts since the given time, and each time the next few thousand
   * threads of the board, for likes that came or went leave no trace of when.
   */
  sweep(since: number): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

const NOTHING = '00000000-0000-0000-0000-000000000000'
/** Threads that each sweep looks at, whatever happened in them; and those of one statement. */
const SWEEP_THREADS = 5_000
const SWEEP_PORTION = 500

export function createThreadRanking(
  db: Db,
  log: FastifyBaseLogger,
  onRanked: (categoryIds: readonly string[]) => void,
): ThreadRanking {
  const rank = async (threadIds: readonly string[]): Promise<void> => onRanked(await copyCounters(db, threadIds))
  const follower = createFollower<string>({
    name: 'thread ranking',
    everyMs: 400,
    batch: 5_000,
    log,
    work: async (threadIds) => {
      const once = [...new Set(threadIds)]
      await rank(once)
    },
  })
  /** The board is gone through from here; from its beginning again when its end is reached. */
  let sweptThrough = NOTHING

  async function sweepNext(): Promise<void> {
    const { rows } = await sql<{ id: string }>`
      select id from threads where id > ${sweptThrough}::uuid order by id limit ${SWEEP_THREADS}`.execute(db)
    sweptThrough = rows.length < SWEEP_THREADS ? NOTHING : rows.at(-1)!.id
    await rankInPortions(rows.map((row) => row.id))
  }

  async function rankInPortions(threadIds: readonly string[]): Promise<void> {
    for (let index = 0; index < threadIds.length; index += SWEEP_PORTION) {
      await rank(threadIds.slice(index, index + SWEEP_PORTION))
    }
  }

  return {
    touch: (threadIds) => follower.add([...threadIds]),
    async sweep(since) {
      const { rows } = await sql<{
        threadId: string
      }>`select distinct "threadId" from posts where id >= ${uuidv7Floor(since)}::uuid`.execute(db)
      await rankInPortions(rows.map((row) => row.threadId))
      await sweepNext()
    },
    settle: () => follower.settle(),
    close: () => follower.close(),
  }
}

/** @returns the categories whose order may have changed */
async function copyCounters(db: Db, threadIds: readonly string[]): Promise<string[]> {
  // Rows are locked in the order of their ids, as the statement that writes posts does, so that the two never wait for each other in a circle.
  const { rows } = await sql<{ categoryId: string }>`
    update threads set "rankedPosts" = "postCount", "rankedLikes" = likes, "rankedHeat" = heat
    where id in (
      select id from threads
      where id in ${idsOf(threadIds)}
        and ("rankedPosts" <> "postCount" or "rankedLikes" <> likes or "rankedHeat" <> heat)
      order by id for update)
    returning "categoryId"`.execute(db)
  return [...new Set(rows.map((row) => row.categoryId))]
}
