import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import type { PostsTable, ThreadsTable } from '../../db/tables.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { PAGE_TEXT_MAX } from '../../lib/page.ts'
import { isThreadThere } from '../posts/posts.queries.ts'
import { listedThreads } from '../threads/thread-heads.ts'

/** What the dat of a thread shows of the thread itself. */
export type DatThread = Pick<
  Selectable<ThreadsTable>,
  'id' | 'categoryId' | 'title' | 'postCount' | 'revision' | 'aiGenerated' | 'summary' | 'sourceSite' | 'sourceUrl'
>

const THREAD_COLUMNS = [
  ...(['id', 'categoryId', 'title', 'postCount', 'revision', 'aiGenerated', 'summary'] as const),
  ...(['sourceSite', 'sourceUrl'] as const),
] as const

/** A visible thread; undefined for any other. */
export const selectDatThread = (db: Db, threadId: string): Promise<DatThread | undefined> =>
  db.selectFrom('threads').select(THREAD_COLUMNS).where('id', '=', threadId).where(isThreadVisible()).executeTakeFirst()

/** What the log of a thread shows besides. */
export type LoggedThread = DatThread & {
  readonly category: string
  readonly createdAt: Date
  readonly closedAt: Date | null
}

const selectLogged = (db: Db) =>
  db
    .selectFrom('threads')
    .innerJoin('categories', 'categories.id', 'threads.categoryId')
    .select(THREAD_COLUMNS.map((column) => `threads.${column}` as const))
    .select(['categories.name as category', 'threads.createdAt', 'threads.closedAt'])
    .where(isThreadVisible('threads'))

/** A visible thread with the name of its category; undefined for any other. */
export const selectLoggedThread = (db: Db, threadId: string): Promise<LoggedThread | undefined> =>
  selectLogged(db).where('threads.id', '=', threadId).executeTakeFirst()

/**
 * Visible threads of a category by age.
 * @param after the thread before the first one; null for none
 */
export const selectLoggedThreads = (
  db: Db,
  { categoryId, after, limit }: { readonly categoryId: string; readonly after: string | null; readonly limit: number },
): Promise<LoggedThread[]> =>
  selectLogged(db)
    .where('threads.categoryId', '=', categoryId)
    .$if(after !== null, (query) => query.where('threads.id', '>', after!))
    .orderBy('threads.id')
    .limit(limit)
    .execute()

/** Threads in one subject.txt. */
const SUBJECTS_MAX = 1_000

/** The visible threads of a category that were lifted last. */
export async function selectSubjects(db: Db, categoryId: string): Promise<DatThread[]> {
  const { table } = await listedThreads(db)
  const { rows } = await sql<DatThread>`
    select ${sql.join(THREAD_COLUMNS.map((column) => sql.ref(column)))} from ${table}
    where "categoryId" = ${categoryId}::uuid and ${isThreadVisible()}
    order by "rankedPostAt" desc, id desc limit ${SUBJECTS_MAX}`.execute(db)
  return rows
}

const POST_COLUMNS = [
  ...(['number', 'name', 'trip', 'asStaff', 'sage', 'mail', 'createdAt', 'posterId', 'content', 'image'] as const),
  ...(['plainLinks', 'deletedAt'] as const),
] as const

/** What the line of a post shows. A removed post keeps its content until it is purged. */
export type DatPostRow = Pick<Selectable<PostsTable>, (typeof POST_COLUMNS)[number]>

/** The posts behind a number, up to another one. */
export const selectDatPosts = (db: Db, threadId: string, after: number, through: number): Promise<DatPostRow[]> =>
  db
    .selectFrom('posts')
    .select(POST_COLUMNS)
    .where('threadId', '=', threadId)
    .where('number', '>', after)
    .where('number', '<=', through)
    .orderBy('number')
    .execute()

/** Posts that are read at a time for a log. */
const LOG_POSTS = 200

/**
 * The next posts behind a number for a log, up to another one: as many as have PAGE_TEXT_MAX
 * together, and one at least. None once the thread is removed.
 */
export async function selectLogPosts(db: Db, threadId: string, after: number, through: number): Promise<DatPostRow[]> {
  const columns = sql.join(POST_COLUMNS.map((column) => sql.ref(column)))
  const { rows } = await sql<DatPostRow>`
    select ${columns} from (
      select *, sum(octet_length(content)) over (order by number) as bytes from (
        select ${columns} from posts
        where "threadId" = ${threadId}::uuid and ${isThreadThere(threadId)}
          and number > ${after} and number <= ${through}
        order by number limit ${LOG_POSTS}
      ) as asked
    ) as page
    where bytes - octet_length(content) <= ${PAGE_TEXT_MAX} order by number`.execute(db)
  return rows
}

/** What a log will have of a thread. */
export interface LogExtent {
  /** Of the texts of its posts. */
  readonly bytes: number
  readonly lastPostAt: Date | null
}

export async function selectLogExtent(db: Db, threadId: string, through: number): Promise<LogExtent> {
  const { rows } = await sql<LogExtent>`
    select coalesce(sum(octet_length(content)), 0)::float8 as bytes, max("createdAt") as "lastPostAt" from posts
    where "threadId" = ${threadId}::uuid and number <= ${through}`.execute(db)
  return rows[0]!
}

/** The fixed lengths of the lines of a thread, from post 1 on; as many as were ever sent. */
export async function selectDatLengths(db: Db, threadId: string): Promise<number[]> {
  const row = await db.selectFrom('datLengths').select('bytes').where('threadId', '=', threadId).executeTakeFirst()
  return row?.bytes ?? []
}

/**
 * Fixes the lengths of lines that have none yet.
 * @param bytes of all lines, from post 1 on
 * @returns the lengths that hold: another server may have fixed some meanwhile
 */
export async function fixDatLengths(db: Db, threadId: string, bytes: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ bytes: number[] }>`
    insert into "datLengths" as d ("threadId", bytes) values (${threadId}::uuid, ${bytes}::integer[])
    on conflict ("threadId") do update set bytes = d.bytes || excluded.bytes[cardinality(d.bytes) + 1 :]
    returning bytes`.execute(db)
  return rows[0]!.bytes
}

/** Deletes the lengths of a thread. @returns whether there may be more */
export const deleteDatLengthsOfThread = (db: Db, threadId: string, limit: number): Promise<boolean> =>
  deleteOfThread(db, 'datLengths', threadId, limit)
