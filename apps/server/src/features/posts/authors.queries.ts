import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isWithin } from '../../db/ids.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import type { Scope } from '@shinobi/contract/permissions'
import { uuidv7Floor } from '../../lib/uuid.ts'
import type { PostTarget } from './removals.queries.ts'

/**
 * The author of something, for moderation only; never leaves the server. A member is identified by
 * the account alone: posts that the same browser wrote without it belong to somebody else for
 * everybody, moderators included.
 */
export type Writer =
  | { readonly userId: string; readonly visitorId: null }
  | { readonly userId: null; readonly visitorId: string }

/**
 * The author of a post; undefined when there is no such post, or its author is no longer stored.
 */
export async function selectWriter(db: Db, { threadId, postId }: PostTarget): Promise<Writer | undefined> {
  const row = await db
    .selectFrom('posts')
    .select(['userId', 'visitorId'])
    .where('threadId', '=', threadId)
    .where('id', '=', postId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.userId !== null) return { userId: row.userId, visitorId: null }
  return row.visitorId === null ? undefined : { userId: null, visitorId: row.visitorId }
}

/** Threads per look-up, and post numbers of a thread per query. */
const THREADS_AT_ONCE = 500
const NUMBERS_AT_ONCE = 5_000

/**
 * A writer's visible posts in the part of the board that a moderator may change, by thread and
 * number. Members are found by their rooms, visitors by `threadsOfVisitor`; then each thread is
 * read in bounded steps.
 * @param since milliseconds; only posts made then or later
 */
export async function findPostsOfWriter(
  db: Db,
  writer: Writer,
  scope: Scope,
  { since = 0 }: { readonly since?: number } = {},
): Promise<PostTarget[]> {
  const found: PostTarget[] = []
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const threads = await selectThreadsOfWriter(db, writer, scope, last)
    for (const { id, postCount } of threads) {
      for (let after = 0; after < postCount; after += NUMBERS_AT_ONCE) {
        found.push(...(await selectPostsOfWriter(db, writer, id, after, since)))
      }
    }
    if (threads.length < THREADS_AT_ONCE) return found
    last = threads.at(-1)!.id
  }
}

/**
 * SQL: threads in which a visitor wrote: those where it claimed a name, and those it opened or
 * wrote to without claiming one.
 */
export const threadsOfVisitor = (visitorId: string): RawBuilder<unknown> => sql`
  select "threadId" from nicknames where "visitorId" = ${visitorId}::uuid
  union select id from threads where "visitorId" = ${visitorId}::uuid and nickname is null
  union select "threadId" from posts
    where "visitorId" = ${visitorId}::uuid and "userId" is null and (name is null or trip is not null)`

async function selectThreadsOfWriter(
  db: Db,
  { userId, visitorId }: Writer,
  scope: Scope,
  after: string,
): Promise<{ id: string; postCount: number }[]> {
  const written =
    userId !== null ? sql`select "threadId" from rooms where "userId" = ${userId}::uuid` : threadsOfVisitor(visitorId)
  const { rows } = await sql<{ id: string; postCount: number }>`
    select id, "postCount" from threads
    where id in (${written}) and ${isThreadVisible()} and ${isWithin(scope, sql`"categoryId"`)} and id > ${after}::uuid
    order by id limit ${THREADS_AT_ONCE}`.execute(db)
  return rows
}

async function selectPostsOfWriter(
  db: Db,
  { userId, visitorId }: Writer,
  threadId: string,
  after: number,
  since: number,
): Promise<PostTarget[]> {
  const isTheirs: RawBuilder<unknown> =
    userId !== null ? sql`"userId" = ${userId}::uuid` : sql`"visitorId" = ${visitorId}::uuid and "userId" is null`
  const { rows } = await sql<PostTarget>`
    select "threadId", id as "postId" from posts
    where "threadId" = ${threadId}::uuid and number > ${after}::integer and number <= ${after + NUMBERS_AT_ONCE}::integer
      and ${isTheirs} and ${isPostVisible()} and id >= ${uuidv7Floor(since)}::uuid
    order by number`.execute(db)
  return rows
}

/** Numbers of posts by thread: a short form for many posts. */
export type PostNumbers = Record<string, number[]>

export async function selectNumbers(db: Db, targets: readonly PostTarget[]): Promise<PostNumbers> {
  if (targets.length === 0) return {}
  const { rows } = await sql<{ threadId: string; numbers: number[] }>`
    select p."threadId", json_agg(p.number order by p.number) as numbers
    from json_to_recordset(${JSON.stringify(targets)}::text::json) as target("threadId" uuid, "postId" uuid)
    join posts as p on p.id = target."postId" and p."threadId" = target."threadId"
    group by p."threadId"`.execute(db)
  return Object.fromEntries(rows.map(({ threadId, numbers }) => [threadId, numbers]))
}

/** Of these posts, those that were removed at this time, and so by the action of this time. */
export async function selectRemovedAt(
  db: Db,
  posts: Readonly<Record<string, readonly number[]>>,
  at: Date,
): Promise<PostTarget[]> {
  const places = Object.entries(posts).flatMap(([threadId, numbers]) => numbers.map((number) => ({ threadId, number })))
  if (places.length === 0) return []
  const { rows } = await sql<PostTarget>`
    select p."threadId", p.id as "postId"
    from json_to_recordset(${JSON.stringify(places)}::text::json) as place("threadId" uuid, number integer)
    join posts as p on p."threadId" = place."threadId" and p.number = place.number
    where p."deletedAt" = ${at}::timestamptz
    order by p."threadId", p.number`.execute(db)
  return rows
}

/**
 * Removes a user from their posts with a number in (after, upTo]. The id of the former account
 * takes the place of the browser's: they stay posts of one writer, and do not become those of the
 * browser.
 * @returns the ids of these posts
 */
export async function forgetWriter(
  tx: Db,
  { userId, threadId, after, upTo }: { userId: string; threadId: string; after: number; upTo: number },
): Promise<string[]> {
  const rows = await tx
    .updateTable('posts')
    .set({ name: null, userId: null, visitorId: userId })
    .where('threadId', '=', threadId)
    .where('number', '>', after)
    .where('number', '<=', upTo)
    .where('userId', '=', userId)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
