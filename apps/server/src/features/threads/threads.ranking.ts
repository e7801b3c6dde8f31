import type { FastifyBaseLogger } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
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
  /** Changes of threads that wait to be copied. */
  waiting(): number
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
    waiting: () => follower.waiting(),
    settle: () => follower.settle(),
    close: () => follower.close(),
  }
}

/** @returns the categories whose order may have changed */
async function copyCounters(db: Db, threadIds: readonly string[]): Promise<string[]> {
  const isBehind = sql`("rankedPosts" <> "postCount" or "rankedLikes" <> likes or "rankedHeat" <> heat)`
  const those = sql`select id from threads where id in ${idsOf(threadIds)} and ${isBehind} order by id`
  const copy = async (which: RawBuilder<unknown>): Promise<string[]> => {
    const { rows } = await sql<{ categoryId: string }>`
      update threads set "rankedPosts" = "postCount", "rankedLikes" = likes, "rankedHeat" = heat
      where ${which} returning "categoryId"`.execute(db)
    return rows.map((row) => row.categoryId)
  }
  const categoryIds = new Set<string>()
  if (await isDistributed(db)) {
    // A cluster locks rows in no order: one at a time waits for nobody in a circle.
    const { rows: behind } = await sql<{ id: string }>`${those}`.execute(db)
    for (const { id } of behind) for (const categoryId of await copy(sql`id = ${id}::uuid`)) categoryIds.add(categoryId)
  } else {
    // Rows are locked in the order of their ids, as the statement that writes posts does, so that the two never wait for each other in a circle.
    for (const categoryId of await copy(sql`id in (${those} for update)`)) categoryIds.add(categoryId)
  }
  return [...categoryIds]
}
