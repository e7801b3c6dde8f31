import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { PostsTable } from '../../db/tables.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { PAGE_TEXT_MAX } from '../../lib/page.ts'

/**
 * A post as it is stored, without the columns that identify a browser, which stay in the database,
 * and without those that only logs show.
 */
export type PostRow = Omit<Selectable<PostsTable>, 'visitorId' | 'clientPostId' | 'mail'>

/** A post with the place of its ID in the thread; null for a post without one. */
export type ListedPostRow = PostRow & { readonly posterNth: number | null; readonly posterTotal: number | null }

const columns = [
  'threadId',
  'number',
  'id',
  'name',
  'content',
  'image',
  'userId',
  'createdAt',
  'likes',
  'deletedAt',
  'removedRule',
  'withdrawn',
  'foldedAt',
  'foldReason',
  'asStaff',
  'trip',
  'posterId',
  'sage',
  'plainLinks',
] as const

/** Evaluated once per query: the posts of a removed thread are hidden with it. */
export const isThreadThere = (threadId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from threads where id = ${threadId}::uuid and ${isThreadVisible()})`

export interface PostPage {
  /** In ascending order. */
  readonly posts: readonly ListedPostRow[]
  /** Whether posts with higher numbers follow. */
  readonly hasNext: boolean
}

/** Posts with a higher number, in ascending order. */
export const selectPostsAfter = (db: Db, threadId: string, after: number, limit: number): Promise<ListedPostRow[]> =>
  selectPosts(db, threadId, sql`number > ${after} order by number limit ${limit}`)

/** A page of posts with a higher number: `limit` of them, or fewer long ones. */
export async function selectPageAfter(db: Db, threadId: string, after: number, limit: number): Promise<PostPage> {
  const rows = await selectPosts(db, threadId, sql`number > ${after} order by number limit ${limit + 1}`, 'asc')
  const posts = rows.filter(({ isBeyond }) => !isBeyond).slice(0, limit)
  return { posts, hasNext: rows.length > posts.length }
}

/** A page of the nearest posts with a lower number. */
export async function selectPageBefore(db: Db, threadId: string, before: number, limit: number): Promise<PostPage> {
  const rows = await selectPosts(db, threadId, sql`number < ${before} order by number desc limit ${limit}`, 'desc')
  const posts = rows.filter(({ isBeyond }) => !isBeyond)
  return { posts, hasNext: posts.length > 0 }
}

/**
 * The index of IDs has the numbers of all their posts, so that counting them reads no other row.
 * @param cutFrom the end from which a page is cut after PAGE_TEXT_MAX; the first post that does not
 * fit has `isBeyond`
 */
async function selectPosts(
  db: Db,
  threadId: string,
  which: RawBuilder<unknown>,
  cutFrom: 'asc' | 'desc' | null = null,
): Promise<(ListedPostRow & { readonly isBeyond: boolean })[]> {
  const own = sql`octet_length(content)`
  // Those of the post and of all before it on the page.
  const bytes = cutFrom === null ? sql`0` : sql`sum(${own}) over (order by number ${sql.raw(cutFrom)})`
  const { rows } = await sql<ListedPostRow & { isBeyond: boolean }>`
    with page as materialized (
      select *, (${bytes})::integer as bytes from (
        select ${sql.join(columns.map((column) => sql.ref(column)))} from posts
        where "threadId" = ${threadId}::uuid and ${isThreadThere(threadId)} and ${which}
      ) as asked
    ), spoken as (
      select number, row_number() over (partition by "posterId" order by number)::integer as nth,
        count(*) over (partition by "posterId")::integer as total
      from posts where "threadId" = ${threadId}::uuid and ${isPostVisible()}
        and "posterId" in (select "posterId" from page where "posterId" is not null)
    )
    select page.*, spoken.nth as "posterNth", spoken.total as "posterTotal",
      bytes > greatest(${PAGE_TEXT_MAX}, ${own}) as "isBeyond"
    from page left join spoken on spoken.number = page.number
    where bytes - ${own} <= ${PAGE_TEXT_MAX} order by page.number`.execute(db)
  return rows
}

/** Posts that are read at a time for their anchors. */
const ANCHOR_POSTS = 1_000

/**
 * Of the next posts behind a number those whose text may contain an anchor, and the last one in any
 * case, without removed ones, in ascending order. They are as many as have PAGE_TEXT_MAX together,
 * and one at least.
 */
export async function selectPostsForAnchors(
  db: Db,
  threadId: string,
  after: number,
): Promise<Pick<PostRow, 'number' | 'content'>[]> {
  // A regular expression takes five times as long. The lengths are known without reading the texts.
  const mayHaveAnchor = sql.join(
    ['%>>%', '%＞＞%', '%>＞%', '%＞>%'].map((anchor) => sql`content like ${anchor}`),
    sql` or `,
  )
  const isOnPage = sql`before <= ${PAGE_TEXT_MAX}`
  const { rows } = await sql<Pick<PostRow, 'number' | 'content'>>`
    with asked as materialized (
      select number, content, sum(octet_length(content)) over (order by number) - octet_length(content) as before from (
        select number, content from posts
        where "threadId" = ${threadId}::uuid and ${isThreadThere(threadId)} and ${isPostVisible()} and number > ${after}
        order by number limit ${ANCHOR_POSTS}
      ) as next
    )
    select number, content from asked
    where ${isOnPage} and (number = (select max(number) from asked where ${isOnPage}) or ${mayHaveAnchor})
    order by number`.execute(db)
  return rows
}

/** The post that a client has sent with this id before. */
export const selectPostByClientId = (db: Db, threadId: string, clientPostId: string): Promise<PostRow | undefined> =>
  db
    .selectFrom('posts')
    .select(columns)
    .where('threadId', '=', threadId)
    .where('clientPostId', '=', clientPostId)
    .where(isThreadThere(threadId))
    .executeTakeFirst()

export async function selectNumberOf(db: Db, threadId: string, postId: string): Promise<number | null> {
  const found = db.selectFrom('posts').select('number').where('threadId', '=', threadId).where('id', '=', postId)
  return (await found.executeTakeFirst())?.number ?? null
}

/** Whether anybody else has answered in a thread, whether or not their posts were removed since. */
export async function hasPostOfOthers(
  db: Db,
  threadId: string,
  { userId, visitorId }: { readonly userId: string | null; readonly visitorId: string | null },
): Promise<boolean> {
  const isTheirs =
    userId !== null ? sql`"userId" = ${userId}::uuid` : sql`"visitorId" = ${visitorId}::uuid and "userId" is null`
  const { rows } = await sql`
    select from posts where "threadId" = ${threadId}::uuid and number > 1 and (${isTheirs}) is not true limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Replaces the title and the opening text of a locked thread whose post 1 stands, and raises its
 * revision.
 */
export async function updateOpening(
  tx: Db,
  threadId: string,
  { title, excerpt, content }: { title: string; excerpt: string; content: string },
): Promise<{ postCount: number; revision: number }> {
  const { rows } = await sql<{ postCount: number; revision: number }>`
    with opening as (
      update posts set content = ${content} where "threadId" = ${threadId}::uuid and number = 1 and ${isPostVisible()} returning "threadId"
    )
    update threads set title = ${title}, excerpt = ${excerpt}, revision = revision + 1
    from opening where id = opening."threadId" returning "postCount", revision`.execute(tx)
  return rows[0]!
}
