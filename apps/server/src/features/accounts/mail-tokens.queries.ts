/**
 * Tokens of mailed links. They are stored hashed, so that the table does not reveal a working link.
 */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { MailTokensTable } from '../../db/tables.ts'
import { createToken, hashToken } from '../../lib/secret-token.ts'

type Purpose = MailTokensTable['purpose']

export interface MailToken {
  readonly userId: string
  /** The address the link was sent to. */
  readonly email: string
}

/** Creates a token. @returns the plain token for the link */
export async function insertMailToken(
  db: Db,
  {
    purpose,
    minutes,
    at,
    ...owner
  }: MailToken & { readonly purpose: Purpose; readonly minutes: number; readonly at: Date },
): Promise<string> {
  const token = createToken()
  const expiresAt = new Date(at.getTime() + minutes * 60_000)
  await db
    .insertInto('mailTokens')
    .values({ ...owner, tokenHash: hashToken(token), purpose, expiresAt })
    .execute()
  return token
}

/** A token that has not expired. */
export const selectMailToken = (db: Db, purpose: Purpose, token: string, at: Date): Promise<MailToken | undefined> =>
  db
    .selectFrom('mailTokens')
    .select(['userId', 'email'])
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', at)
    .executeTakeFirst()

/** Consumes a token: of concurrent calls, one gets true. */
export async function takeMailToken(db: Db, purpose: Purpose, token: string, at: Date): Promise<boolean> {
  const row = await db
    .deleteFrom('mailTokens')
    .where('tokenHash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', at)
    .returning('userId')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the tokens of links mailed to a user: all, or those of a purpose. */
export async function deleteMailTokens(db: Db, userId: string, purpose?: Purpose): Promise<void> {
  let query = db.deleteFrom('mailTokens').where('userId', '=', userId)
  if (purpose !== undefined) query = query.where('purpose', '=', purpose)
  await query.execute()
}

/** Deletes some expired tokens. @returns how many */
export async function deleteExpiredTokens(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "mailTokens" where "tokenHash" = any(array(
      select "tokenHash" from "mailTokens" where "expiresAt" <= ${at}::timestamptz order by "expiresAt" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}
