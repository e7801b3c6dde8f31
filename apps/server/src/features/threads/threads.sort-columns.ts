/**
 * Copies the live counters of a thread into the columns of the sort indexes, a few times a second
 * at most, and on a cluster the thread into its head. So a busy thread causes two index entries per
 * second instead of one per post. While many threads are busy, it takes a tenth of the time, but
 * waits two seconds at most. How trending weighs a thread is decided in threads.trending.ts.
 */
import { sql } from 'kysely'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { groupByShard, isOneOf } from '../../db/shards.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { copyThreadHeads } from './thread-heads.ts'
import { threadTags } from './threads.tags.ts'

export interface SortColumns {
  /** Call it after a thread's counters have changed. */
  touch(threadIds: Iterable<string>): void
  /**
   * Copies counters that a crash has left behind: of threads with posts since shortly before the
   * last sweep, and also of the next few thousand threads of the board, because added and removed
   * likes leave no usable time.
   */
  sweep(now: number): Promise<void>
  /** Changed threads in the queue. */
  waiting(): number
  settle(): Promise<void>
  close(): Promise<void>
}

const NOTHING = '00000000-0000-0000-0000-000000000000'
/** Threads that each sweep examines in any case; and those of one statement. */
const SWEEP_THREADS = 5_000
const SWEEP_PORTION = 500
/** Twice the interval of sweeps. */
const SWEEP_BACK_MS = 20 * 60_000

export function createSortColumns({ db, log, cache }: Pick<Core, 'db' | 'log' | 'cache'>): SortColumns {
  async function rank(threadIds: readonly string[]): Promise<void> {
    const categoryIds = new Set([...(await copyCounters(db, threadIds)), ...(await copyThreadHeads(db, threadIds))])
    if (categoryIds.size > 0) cache.drop([threadTags.lists, ...[...categoryIds].map(threadTags.category)])
  }
  const queue = createBatchQueue<string>({
    name: 'sort columns',
    everyMs: 400,
    share: 0.1,
    batch: 5_000,
    log,
    work: async (threadIds) => {
      const once = [...new Set(threadIds)]
      await rank(once)
    },
  })
  /** The position of the sweep over the board; it starts again at the end. */
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
    touch: (threadIds) => queue.add([...threadIds]),
    async sweep(now) {
      const { rows } = await sql<{
        threadId: string
      }>`select distinct "threadId" from posts where id >= ${uuidv7Floor(now - SWEEP_BACK_MS)}::uuid`.execute(db)
      await rankInPortions(rows.map((row) => row.threadId))
      await sweepNext()
    },
    waiting: () => queue.waiting(),
    settle: () => queue.settle(),
    close: () => queue.close(),
  }
}

/** Whole milliseconds, so that the time in a cursor is exact. */
const LIFTED_AT = sql`date_trunc('milliseconds', coalesce("liftedAt", "lastPostAt"))`

/** @returns the categories whose order may have changed */
async function copyCounters(db: Db, threadIds: readonly string[]): Promise<string[]> {
  const threads = threadIds.map((threadId) => ({ threadId }))
  const categoryIds = new Set<string>()
  for (const ofShard of await groupByShard(db, threads)) {
    const which = isOneOf(
      'id',
      ofShard.map(({ threadId }) => threadId),
    )
    // Rows are locked in the order of their ids, as the statement that writes posts does, so that
    // the two never deadlock.
    const { rows } = await sql<{ categoryId: string }>`
      update threads set "rankedPosts" = "postCount", "rankedLikes" = likes, "rankedHeat" = heat,
        "rankedPostAt" = ${LIFTED_AT}
      where ${which} and id in (
        select id from threads
        where ${which} and ("rankedPosts" <> "postCount" or "rankedLikes" <> likes or "rankedHeat" <> heat
          or "rankedPostAt" <> ${LIFTED_AT})
        order by id for update)
      returning "categoryId"`.execute(db)
    for (const { categoryId } of rows) categoryIds.add(categoryId)
  }
  return [...categoryIds]
}
