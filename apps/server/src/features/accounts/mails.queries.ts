/** The queue of mails. */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { MailProblem, MailsTable } from '../../db/tables.ts'

export interface NewMail {
  readonly id: string
  readonly purpose: MailsTable['purpose']
  readonly tokenHash: string
  readonly sealedToken: string
  readonly at: Date
}

export async function insertMail(tx: Db, { at, ...mail }: NewMail): Promise<void> {
  await tx
    .insertInto('mails')
    .values({ ...mail, nextTryAt: at, createdAt: at })
    .execute()
}

/**
 * Deletes unsent mails that a newer one replaces. Their tokens stay valid, as an attempt may have
 * succeeded without our knowing.
 */
export async function deleteReplacedMails(tx: Db, userId: string, purpose: MailsTable['purpose']): Promise<void> {
  const tokens = tx
    .selectFrom('mailTokens')
    .select('tokenHash')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
  await tx.deleteFrom('mails').where('tokenHash', 'in', tokens).execute()
}

/** A mail whose next attempt has begun. */
export interface ClaimedMail {
  readonly id: string
  readonly purpose: MailsTable['purpose']
  readonly sealedToken: string
  /** Including this one. */
  readonly tries: number
  readonly email: string
  /** Expiry of its link. */
  readonly expiresAt: Date
}

/**
 * Begins an attempt: of the mail that has been due for longest, or of a given one if it is due.
 * Links to a new password come first: their readers wait, and a stranger cannot queue many. Only
 * one of several processes gets a mail. The same statement schedules the next attempt, so that no
 * mail is lost if this process is killed.
 * @param pauses minutes after the first, second, … attempt; the last one applies to all later ones
 */
export async function claimMail(
  db: Db,
  { at, pauses, id = null }: { readonly at: Date; readonly pauses: readonly number[]; readonly id?: string | null },
): Promise<ClaimedMail | undefined> {
  const minutes = sql`(${`{${pauses.join(',')}}`}::text::integer[])[least(tries + 1, ${pauses.length}::integer)]`
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id, ${at}::timestamptz + ${minutes} * interval '1 minute' as again
      from mails where "nextTryAt" <= ${at}::timestamptz and (${id}::uuid is null or id = ${id}::uuid)
      order by purpose = 'reset' desc, "nextTryAt", id limit 1 for update skip locked
    )
    update mails as m set tries = m.tries + 1, "nextTryAt" = due.again
    from due, "mailTokens" as t where m.id = due.id and t."tokenHash" = m."tokenHash"
    returning m.id, m.purpose, m."sealedToken", m.tries, t.email, t."expiresAt"`.execute(db)
  return rows[0]
}

/** Deletes a mail that was sent. */
export const deleteMail = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('mails').where('id', '=', id).execute()

/** Undoes a claim whose attempt was stopped: the mail is due again at once. */
export async function releaseMail(db: Db, id: string, at: Date): Promise<void> {
  await sql`
    update mails set tries = tries - 1, "nextTryAt" = ${at}::timestamptz
    where id = ${id}::uuid and "nextTryAt" is not null`.execute(db)
}

/**
 * What remains of a mail that is given up: no token, and so no address. The token itself expires.
 */
const givenUp = (problem: MailProblem, at: Date) =>
  ({ nextTryAt: null, givenUpAt: at, problem, tokenHash: null, sealedToken: null }) as const

/** False when the mail no longer exists. */
export async function giveUpMail(db: Db, id: string, problem: MailProblem, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('mails')
    .set(givenUp(problem, at))
    .where('id', '=', id)
    .where('givenUpAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** A mail that was given up, with what the log shows. */
export interface GivenUpMail {
  readonly id: string
  readonly purpose: MailsTable['purpose']
  readonly tries: number
}

/** Gives up some mails whose links have expired, before their tokens are deleted. */
export function giveUpExpiredMails(db: Db, at: Date, limit: number): Promise<GivenUpMail[]> {
  const expired = db
    .selectFrom('mailTokens as t')
    .innerJoin('mails as m', 'm.tokenHash', 't.tokenHash')
    .select('m.id')
    .where('t.expiresAt', '<=', at)
    .limit(limit)
  return db
    .updateTable('mails')
    .set(givenUp('expired', at))
    .where('id', 'in', expired)
    .returning(['id', 'purpose', 'tries'])
    .execute()
}

/**
 * How many wait, and how many were given up lately. The table is small, as rows are deleted after
 * some days.
 */
export async function countMails(db: Db): Promise<{ waiting: number; givenUp: number }> {
  const { rows } = await sql<{ waiting: number; givenUp: number }>`
    select (count(*) filter (where "givenUpAt" is null))::integer as waiting,
      (count(*) filter (where "givenUpAt" is not null))::integer as "givenUp"
    from mails`.execute(db)
  return rows[0]!
}

export const deleteGivenUpMails = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('mails').where('givenUpAt', '<', before).execute()
