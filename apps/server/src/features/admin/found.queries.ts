/**
 * Filtered lists of the administration. Each filter has an index to start from, and the others are
 * checked on its rows; at most ADMIN_FOUND rows are collected. Run them through `searches`, which
 * cancels slow statements.
 */
import { sql, type RawBuilder } from 'kysely'
import type { PostState, ThreadState, UserState } from '@shinobi/contract/admin'
import { ADMIN_FOUND, ADMIN_SCOPED_POSTS, WRITER_REACH } from '@shinobi/contract/limits'
import { foldForSearch } from '@shinobi/text/fold'
import type { Db } from '../../db/client.ts'
import { idsOf, isWithin } from '../../db/ids.ts'
import { countBetween } from '../../db/tallies.ts'
import { isPostRemoved, isPostVisible, isThreadRemoved, isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import type { Scope } from '@shinobi/contract/permissions'
import { bucketsFrom, findPostTexts, findThreads, fitsTerms } from '../search/search.queries.ts'
import type { SearchTerms } from '../search/search.terms.ts'
import { findBeginning } from './admin-lists.queries.ts'

/** Milliseconds: from `since` on, and before `until`. */
export interface Period {
  readonly since: number
  readonly until: number
}

export interface TextFilter<State> extends Period {
  readonly scope: Scope
  /** Null for any text. */
  readonly terms: SearchTerms | null
  /** A name folded by `foldName`; null for any writer. */
  readonly writer: string | null
  readonly state: State | undefined
}

/** Ids, newest first. */
export interface Found {
  readonly ids: readonly string[]
  /** There may be more: the limit of found rows, or of rows to scan, was reached. */
  readonly partial: boolean
}

const BEYOND = ADMIN_FOUND + 1

const toFound = (ids: readonly string[], partial = false): Found => ({
  ids: ids.slice(0, ADMIN_FOUND),
  partial: partial || ids.length > ADMIN_FOUND,
})

/** Whether a filter has found as many rows as it may, before the other filters were applied. */
const isFull = (ids: readonly string[] | null): boolean => ids !== null && ids.length >= BEYOND

/** Ids contain the time at which a row was created. */
const isMadeIn = (id: RawBuilder<unknown>, { since, until }: Period): RawBuilder<boolean> =>
  sql<boolean>`(${id} >= ${uuidv7Floor(since)}::uuid and ${id} < ${uuidv7Floor(until)}::uuid)`

const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(conditions, sql` and `)

/** Removed threads are not in the search index, and few are kept: their text is checked here. */
const fitsText = (terms: SearchTerms | null, text: string): boolean => {
  if (terms === null) return true
  const folded = foldForSearch(text)
  return terms.all.every((term) => folded.includes(term)) && !terms.none.some((term) => folded.includes(term))
}

export async function findThreadsBy(db: Db, filter: TextFilter<ThreadState>): Promise<Found> {
  const { scope, terms, state } = filter
  const conditions = [state === 'removed' ? isThreadRemoved('t') : isThreadVisible('t'), isMadeIn(sql`t.id`, filter)]
  if (state === 'locked') conditions.push(sql`t."lockedAt" is not null`)
  if (state === 'pinned') conditions.push(sql`t.pinned is not null`)
  const opened = filter.writer === null ? null : await findOpenedBy(db, filter.writer)
  if (opened !== null) conditions.push(sql`t.id in ${idsOf(opened)}`)
  const isCut = isFull(opened)
  if (state === 'removed') {
    const { rows } = await sql<{ id: string; title: string }>`
      select t.id, t.title from threads as t where ${allOf([...conditions, isWithin(scope, sql`t."categoryId"`)])}
      order by t.id desc limit ${BEYOND}`.execute(db)
    return toFound(
      rows.filter(({ title }) => fitsText(terms, title)).map(({ id }) => id),
      isCut || rows.length > ADMIN_FOUND,
    )
  }
  if (terms !== null) {
    const buckets = bucketsFrom('newest', uuidv7Floor(filter.until))
    const { rows } = await sql<{ id: string }>`
      select t.id from ${await findThreads(db, terms, 'newest', buckets)} join threads as t on t.id = found.id
      where ${allOf([...conditions, isWithin(scope, sql`t."categoryId"`)])}
      order by b.bucket desc, t.id desc limit ${BEYOND}`.execute(db)
    return toFound(
      rows.map(({ id }) => id),
      isCut,
    )
  }
  // Each category from its own index range: no range contains several of them by age.
  const places = scope === 'all' ? [sql`true`] : scope.map((id) => sql`t."categoryId" = ${id}::uuid`)
  const ofEach = places.map(
    (place) =>
      sql`(select t.id from threads as t where ${allOf([...conditions, place])} order by t.id desc limit ${BEYOND})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(ofEach, sql` union all `)}) as theirs order by id desc limit ${BEYOND}`.execute(db)
  return toFound(
    rows.map(({ id }) => id),
    isCut,
  )
}

/** The member who has this name, or had it until lately; null for none. */
async function findMember(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('userNames').select('userId').where('name', '=', name).executeTakeFirst()
  return row?.userId ?? null
}

/** Threads opened under this name. */
async function findOpenedBy(db: Db, name: string): Promise<string[]> {
  const userId = await findMember(db, name)
  const { rows } = await sql<{ id: string }>`
    (select id from threads where "userId" = ${userId}::uuid order by id desc limit ${BEYOND})
    union
    (select t.id from nicknames as n join threads as t on t.id = n."threadId"
     where n.name = ${name} and t."visitorId" = n."visitorId" and t."userId" is null
     order by n."threadId" desc limit ${BEYOND})`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findPostsBy(db: Db, filter: TextFilter<PostState>): Promise<Found> {
  const { terms, state, writer } = filter
  if (state === 'removed') return findRemovedPosts(db, filter)
  if (writer !== null) return findPostsOfName(db, filter, writer)
  const folded = state === 'folded'
  if (folded || terms === null || (await countBetween(db, 'posts', filter.since, filter.until)) <= ADMIN_SCOPED_POSTS)
    return findPostsAmong(db, filter, folded ? sql`"foldedAt" is not null` : sql`true`)
  const { rows } = await sql<{ id: string }>`
    select p.id from ${await findPostTexts(db, terms, uuidv7Floor(filter.until))}
    join posts as p on p."threadId" = found."threadId" and p.number = found.number
    join threads as t on t.id = found."threadId"
    where ${allOf(conditionsOf(filter))}
    order by b.bucket desc limit ${BEYOND}`.execute(db)
  return toFound(newestFirst(rows))
}

const newestFirst = (rows: readonly { readonly id: string }[]): string[] =>
  rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()

/** Conditions on the post `p` in the thread `t`. */
const conditionsOf = (filter: TextFilter<PostState>): RawBuilder<unknown>[] => [
  filter.state === 'removed' ? isPostRemoved('p') : isPostVisible('p'),
  filter.state === 'folded' ? sql`p."foldedAt" is not null` : sql`true`,
  isThreadVisible('t'),
  isWithin(filter.scope, sql`t."categoryId"`),
  isMadeIn(sql`p.id`, filter),
]

/** Joins the text of the post `p`, if it matches the words, where another filter found it. */
const joinText = ({ terms }: TextFilter<PostState>): RawBuilder<unknown> =>
  terms === null
    ? sql``
    : sql`join "searchDocuments" as d on d."threadId" = p."threadId" and d.number = p.number and ${fitsTerms(terms)}`

/**
 * Matching posts among the newest ones of the period.
 * @param which condition of a partial index, if any
 */
async function findPostsAmong(db: Db, filter: TextFilter<PostState>, which: RawBuilder<unknown>): Promise<Found> {
  const { rows } = await sql<{ ids: string[]; looked: number }>`
    with newest as materialized (
      select id, "threadId", number, "deletedAt", "foldedAt" from posts
      where ${which} and ${isMadeIn(sql`id`, filter)} order by id desc limit ${ADMIN_SCOPED_POSTS}
    ), theirs as materialized (
      select id, "removedAt", "categoryId" from threads where id = any(array(select distinct "threadId" from newest))
    )
    select (select count(*) from newest)::integer as looked, coalesce((
      select json_agg(id order by id desc) from (
        select p.id from newest as p join theirs as t on t.id = p."threadId" ${joinText(filter)}
        where ${allOf(conditionsOf(filter))} order by p.id desc limit ${BEYOND}
      ) as fitting
    ), '[]') as ids`.execute(db)
  const { ids, looked } = rows[0]!
  return toFound(ids, looked === ADMIN_SCOPED_POSTS)
}

/** Posts of members and visitors with one name, in the threads in which they posted last. */
async function findPostsOfName(db: Db, filter: TextFilter<PostState>, name: string): Promise<Found> {
  const userId = await findMember(db, name)
  const { rows: places } = await sql<{ threadId: string; userId: string | null; visitorId: string | null }>`
    (select "threadId", "userId", null::uuid as "visitorId" from rooms where "userId" = ${userId}::uuid
     order by "lastPostAt" desc, "threadId" desc limit ${WRITER_REACH})
    union all
    (select "threadId", null::uuid, "visitorId" from nicknames where name = ${name}
     order by "threadId" desc limit ${WRITER_REACH})`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select p.id
    from json_to_recordset(${JSON.stringify(places)}::text::json) as place("threadId" uuid, "userId" uuid, "visitorId" uuid)
    join posts as p on p."threadId" = place."threadId"
      and (p."userId" = place."userId" or (p."visitorId" = place."visitorId" and p."userId" is null))
    join threads as t on t.id = p."threadId" ${joinText(filter)}
    where ${allOf(conditionsOf(filter))}
    order by p.id desc limit ${BEYOND}`.execute(db)
  return toFound(
    rows.map(({ id }) => id),
    places.length >= WRITER_REACH,
  )
}

/** The most recently removed posts that can still be restored. */
async function findRemovedPosts(db: Db, filter: TextFilter<PostState>): Promise<Found> {
  const ofName =
    filter.writer === null
      ? sql`true`
      : sql`(p."userId" = ${await findMember(db, filter.writer)}::uuid or (p."userId" is null and exists (
          select from nicknames as n
          where n."threadId" = p."threadId" and n.name = ${filter.writer} and n."visitorId" = p."visitorId")))`
  const { rows } = await sql<{ id: string; content: string }>`
    select p.id, p.content from posts as p join threads as t on t.id = p."threadId"
    where p.content <> '' and ${allOf([...conditionsOf(filter), ofName])}
    order by p."deletedAt" desc limit ${BEYOND}`.execute(db)
  return toFound(newestFirst(rows.filter(({ content }) => fitsText(filter.terms, content))), rows.length > ADMIN_FOUND)
}

export interface UserFilter extends Period {
  /** Beginning of the name or the mail address; null for any. */
  readonly beginning: string | null
  readonly state: UserState | undefined
}

export async function findUsersBy(db: Db, filter: UserFilter, at: Date): Promise<Found> {
  const conditions = [isMadeIn(sql`u.id`, filter)]
  const begun = filter.beginning === null ? null : await findBeginning(db, filter.beginning, BEYOND)
  if (begun !== null) conditions.push(sql`u.id in ${idsOf(begun)}`)
  if (filter.state === 'admin') conditions.push(sql`u."isAdmin"`)
  if (filter.state === 'moderator') conditions.push(sql`u.id in (select "userId" from moderators)`)
  if (filter.state === 'banned') conditions.push(sql`u.id in ${idsOf(await selectBanned(db, at))}`)
  const { rows } = await sql<{ id: string }>`
    select u.id from users as u where ${allOf(conditions)} order by u.id desc limit ${BEYOND}`.execute(db)
  return toFound(
    rows.map(({ id }) => id),
    isFull(begun),
  )
}

/** Members banned from the whole board, the most recently banned first. */
async function selectBanned(db: Db, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('bans')
    .select('subject')
    .where('kind', '=', 'user')
    .where('scope', '=', 'site')
    .where('liftedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]))
    .orderBy('id', 'desc')
    .limit(ADMIN_SCOPED_POSTS)
    .execute()
  return rows.map(({ subject }) => subject)
}
