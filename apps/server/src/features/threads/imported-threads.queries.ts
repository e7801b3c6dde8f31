/**
 * Threads of logs. Their id is made of their category and key, so that a log that is imported again
 * finds its thread, and never takes one that was opened here for its own.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

/** Where the time of a UUIDv7 ends in its text. */
const TIME_CHARACTERS = 14

function tailOf(categoryId: string, key: number): string {
  const hash = createHash('sha256').update(`${categoryId.toLowerCase()} ${key}`).digest('hex')
  return `7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** The id of the thread of a log. @param openedAt milliseconds */
export const importedThreadId = (categoryId: string, key: number, openedAt: number): string =>
  uuidv7Floor(openedAt).slice(0, TIME_CHARACTERS) + tailOf(categoryId, key)

/** Whether a thread was made of the log of a key. */
export const isImportedThread = (threadId: string, categoryId: string, key: number): boolean =>
  threadId.slice(TIME_CHARACTERS) === tailOf(categoryId, key)

/** A thread with its counters, which its posts give. */
export interface ImportedThread {
  readonly id: string
  readonly categoryId: string
  readonly title: string
  readonly excerpt: string
  readonly nickname: string | null
  readonly trip: string | null
  readonly userId: string | null
  readonly createdAt: Date
  readonly aiGenerated: boolean
  readonly sourceSite: string | null
  readonly sourceUrl: string | null
  readonly postCount: number
  readonly sages: number
  readonly lastPostAt: Date
  readonly liftedAt: Date | null
  readonly heat: number
  readonly closedAt: Date | null
}

/** The threads that keys of a category name already. */
export async function selectThreadsOfKeys(
  db: Db,
  categoryId: string,
  keys: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ key: string; threadId: string }>`
    select key, "threadId" from "threadKeys" where "categoryId" = ${categoryId}::uuid
      and key in (select value::bigint from json_array_elements_text(${JSON.stringify(keys)}::text::json))`.execute(db)
  return new Map(rows.map(({ key, threadId }) => [Number(key), threadId]))
}

/** Gives new threads certain keys, as those of their logs. @returns those that were free */
export async function claimThreadKeys(
  tx: Db,
  categoryId: string,
  claims: readonly { readonly key: number; readonly threadId: string }[],
): Promise<Set<number>> {
  const { rows } = await sql<{ key: string }>`
    insert into "threadKeys" ("categoryId", key, "threadId")
    select ${categoryId}::uuid, key, "threadId"
    from json_to_recordset(${JSON.stringify(claims)}::text::json) as claim(key bigint, "threadId" uuid) order by key
    on conflict do nothing returning key`.execute(tx)
  return new Set(rows.map(({ key }) => Number(key)))
}

/** Inserts threads without their posts. The caller counts them in the tallies. */
export async function insertImportedThreads(tx: Db, threads: readonly ImportedThread[]): Promise<void> {
  const input = JSON.stringify(threads)
  await sql`
    insert into threads (id, "categoryId", title, excerpt, nickname, trip, "userId", "createdAt", "aiGenerated", "sourceSite", "sourceUrl",
      "postCount", revision, sages, "lastPostAt", "liftedAt", heat, "rankedPosts", "rankedHeat", "rankedPostAt", "closedAt")
    select id, "categoryId", title, excerpt, nickname, trip, "userId", "createdAt", "aiGenerated", "sourceSite", "sourceUrl",
      "postCount", "postCount", sages, "lastPostAt", "liftedAt", heat, "postCount", heat, coalesce("liftedAt", "lastPostAt"), "closedAt"
    from json_to_recordset(${input}::text::json) as thread(
      id uuid, "categoryId" uuid, title text, excerpt text, nickname text, trip text, "userId" uuid, "createdAt" timestamptz,
      "aiGenerated" boolean, "sourceSite" text, "sourceUrl" text, "postCount" integer, sages integer, "lastPostAt" timestamptz,
      "liftedAt" timestamptz, heat float8, "closedAt" timestamptz)`.execute(tx)
}

export type ImportedState = Pick<
  ImportedThread,
  'postCount' | 'sages' | 'lastPostAt' | 'liftedAt' | 'heat' | 'closedAt'
>

/** A thread of an earlier log. */
export interface ThreadBefore extends ImportedState {
  readonly title: string
  /** The text of post 1; null while that is removed. */
  readonly opening: string | null
}

/** The state of a thread, whose row is locked; undefined for a removed one. */
export async function lockImportedThread(tx: Db, threadId: string): Promise<ThreadBefore | undefined> {
  const { rows } = await sql<ThreadBefore>`
    select "postCount", sages, "lastPostAt", "liftedAt", heat, "closedAt", title,
      (select content from posts where "threadId" = ${threadId}::uuid and number = 1 and ${isPostVisible()}) as opening
    from threads
    where id = ${threadId}::uuid and ${isThreadVisible()} for no key update`.execute(tx)
  return rows[0]
}

/** Sets the counters of a thread that has got more posts of its log. */
export async function updateImportedThread(
  tx: Db,
  threadId: string,
  { postCount, sages, lastPostAt, liftedAt, heat, closedAt }: ImportedState,
): Promise<void> {
  await sql`
    update threads set "postCount" = ${postCount}, revision = revision + ${postCount} - "postCount", sages = ${sages},
      "lastPostAt" = ${lastPostAt}::timestamptz, "liftedAt" = ${liftedAt}::timestamptz, heat = ${heat}::float8,
      "rankedPosts" = ${postCount}, "rankedHeat" = ${heat}::float8, "closedAt" = ${closedAt}::timestamptz,
      "rankedPostAt" = date_trunc('milliseconds', ${liftedAt ?? lastPostAt}::timestamptz)
    where id = ${threadId}::uuid`.execute(tx)
}
