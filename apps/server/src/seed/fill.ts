/**
 * Writes a planned board into the database, in bulk: thousands of posts at a time instead of one by
 * one.
 */
import { THREAD_POSTS } from '@shinobi/contract/limits'
import { sql } from 'kysely'
import pino from 'pino'
import type { Db } from '../db/client.ts'
import { prepareToChangeCopied } from '../db/distribution.ts'
import { recount } from '../db/tallies.ts'
import { indexMissing } from '../features/search/search.indexer.ts'
import { claimThreadKeys } from '../features/threads/imported-threads.queries.ts'
import { copyAllThreadHeads } from '../features/threads/thread-heads.ts'
import { giveThreadKeys } from '../features/threads/thread-keys.queries.ts'
import { foldName } from '../lib/fold.ts'
import { timeOfUuid } from '../lib/uuid.ts'
import { insertStories } from './news.ts'
import { seedThreads, type BoardPlan, type SeededPost, type SeededThread } from './board.ts'

/** Before all ids: where the first bucket begins. */
const NOTHING = '00000000-0000-0000-0000-000000000000'
/** Threads are collected until they have this many posts, and then written together. */
const BATCH_POSTS = 4_000

/**
 * Writes the threads of a plan in one transaction, so that an interrupted or failed seed leaves
 * nothing behind.
 */
export async function writeBoard(db: Db, plan: BoardPlan, tell: (posts: number) => void): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await prepareToChangeCopied(transaction)
    let batch: SeededThread[] = []
    let waiting = 0
    let written = 0
    const flush = async (): Promise<void> => {
      await insertSeeded(transaction, batch)
      const stories = batch.flatMap(({ story }) => story ?? [])
      await insertStories(transaction, stories, plan.now)
      written += waiting
      batch = []
      waiting = 0
      tell(written)
    }
    for (const thread of seedThreads(plan)) {
      batch.push(thread)
      waiting += thread.postCount
      if (waiting >= BATCH_POSTS) await flush()
    }
    if (batch.length > 0) await flush()
    // A count over a large board takes longer than the server's statement time-out.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await recount(transaction)
  })
  await copyAllThreadHeads(db)
}

/**
 * Rebuilds the search index, including old posts: its buckets are runs of threads by age, and the
 * new threads are in between the old ones. Texts are inserted without the index on their grams,
 * which is several times faster to build at the end.
 */
export async function buildSearch(db: Db, now: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // An index over a large board takes longer than the server's statement time-out.
    await sql`set local statement_timeout = 0`.execute(transaction)
    await sql`set local maintenance_work_mem = '512MB'`.execute(transaction)
    const { rows } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = current_schema() and tablename = 'searchDocuments' and indexdef like '%USING gin%'`.execute(
      transaction,
    )
    for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(transaction)
    await sql`truncate "searchDocuments"`.execute(transaction)
    await transaction.deleteFrom('searchBuckets').where('bucket', '<>', 1).execute()
    await transaction.updateTable('searchBuckets').set({ firstThreadId: NOTHING }).execute()
    await transaction.deleteFrom('settings').where('key', 'like', 'search.%').execute()
    await indexMissing({ db: transaction, log: pino({ level: 'silent' }), pace: (statement) => statement() }, now)
    for (const { definition } of rows) await sql.raw(definition).execute(transaction)
  })
  await sql`analyze`.execute(db)
}

/**
 * Inserts threads with their posts, counters, nicknames and keys. Existing ids are an error: a plan
 * is written only once.
 */
async function insertSeeded(db: Db, threads: readonly SeededThread[]): Promise<void> {
  const rows = threads.map(({ posts: _posts, story: _story, ...thread }) => thread)
  await sql`
    insert into threads (id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "aiGenerated", summary, "sourceSite",
      "sourceUrl", likes, "postCount", revision, heat, "rankedPosts", "rankedLikes", "rankedHeat", "rankedPostAt", "closedAt")
    select id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "aiGenerated", summary, "sourceSite",
      "sourceUrl", likes, "postCount", "postCount", heat, "postCount", likes, heat, "lastPostAt",
      case when "postCount" >= ${THREAD_POSTS} then "lastPostAt" end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as thread(
      id uuid, "categoryId" uuid, title text, excerpt text, nickname text, "visitorId" uuid, "createdAt" timestamptz,
      "lastPostAt" timestamptz, "aiGenerated" boolean, summary text, "sourceSite" text, "sourceUrl" text, likes integer, "postCount" integer,
      heat float8)`.execute(db)
  const posts = threads.flatMap((thread) => thread.posts)
  for (let i = 0; i < posts.length; i += POSTS_AT_ONCE) await insertPosts(db, posts.slice(i, i + POSTS_AT_ONCE))
  for (const [categoryId, some] of Map.groupBy(threads, (thread) => thread.categoryId)) {
    const claims = some.map(({ id }) => ({ key: Math.floor(timeOfUuid(id) / 1_000), threadId: id }))
    await claimThreadKeys(db, categoryId, claims)
    // The few whose second is taken get the next free one.
    const ids = some.map(({ id }) => id)
    await giveThreadKeys(db, ids, categoryId)
  }
}

/**
 * Posts per statement: a batch of whole threads may have more. Large enough that round trips do not
 * matter, small enough for one message of PostgreSQL's protocol.
 */
const POSTS_AT_ONCE = 4_000

async function insertPosts(db: Db, posts: readonly SeededPost[]): Promise<void> {
  await sql`
    insert into posts ("threadId", number, id, name, content, "visitorId", "createdAt", likes, "deletedAt")
    select * from json_to_recordset(${JSON.stringify(posts)}::text::json) as post(
      "threadId" uuid, number integer, id uuid, name text, content text, "visitorId" uuid, "createdAt" timestamptz, likes integer,
      "deletedAt" timestamptz)`.execute(db)

  // In a thread a nickname belongs to whoever posted with it first.
  const owners = posts.flatMap(({ threadId, name, visitorId, createdAt }) =>
    name === null ? [] : [{ threadId, name: foldName(name), visitorId, createdAt }],
  )
  await sql`
    insert into nicknames ("threadId", name, "visitorId", "createdAt")
    select * from json_to_recordset(${JSON.stringify(owners)}::text::json) as owner(
      "threadId" uuid, name text, "visitorId" uuid, "createdAt" timestamptz)
    on conflict ("threadId", name) do nothing`.execute(db)
}
