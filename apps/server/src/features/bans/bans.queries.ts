import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { isWithin } from '../../db/ids.ts'
import type { BansTable } from '../../db/tables.ts'
import { rankOf, type Scope } from '@shinobi/contract/permissions'

/** A ban in force, with the columns that the check needs. */
export interface StandingBan extends Pick<
  Selectable<BansTable>,
  'kind' | 'scope' | 'scopeId' | 'reason' | 'expiresAt'
> {
  readonly subjects: readonly string[]
}

/** A ban of a network contains several hashes: one for each day on which its writer posted. */
const SEPARATOR = ' '
const joinSubjects = (subjects: readonly string[]): string => subjects.join(SEPARATOR)
const splitSubjects = (subject: string): string[] => (subject === '' ? [] : subject.split(SEPARATOR))

export async function selectStanding(db: Db, at: Date): Promise<StandingBan[]> {
  const rows = await db
    .selectFrom('bans')
    .select(['kind', 'subject', 'scope', 'scopeId', 'reason', 'expiresAt'])
    .where('liftedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', at)]))
    .execute()
  return rows.map(({ subject, ...ban }) => ({ ...ban, subjects: splitSubjects(subject) }))
}

/** A ban with the names of its ids. */
export interface BanRow extends Omit<Selectable<BansTable>, 'subject' | 'userId' | 'createdBy'> {
  readonly scopeLabel: string | null
  readonly createdBy: string | null
  /**
   * The category of the ban or of its thread; null for the whole board, or when the thread is gone.
   */
  readonly categoryId: string | null
}

/**
 * The threads of bans. In a cluster they are read by id, as a join would make it read all its
 * threads.
 */
const threadsOfBans = (db: Db, isSpread: boolean) => {
  const threads = db.selectFrom('threads').selectAll()
  const ids = sql<string>`(select "scopeId" from bans where scope = 'thread' and "scopeId" is not null)`
  return isSpread ? threads.where('id', 'in', ids) : threads
}

const namedBans = (db: Db, isSpread: boolean) =>
  db
    .selectFrom('bans as b')
    .leftJoin('users as u', 'u.id', 'b.createdBy')
    .leftJoin(threadsOfBans(db, isSpread).as('t'), (join) =>
      join.onRef('t.id', '=', 'b.scopeId').on('b.scope', '=', 'thread'),
    )
    .leftJoin('categories as c', (join) => join.onRef('c.id', '=', 'b.scopeId').on('b.scope', '=', 'category'))
    .select(['b.id', 'b.kind', 'b.label', 'b.scope', 'b.scopeId', 'b.reason', 'b.note'])
    .select(['b.createdAt', 'b.expiresAt', 'b.liftedAt', 'u.name as createdBy'])
    .select((eb) => [
      eb.fn.coalesce('t.title', 'c.name').as('scopeLabel'),
      eb.fn.coalesce('t.categoryId', 'c.id').as('categoryId'),
    ])

/** Neither lifted nor over. */
const isStanding = (at: Date) =>
  sql<boolean>`b."liftedAt" is null and (b."expiresAt" is null or b."expiresAt" > ${at}::timestamptz)`

export interface BanListing {
  readonly standing: boolean
  /** Categories whose bans are listed, including those of their threads; all bans for 'all'. */
  readonly scope: Scope
  readonly cursor: string | null
  readonly limit: number
  readonly at: Date
}

/** Bans, newest first, after the cursor. */
export async function selectBans(db: Db, { standing, scope, cursor, limit, at }: BanListing): Promise<BanRow[]> {
  let query = namedBans(db, await isDistributed(db))
    .orderBy('b.id', 'desc')
    .limit(limit)
  if (cursor !== null) query = query.where('b.id', '<', cursor)
  if (standing) query = query.where(isStanding(at))
  return query.where(isWithin(scope, sql`coalesce(t."categoryId", c.id)`)).execute()
}

export const selectBansById = async (db: Db, ids: readonly string[]): Promise<BanRow[]> =>
  namedBans(db, await isDistributed(db))
    .where('b.id', 'in', ids)
    .orderBy('b.id')
    .execute()

/** Maximum bans of a writer in a list. */
const BANS_AGAINST = 20

/**
 * Bans of a member of all kinds, or of a browser; those that apply in some categories, or
 * everywhere for 'all'; newest first.
 * @param standingAt only those in force then; null for ended ones too
 */
export const selectBansAgainst = async (
  db: Db,
  { userId, visitorId }: { readonly userId: string | null; readonly visitorId: string | null },
  scope: Scope,
  standingAt: Date | null,
): Promise<BanRow[]> =>
  namedBans(db, await isDistributed(db))
    .where(
      userId !== null
        ? sql<boolean>`b."userId" = ${userId}::uuid`
        : sql<boolean>`(b.kind = 'visitor' and b.subject = ${visitorId})`,
    )
    .where(isWithin(scope, sql`coalesce(t."categoryId", c.id)`))
    .where(standingAt === null ? sql<boolean>`true` : isStanding(standingAt))
    .orderBy('b.id', 'desc')
    .limit(BANS_AGAINST)
    .execute()

export interface NewBan {
  readonly id: string
  readonly kind: BansTable['kind']
  readonly subjects: readonly string[]
  readonly userId: string | null
  readonly label: string
  readonly scope: BansTable['scope']
  readonly scopeId: string | null
  readonly reason: string
  readonly note: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export async function insertBans(tx: Db, bans: readonly NewBan[]): Promise<void> {
  await tx
    .insertInto('bans')
    .values(bans.map(({ subjects, ...ban }) => ({ ...ban, subject: joinSubjects(subjects) })))
    .execute()
}

/**
 * Removes the name of a deleted member from the bans aimed at them. @param labels the replacements
 */
export async function forgetBannedName(
  db: Db,
  userId: string,
  labels: Readonly<Record<BansTable['kind'], string>>,
): Promise<void> {
  await sql`
    update bans set "userId" = null,
      label = case kind when 'user' then ${labels.user}::text when 'visitor' then ${labels.visitor}::text else ${labels.network}::text end
    where "userId" = ${userId}::uuid`.execute(db)
}

/** Whether one of these bans is aimed at a member: at the account, or at its browser or network. */
export async function isAnyAimedAt(db: Db, ids: readonly string[], userId: string): Promise<boolean> {
  if (ids.length === 0) return false
  const aimed = await db
    .selectFrom('bans')
    .select('id')
    .where('id', 'in', ids)
    .where('userId', '=', userId)
    .limit(1)
    .execute()
  return aimed.length > 0
}

/** Lifts bans. @returns the ids of those that were in force until then */
export async function markLifted(tx: Db, ids: readonly string[], at: Date): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('bans as b')
    .set({ liftedAt: at })
    .where('b.id', 'in', ids)
    .where(isStanding(at))
    .returning('b.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A possible target of a ban. */
export interface TargetRow {
  /** The member; null for an anonymous visitor. */
  readonly userId: string | null
  readonly name: string | null
  /** As computed by `rankOf`; 0 for an anonymous visitor. */
  readonly rank: number
  /** The browser; null for a member named by id. */
  readonly visitorId: string | null
  /** The thread of the post that names the target. */
  readonly threadId: string | null
  readonly categoryId: string | null
}

/** The writer of a post, even of a removed one. */
export async function selectWriterTarget(db: Db, threadId: string, postId: string): Promise<TargetRow | undefined> {
  const row = await db
    .selectFrom('posts as p')
    .innerJoin('threads as t', 't.id', 'p.threadId')
    .select(['p.userId', 'p.visitorId', 'p.threadId', 't.categoryId'])
    .where('p.threadId', '=', threadId)
    .where('p.id', '=', postId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const member = row.userId === null ? undefined : await selectMemberTarget(db, row.userId)
  const { visitorId, categoryId } = row
  return { userId: null, name: null, rank: 0, ...member, visitorId, threadId, categoryId }
}

export async function selectMemberTarget(db: Db, userId: string): Promise<TargetRow | undefined> {
  const row = await db
    .selectFrom('users as u')
    .leftJoin('moderators as m', 'm.userId', 'u.id')
    .select(['u.name', 'u.email', 'u.isAdmin', 'm.userId as moderator', 'm.categoryIds'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { name, moderator, categoryIds, ...role } = row
  const rank = rankOf({ ...role, moderates: moderator === null ? null : (categoryIds ?? 'all') })
  return { userId, name, rank, visitorId: null, threadId: null, categoryId: null }
}

/** The category of a thread, even of a removed one; null when there is none. */
export async function selectThreadCategory(db: Db, threadId: string): Promise<string | null> {
  const row = await db.selectFrom('threads').select('categoryId').where('id', '=', threadId).executeTakeFirst()
  return row?.categoryId ?? null
}

/**
 * Maximum networks of a target: a moving phone changes them by the hour, and a ban must not grow to
 * a whole country.
 */
const NETWORKS_MAX = 50

/** Hashes of the networks from which a writer posted lately, the newest first. */
export async function selectNetworks(db: Db, actor: string, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('origins')
    .select('hash')
    .where('actor', '=', actor)
    .where('seenAt', '>=', since)
    .orderBy('seenAt', 'desc')
    .orderBy('hash')
    .limit(NETWORKS_MAX)
    .execute()
  return rows.map(({ hash }) => hash)
}

/** How many members and visitors posted lately from any of these networks, each counted once. */
export async function countActors(db: Db, hashes: readonly string[], since: Date): Promise<number> {
  if (hashes.length === 0) return 0
  const row = await db
    .selectFrom('origins')
    .select(sql<number>`count(distinct actor)::integer`.as('actors'))
    .where('hash', 'in', hashes)
    .where('seenAt', '>=', since)
    .executeTakeFirstOrThrow()
  return row.actors
}

export interface Origin {
  readonly actor: string
  readonly hash: string
  readonly at: number
}

/** Stores networks of writers. Sorted by key, so that two servers cannot deadlock. */
export async function insertOrigins(db: Db, origins: readonly Origin[]): Promise<void> {
  const input = JSON.stringify(origins.map(({ at, ...origin }) => ({ ...origin, seenAt: new Date(at).toISOString() })))
  await sql`
    insert into origins (actor, hash, "seenAt")
    select actor, hash, max("seenAt") from json_to_recordset(${input}::text::json)
      as seen(actor uuid, hash text, "seenAt" timestamptz)
    group by actor, hash order by actor, hash
    on conflict do nothing`.execute(db)
}

/** Rows that a sweep deletes in one statement: a small step does not block writers. */
const SWEEP_STEP = 5_000

/** @param step for tests */
export async function deleteOrigins(db: Db, before: Date, step = SWEEP_STEP): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from origins where (actor, hash) in (
          select actor, hash from origins where "seenAt" < ${before}::timestamptz limit ${step}
        ) returning actor
      ) select count(*)::integer as deleted from gone`.execute(db)
    if (rows[0]!.deleted < step) return
  }
}

/** When a ban ended or will end; null if it has no end. The expression must match its indexes. */
const endOfBan = sql<Date | null>`least("liftedAt", "expiresAt")`

/**
 * Removes the hashes from bans of networks that ended before: they are not needed any more, and
 * must not be compared later.
 */
export async function forgetNetworks(db: Db, endedBefore: Date): Promise<void> {
  await sql`
    update bans set subject = ''
    where kind = 'network' and subject <> '' and ${endOfBan} < ${endedBefore}::timestamptz`.execute(db)
}

/** Deletes some bans that ended before a time. Their log entries stay. @returns how many */
export async function deleteEndedBans(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from bans where id = any(array(
      select id from bans where ${endOfBan} < ${endedBefore}::timestamptz
      order by ${endOfBan} limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/** The bans from a category that have not ended. */
const standsIn = (categoryId: string, at: Date): RawBuilder<boolean> => sql`
  scope = 'category' and "scopeId" = ${categoryId}::uuid
    and (${endOfBan} is null or ${endOfBan} > ${at}::timestamptz)`

/** Ends the bans from a category that is deleted. @returns their ids */
export async function endBansOfCategory(tx: Db, categoryId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update bans set "liftedAt" = ${at}::timestamptz where ${standsIn(categoryId, at)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Bans from a category apply to the one that its threads moved to. @returns their ids */
export async function moveBansOfCategory(tx: Db, from: string, to: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update bans set "scopeId" = ${to}::uuid where ${standsIn(from, at)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
