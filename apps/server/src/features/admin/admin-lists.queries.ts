/**
 * Paged lists for administrators and moderators. Lists of the whole board find their page by the
 * tallies (db/tallies.ts).
 */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { ADMIN_SCOPED_POSTS, ADMIN_SCOPED_THREADS } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import type { PostsTable, ThreadsTable, UsersTable } from '../../db/tables.ts'
import { selectPage, type NumberedPage } from '../../db/tallies.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import type { Scope } from '@shinobi/contract/permissions'
import { foldName } from '../../lib/fold.ts'
import { foldEmail } from '../accounts/users.queries.ts'

export interface WantedPage {
  readonly page: number
  readonly limit: number
}

export type AdminUserRow = Omit<Selectable<UsersTable>, 'passwordHash' | 'emailKey' | 'googleSubject'> & {
  readonly moderator: string | null
  readonly categoryIds: string[] | null
  readonly secondFactorAt: Date | null
  /** Banned from the whole board. */
  readonly banned: boolean
}

export type AdminThreadRow = Selectable<ThreadsTable> & {
  readonly category: string
  readonly categoryPostLimit: number | null
  readonly creator: string | null
}

export type AdminPostRow = Selectable<PostsTable> & {
  readonly title: string
  readonly writer: string | null
}

/** Users of these ids, the newest first. */
export const selectAdminUsers = (db: Db, ids: readonly string[], at: Date): Promise<AdminUserRow[]> =>
  db
    .selectFrom('users as u')
    .leftJoin('moderators as m', 'm.userId', 'u.id')
    .leftJoin('secondFactors as f', 'f.userId', 'u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.emailVerifiedAt', 'u.picture', 'u.isAdmin', 'u.createdAt'])
    .select(['m.userId as moderator', 'm.categoryIds', 'f.confirmedAt as secondFactorAt'])
    .select(
      sql<boolean>`exists (
        select from bans as b where b.kind = 'user' and b.subject = u.id::text and b.scope = 'site'
          and b."liftedAt" is null and (b."expiresAt" is null or b."expiresAt" > ${at}::timestamptz))`.as('banned'),
    )
    .where('u.id', 'in', idsOf(ids))
    .orderBy('u.id', 'desc')
    .execute()

/** Members whose name or mail address begins with this text, by id, the newest first. */
export async function findBeginning(db: Db, beginning: string, limit: number): Promise<string[]> {
  // Compared by bytes, as in the indexes; U+10FFFF is the upper bound, as no character sorts after
  // it.
  const range = (column: string, start: string): RawBuilder<boolean> => sql<boolean>`
    ${sql.ref(column)} ~>=~ ${start}::text and ${sql.ref(column)} ~<~ ${`${start}\u{10FFFF}`}::text`
  const { rows } = await sql<{ id: string }>`
    select id from (
      (select "userId" as id from "userNames" where ${range('name', foldName(beginning))} and "releasedAt" is null limit ${limit})
      union
      (select id from users where ${range('emailKey', foldEmail(beginning.trim()))} limit ${limit})
    ) as found order by id desc limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Threads of these ids, the newest first. */
export const selectAdminThreads = (db: Db, ids: readonly string[]): Promise<AdminThreadRow[]> =>
  db
    .selectFrom('threads as t')
    .innerJoin('categories as c', 'c.id', 't.categoryId')
    .leftJoin('users as u', 'u.id', 't.userId')
    .selectAll('t')
    .select(['c.name as category', 'c.postLimit as categoryPostLimit', 'u.name as creator'])
    .where('t.id', 'in', idsOf(ids))
    .orderBy('t.id', 'desc')
    .execute()

/** Posts of these ids, the newest first. */
export const selectAdminPosts = (db: Db, ids: readonly string[]): Promise<AdminPostRow[]> =>
  db
    .selectFrom('posts as p')
    .innerJoin('threads as t', 't.id', 'p.threadId')
    .leftJoin('users as u', 'u.id', 'p.userId')
    .selectAll('p')
    .select(['t.title', 'u.name as writer'])
    .where('p.id', 'in', idsOf(ids))
    .orderBy('p.id', 'desc')
    .execute()

export const selectThreadsPage = (db: Db, scope: Scope, wanted: WantedPage): Promise<NumberedPage> =>
  scope === 'all' ? selectPage(db, 'threads', wanted) : selectScopedThreads(db, scope, wanted)

export const selectPostsPage = (db: Db, scope: Scope, wanted: WantedPage): Promise<NumberedPage> =>
  scope === 'all' ? selectPage(db, 'posts', wanted) : selectScopedPosts(db, scope, wanted)

/**
 * The newest threads of some categories: each category is read from its own index range, and the
 * results are merged.
 */
async function selectScopedThreads(db: Db, scope: readonly string[], wanted: WantedPage): Promise<NumberedPage> {
  const ofEach = scope.map(
    (categoryId) => sql`
      (select id from threads where "categoryId" = ${categoryId}::uuid and ${isThreadVisible()}
       order by id desc limit ${ADMIN_SCOPED_THREADS})`,
  )
  return cutPage(
    db,
    sql`select id from (${sql.join(ofEach, sql` union all `)}) as theirs order by id desc limit ${ADMIN_SCOPED_THREADS}`,
    wanted,
  )
}

/**
 * Posts of some categories among the newest of the board: no index covers both, and the limit keeps
 * a category without recent posts from scanning all posts.
 */
const selectScopedPosts = (db: Db, scope: readonly string[], wanted: WantedPage): Promise<NumberedPage> =>
  // Their threads are few, and are looked up by id: a join would read all threads of the
  // categories.
  cutPage(
    db,
    sql`
      with newest as materialized (
        select id, "threadId", "deletedAt" from posts order by id desc limit ${ADMIN_SCOPED_POSTS}
      ), theirs as materialized (
        select id from threads
        where id = any(array(select distinct "threadId" from newest)) and ${isThreadVisible()} and "categoryId" in ${idsOf(scope)}
      )
      select p.id from newest as p join theirs as t on t.id = p."threadId" where ${isPostVisible('p')}`,
    wanted,
  )

/** A page of a list that is short enough to be materialised. */
async function cutPage(db: Db, list: RawBuilder<unknown>, { page, limit }: WantedPage): Promise<NumberedPage> {
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with list as materialized (${list})
    select (select count(*) from list)::integer as total, coalesce((
      select json_agg(id order by id desc)
      from (select id from list order by id desc limit ${limit} offset ${(page - 1) * limit}::bigint) as cut
    ), '[]') as ids`.execute(db)
  return rows[0]!
}
