/**
 * A writer's history, from data that is kept for bans anyway: the account, or the browser that
 * wrote anonymously.
 */
import { sql, type RawBuilder } from 'kysely'
import { WRITER_CASES, WRITER_POSTS, WRITER_REACH, WRITER_THREADS } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { isWithin } from '../../db/ids.ts'
import type { Scope } from '@shinobi/contract/permissions'
import { threadsOfVisitor, type Writer } from '../posts/authors.queries.ts'

/**
 * Threads in which the writer posted last, as a subquery; of a visitor, the newest it wrote to.
 */
const roomsOf = ({ userId, visitorId }: Writer): RawBuilder<unknown> =>
  userId !== null
    ? sql`(select "threadId" from rooms where "userId" = ${userId}::uuid
        order by "lastPostAt" desc, "threadId" desc limit ${WRITER_REACH})`
    : sql`(select "threadId" from (
          ${threadsOfVisitor(visitorId)}
        ) as known order by "threadId" desc limit ${WRITER_REACH})`

/** Whether a row of posts or threads belongs to the writer. */
const isTheirs = (table: string, { userId, visitorId }: Writer): RawBuilder<boolean> =>
  userId !== null
    ? sql<boolean>`${sql.ref(`${table}.userId`)} = ${userId}::uuid`
    : sql<boolean>`(${sql.ref(`${table}.visitorId`)} = ${visitorId}::uuid and ${sql.ref(`${table}.userId`)} is null)`

const idsIn = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

/** The writer's posts in that part of the board, removed ones included, by id, newest first. */
export async function findWrittenPosts(db: Db, writer: Writer, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from ${roomsOf(writer)} as room
    join posts as p on p."threadId" = room."threadId" join threads as t on t.id = room."threadId"
    where ${isTheirs('p', writer)} and ${isWithin(scope, sql`t."categoryId"`)}
    order by p.id desc limit ${WRITER_POSTS}`.execute(db)
  return idsIn(rows)
}

/** Threads that the writer opened there, by id, newest first. */
export async function findOpenedThreads(db: Db, writer: Writer, scope: Scope): Promise<string[]> {
  const among = writer.userId !== null ? sql`true` : sql`t.id in (select "threadId" from ${roomsOf(writer)} as room)`
  const { rows } = await sql<{ id: string }>`
    select t.id from threads as t
    where ${isTheirs('t', writer)} and ${among} and ${isWithin(scope, sql`t."categoryId"`)}
    order by t.id desc limit ${WRITER_THREADS}`.execute(db)
  return idsIn(rows)
}

export interface WriterCaseRow {
  readonly threadId: string
  readonly postId: string
  readonly number: number
  readonly title: string
  readonly status: 'open' | 'closed'
  readonly reports: number
  readonly decision: string | null
  readonly createdAt: Date
}

/** Cases about the writer's posts there, the most recently opened first. */
export async function selectWriterCases(db: Db, writer: Writer, scope: Scope): Promise<WriterCaseRow[]> {
  const { rows } = await sql<WriterCaseRow>`
    select c."threadId", c."postId", c.number, t.title, c.status, c.reports, c.decision, c."createdAt"
    from ${roomsOf(writer)} as room
    join cases as c on c."threadId" = room."threadId"
    join posts as p on p."threadId" = c."threadId" and p.number = c.number
    join threads as t on t.id = c."threadId"
    where ${isTheirs('p', writer)} and ${isWithin(scope, sql`t."categoryId"`)}
    order by c."createdAt" desc, c."postId" desc limit ${WRITER_CASES}`.execute(db)
  return rows
}
