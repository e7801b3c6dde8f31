/**
 * Indexes the texts of whole logs. Entered one by one, each text would touch a hundred places of
 * the index; collected first, thousands of them touch each place once: four times as fast.
 */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { inOneTransaction, isDistributed, prepareToChangeCopied } from '../../db/distribution.ts'
import { timeOfUuid, uuidv7Floor } from '../../lib/uuid.ts'
import { BUCKET_THREADS } from './search.queries.ts'

/** Texts that may wait in the list, which every search reads to its end. */
const WAITING_MAX = 40_000
/** Texts from which on the list is entered into the index. */
const ENTERED_FROM = 10_000
/** Size of a list that writers enter themselves, in kB: more than that of WAITING_MAX texts. */
const LIST_KB = 1_000_000
/** Session lock of the program that collects. */
const LOCK = 7_201_126
/** First thread of the lowest bucket: every thread is newer. */
const OLDEST = '00000000-0000-0000-0000-000000000000'

export interface BulkIndex {
  /** Call it after a commit; resolves when more texts may be written. */
  added(texts: number): Promise<void>
}

/**
 * Runs work that writes many texts. Texts are found meanwhile, though searches take longer.
 * @returns null when another program is at it
 */
export async function whileCollecting<T>(db: Db, work: (index: BulkIndex) => Promise<T>): Promise<T | null> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${LOCK}) as taken`.execute(connection)
    if (rows[0]?.taken !== true) return null
    try {
      // The lists of a cluster are on its workers.
      if (await isDistributed(db)) return await work({ added: async () => {} })
      return await collecting(db, connection, work)
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

async function collecting<T>(db: Db, connection: Db, work: (index: BulkIndex) => Promise<T>): Promise<T> {
  // The writer leaves the list alone: it is entered on the other connection, meanwhile.
  await sql`
    alter index search_documents_grams set (fastupdate = on, gin_pending_list_limit = ${sql.lit(LIST_KB)})`.execute(db)
  await sql`set maintenance_work_mem = '256MB'`.execute(connection)
  await sql`set statement_timeout = 0`.execute(connection)
  let waiting = 0
  const running: { entering: Promise<void> | null } = { entering: null }
  const enter = async (): Promise<void> => {
    const texts = waiting
    await sql`select gin_clean_pending_list('search_documents_grams')`.execute(connection)
    waiting -= texts
  }
  try {
    return await work({
      async added(texts) {
        waiting += texts
        if (waiting >= ENTERED_FROM && running.entering === null) {
          running.entering = enter().finally(() => (running.entering = null))
          // It is awaited below, or by a later call.
          running.entering.catch(() => {})
        }
        if (waiting >= WAITING_MAX) await running.entering
      },
    })
  } finally {
    await running.entering
    await settleSearchIndex(connection)
    await sql`reset maintenance_work_mem`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  }
}

/** The setting goes when the list has: the next sweep tries again after a failure. */
async function settleSearchIndex(db: Db): Promise<void> {
  const enter = sql`select gin_clean_pending_list('search_documents_grams')`
  await enter.execute(db)
  await sql`alter index search_documents_grams set (fastupdate = off)`.execute(db)
  await sql`alter index search_documents_grams reset (gin_pending_list_limit)`.execute(db)
  // What the writer has added meanwhile.
  await enter.execute(db)
}

/** Ends the collecting of a program that was killed. */
export async function endForgottenCollecting(db: Db): Promise<void> {
  if (await isDistributed(db)) return
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`
      select case when exists (
        select from pg_class where oid = to_regclass('search_documents_grams') and 'fastupdate=on' = any(reloptions)
      ) then pg_try_advisory_lock(${LOCK}) else false end as taken`.execute(connection)
    if (rows[0]?.taken !== true) return
    try {
      await sql`set statement_timeout = 0`.execute(connection)
      await settleSearchIndex(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

/**
 * Opens buckets for threads that are older than all others, so that each has its thousand threads:
 * below the bucket of the oldest thread, into which they would all come. Buckets there are empty,
 * left by an import that was stopped, and are replaced. Threads between those that are there come
 * into the buckets that are there.
 * @param openedAt of the threads to come, in milliseconds
 */
export async function openOlderBuckets(db: Db, openedAt: readonly number[], now: number): Promise<void> {
  await inOneTransaction(db, async (tx) => {
    await prepareToChangeCopied(tx)
    const oldest = await tx.selectFrom('threads').select('id').orderBy('id').limit(1).executeTakeFirst()
    const edge = oldest?.id ?? uuidv7Floor(now)
    const older = openedAt.filter((time) => time < timeOfUuid(edge)).toSorted((one, other) => other - one)
    const firsts: string[] = []
    for (let index = BUCKET_THREADS - 1; index < older.length - 1; index += BUCKET_THREADS) {
      firsts.push(uuidv7Floor(older[index]!))
    }
    if (older.length < BUCKET_THREADS) return
    const { bucket: home } = await tx
      .selectFrom('searchBuckets')
      .select('bucket')
      .where('firstThreadId', '<=', edge)
      .orderBy('firstThreadId', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const buckets = [...firsts, OLDEST].map((firstThreadId, index) => ({ bucket: home - 1 - index, firstThreadId }))
    await tx.deleteFrom('searchBuckets').where('bucket', '<', home).execute()
    await tx.updateTable('searchBuckets').set({ firstThreadId: edge }).where('bucket', '=', home).execute()
    await tx.insertInto('searchBuckets').values(buckets).execute()
  })
}
