import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { foldName } from '../lib/fold.ts'
import type { SeededPost, SeededThread } from './board.ts'

/** Inserts threads with their posts, counters and nicknames. Ids that are there already are an error: a seed fills a board once. */
export async function insertSeeded(db: Db, threads: readonly SeededThread[]): Promise<void> {
  const rows = threads.map(({ posts: _posts, ...thread }) => thread)
  await sql`
    insert into threads (id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "aiGenerated", "sourceSite",
      "sourceUrl", likes, "postCount", revision, heat, "rankedPosts", "rankedLikes", "rankedHeat")
    select id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "aiGenerated", "sourceSite",
      "sourceUrl", likes, "postCount", "postCount", heat, "postCount", likes, heat
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as thread(
      id uuid, "categoryId" uuid, title text, excerpt text, nickname text, "visitorId" uuid, "createdAt" timestamptz,
      "lastPostAt" timestamptz, "aiGenerated" boolean, "sourceSite" text, "sourceUrl" text, likes integer, "postCount" integer,
      heat float8)`.execute(db)
  const posts = threads.flatMap((thread) => thread.posts)
  for (let i = 0; i < posts.length; i += POSTS_AT_ONCE) await insertPosts(db, posts.slice(i, i + POSTS_AT_ONCE))
}

/** Enough that the way to the database does not count, few enough for one message. */
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
