import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Member } from '../../http/session.ts'
import { needsSecondFactor, type SecondFactorPolicy } from './second-factor.rules.ts'

/**
 * The member of a session that has neither ended nor expired.
 * @param policy settings that require a second factor
 */
export async function selectMember(
  db: Db,
  sessionId: string,
  at: Date,
  policy: SecondFactorPolicy,
): Promise<Member | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('moderators', 'moderators.userId', 'users.id')
    .leftJoin('secondFactors', 'secondFactors.userId', 'users.id')
    .select(['users.id', 'users.name', 'users.email', 'users.picture', 'users.isAdmin', 'sessions.id as sessionId'])
    .select(['moderators.userId as moderator', 'moderators.categoryIds', 'secondFactors.confirmedAt'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expiresAt', '>', at)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { moderator, categoryIds, confirmedAt, ...user } = row
  const member = { ...user, moderates: moderator === null ? null : (categoryIds ?? ('all' as const)) }
  return { ...member, secondFactorMissing: confirmedAt === null && needsSecondFactor(policy, member) }
}

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly tokenHash: string
  readonly device: string
  readonly at: Date
  readonly expiresAt: Date
  /** The hash that the password was compared with; null after another kind of log-in. */
  readonly passwordHash: string | null
}

/**
 * Inserts a session. False when the user is gone, or the password was changed since it was
 * compared: an action that ends all sessions also ends those that are being opened (the lock
 * serialises the two).
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { id, userId, tokenHash, device, at, expiresAt, passwordHash } = session
  const { rows } = await sql`
    insert into sessions (id, "userId", "tokenHash", device, "createdAt", "lastUsedAt", "expiresAt")
    select ${id}::uuid, users.id, ${tokenHash}::text, ${device}::text,
      ${at}::timestamptz, ${at}::timestamptz, ${expiresAt}::timestamptz
    from users
    where users.id = ${userId}::uuid
      and (${passwordHash}::text is null or users."passwordHash" = ${passwordHash}::text)
    for share
    returning id`.execute(db)
  return rows.length > 0
}

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly tokenHash: string
  readonly previousHash: string | null
  readonly attempt: string | null
}

export const selectSession = (db: Db, id: string, at: Date): Promise<SessionRow | undefined> =>
  db
    .selectFrom('sessions')
    .select(['id', 'userId', 'tokenHash', 'previousHash', 'attempt'])
    .where('id', '=', id)
    .where('expiresAt', '>', at)
    .executeTakeFirst()

export interface Rotation {
  readonly id: string
  /** The presented token: nothing changes unless it is the current one. */
  readonly from: string
  readonly to: string
  readonly attempt: string | null
  readonly at: Date
  readonly expiresAt: Date
}

/**
 * Replaces the current token by the next one. False when another one is current, or the session is
 * gone.
 */
export async function rotateSession(db: Db, { id, from, to, attempt, at, expiresAt }: Rotation): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .set({ tokenHash: to, previousHash: from, attempt, lastUsedAt: at, expiresAt })
    .where('id', '=', id)
    .where('tokenHash', '=', from)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Sessions of a user: one, all (nothing given), or all but one. */
export interface WhichSessions {
  readonly only?: string
  readonly except?: string
}

/** Ends sessions of a user. @returns the ids of those that were open */
export async function deleteSessions(db: Db, userId: string, which: WhichSessions = {}): Promise<string[]> {
  let query = db.deleteFrom('sessions').where('userId', '=', userId)
  if (which.only !== undefined) query = query.where('id', '=', which.only)
  if (which.except !== undefined) query = query.where('id', '!=', which.except)
  const rows = await query.returning('id').execute()
  return rows.map((row) => row.id)
}

/**
 * Maximum sessions of a user: more than anybody has browsers. Beyond it the least recently used one
 * ends, so that the member's list shows all of them, and a program that logs in all day does not
 * fill the table.
 */
const SESSIONS_MAX = 100

/** Ends the sessions of a user beyond the maximum. @returns their ids */
export async function deleteSurplusSessions(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from sessions where id in (
      select id from sessions where "userId" = ${userId}::uuid order by "lastUsedAt" desc, id desc offset ${SESSIONS_MAX}
    ) returning id`.execute(db)
  return rows.map((row) => row.id)
}

/** Ends a session of any user. */
export const deleteSession = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('sessions').where('id', '=', id).execute()

export interface SessionListRow {
  readonly id: string
  readonly device: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

/** More than anybody has browsers; for a program that logs in each time the list ends here. */
const LISTED_MAX = 100

/** Open sessions of a user, the most recently used first. */
export const selectSessions = (db: Db, userId: string, at: Date): Promise<SessionListRow[]> =>
  db
    .selectFrom('sessions')
    .select(['id', 'device', 'createdAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', at)
    .orderBy('lastUsedAt', 'desc')
    .limit(LISTED_MAX)
    .execute()

/** Deletes some expired sessions. @returns how many */
export async function deleteExpiredSessions(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from sessions where id = any(array(
      select id from sessions where "expiresAt" <= ${at}::timestamptz order by "expiresAt" limit ${limit} for update skip locked
    )) returning id`.execute(db)
  return rows.length
}
