/**
 * Heads of threads: what lists show and order by, as a table of the coordinator. On a cluster lists
 * are read from it, so that one server answers them, and answers while a worker is away. Heads
 * follow the threads like the search index: what a commit has changed is copied after it, what
 * lists must not show any more at once, and all else with the sort columns. What a crash left
 * behind is found in the audit log (follow-removals.ts), and by the sweep of the sort columns
 * (threads.sort-columns.ts). On one PostgreSQL lists are read from the threads themselves, and the
 * table is empty.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { groupByShard, isOneOf } from '../../db/shards.ts'
import type { ThreadHeadsTable } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import type { Service } from '../../lib/services.ts'
import { NEWEST } from './threads.cursor.ts'
import { threadsOf, threadTags } from './threads.tags.ts'

/** Any number that no other advisory lock uses: "head" in ASCII. */
const LOCK_KEY = 0x68656164
/**
 * How long a list, and the answer to a change by staff, wait at most: a worker that is away, or
 * slow, does not hold them up.
 */
const LIST_WAIT_MS = 300
const STAFF_WAIT_MS = 2_000

/** Threads that are copied at once when all are. */
const PORTION = 2_000

type Copied = Exclude<keyof ThreadHeadsTable, 'id' | 'lastLikeAt'>
const isCopied: Readonly<Record<Copied, true>> = {
  ...{ categoryId: true, title: true, excerpt: true, nickname: true, trip: true, userId: true, image: true },
  ...{ createdAt: true, aiGenerated: true, summary: true, sourceSite: true, sourceUrl: true, likes: true },
  ...{ postCount: true, revision: true, lastPostAt: true, sages: true, liftedAt: true, heat: true },
  ...{ rankedPosts: true, rankedLikes: true, rankedHeat: true, rankedPostAt: true, lockedAt: true },
  ...{ closedAt: true, previousThreadId: true, nextThreadId: true, pinned: true, removedAt: true },
}
const COPIED = Object.keys(isCopied)
const NEWEST_LIKE = sql<Date | null>`(select max("createdAt") from "threadLikes" where "threadId" = t.id)`

/** Where lists are read from. */
export interface ListedThreads {
  /** SQL: a table with the columns of `threads`. */
  readonly table: RawBuilder<unknown>
  /** SQL: the time of the newest like of its row `t`. */
  readonly lastLikeAt: RawBuilder<Date | null>
}

const THREADS: ListedThreads = { table: sql.table('threads'), lastLikeAt: NEWEST_LIKE }
const HEADS: ListedThreads = { table: sql.table('threadHeads'), lastLikeAt: sql`t."lastLikeAt"` }

/** Waits for committed changes of a server of this process to be copied. */
interface CatchUp {
  /** Those that must not be seen any more, such as removals. */
  readonly urgent: () => Promise<void>
  readonly all: () => Promise<unknown>
}

const catchUps = new WeakMap<object, Set<CatchUp>>()

/** Where lists are read from, with all changes that this server has committed. */
export async function listedThreads(db: Db): Promise<ListedThreads> {
  if (!(await isDistributed(db))) return THREADS
  await catchUp(db, 'all', LIST_WAIT_MS)
  return HEADS
}

/** On a cluster, waits for what staff has changed on this server to be in the heads. */
export const untilHeadsFollow = (db: Db): Promise<void> => catchUp(db, 'urgent', STAFF_WAIT_MS)

async function catchUp(db: Db, what: keyof CatchUp, waitMs: number): Promise<void> {
  const ofDatabase = catchUps.get(db.getExecutor().adapter)
  if (ofDatabase === undefined) return
  const caughtUp = Promise.all(Array.from(ofDatabase, (waiting) => waiting[what]()))
  await Promise.race([caughtUp, sleep(waitMs, null, { ref: false })])
}

/** The queue of the sort columns, which copies the heads as well. */
interface Follower {
  touch(threadIds: Iterable<string>): void
  settle(): Promise<void>
}

/**
 * Has the heads of a distributed board kept up to date from now on, and makes them first if that
 * was not done to the end. Whatever supersedes cached answers about a thread supersedes its head.
 */
export async function keepThreadHeads(
  { db, cache, log }: Pick<Core, 'db' | 'cache' | 'log'>,
  sortColumns: Follower,
): Promise<Service | null> {
  if (!(await isDistributed(db))) return null
  const { rows: oldest } = await sql<{ id: string }>`select id from threads order by id limit 1`.execute(db)
  const { rows: copied } =
    await sql`select from "threadHeads" where id in ${idsOf(oldest.map(({ id }) => id))}`.execute(db)
  if (copied.length < oldest.length) {
    log.info('copying the heads of all threads to the coordinator')
    await copyAllThreadHeads(db)
  }
  const urgent = createBatchQueue<string>({
    name: 'thread heads',
    everyMs: 0,
    batch: PORTION,
    log,
    async work(threadIds) {
      const categoryIds = await copyThreadHeads(db, [...new Set(threadIds)])
      // Another server may have read a list meanwhile.
      cache.drop([threadTags.lists, ...categoryIds.map(threadTags.category)], 'at once')
    },
  })
  const { adapter } = db.getExecutor()
  const all = (): Promise<unknown> => Promise.all([urgent.settle(), sortColumns.settle()])
  catchUps.set(adapter, (catchUps.get(adapter) ?? new Set()).add({ urgent: urgent.settle, all }))
  cache.onDrop((tags, when) => {
    const threadIds = threadsOf(tags)
    sortColumns.touch(threadIds)
    if (when === 'at once' && tags.includes(threadTags.lists)) urgent.add([...threadIds])
  })
  return { settle: urgent.settle, close: urgent.close }
}

/**
 * On a cluster, copies the heads of all threads: the oldest last, for `keepThreadHeads`. Lists of
 * the next minutes are planned well only with statistics.
 */
export async function copyAllThreadHeads(db: Db): Promise<void> {
  if (!(await isDistributed(db))) return
  for (let before = NEWEST; ;) {
    const { rows } = await sql<{ id: string }>`
      select id from threads where id < ${before}::uuid order by id desc limit ${PORTION}`.execute(db)
    if (rows.length === 0) break
    await copyThreadHeads(
      db,
      rows.map(({ id }) => id),
    )
    before = rows.at(-1)!.id
  }
  await sql`analyze "threadHeads"`.execute(db)
}

/** On a cluster, copies the heads of some threads. @returns their categories, whose lists change */
export async function copyThreadHeads(db: Db, threadIds: readonly string[]): Promise<string[]> {
  if (!(await isDistributed(db))) return []
  const categoryIds: string[] = []
  const failures: unknown[] = []
  for (const group of await groupByShard(
    db,
    threadIds.map((threadId) => ({ threadId })),
  )) {
    const ids = group.map(({ threadId }) => threadId)
    try {
      categoryIds.push(...(await inTransaction(db, (tx) => copyIn(tx, ids))))
    } catch (error) {
      // A worker that is away does not hold up the threads of others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return categoryIds
}

/** One transaction copies at a time, so that no older state of a thread replaces a newer one. */
async function copyIn(tx: Db, threadIds: readonly string[]): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(tx)
  const columns = sql.join(COPIED.map((column) => sql.ref(column)))
  const { rows } = await sql<{ categoryId: string }>`
    insert into "threadHeads" (id, ${columns}, "lastLikeAt")
    select t.id, ${sql.join(COPIED.map((column) => sql.ref(`t.${column}`)))},
      (select max("createdAt") from "threadLikes" where "threadId" = t.id and ${isOneOf('threadId', threadIds)})
    from threads as t where ${isOneOf('t.id', threadIds)}
    on conflict (id) do update set
      ${sql.join(['lastLikeAt', ...COPIED].map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`))}
    returning "categoryId"`.execute(tx)
  return [...new Set(rows.map(({ categoryId }) => categoryId))]
}
