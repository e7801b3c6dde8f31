import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

export interface SecondFactorRow {
  readonly sealedSecret: string
  /** Null until a first code has confirmed it: until then log-ins do not require it. */
  readonly confirmedAt: Date | null
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number
}

export const selectSecondFactor = (db: Db, userId: string): Promise<SecondFactorRow | undefined> =>
  db
    .selectFrom('secondFactors')
    .select(['sealedSecret', 'confirmedAt'])
    .select(sql<number>`jsonb_array_length("recoveryHashes")`.as('recoveryCodes'))
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Replaces a secret that was never confirmed. False when there is a confirmed one. */
export async function insertSecret(db: Db, userId: string, sealedSecret: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into "secondFactors" as had ("userId", "sealedSecret", "createdAt") values (${userId}, ${sealedSecret}, ${at})
    on conflict ("userId") do update set "sealedSecret" = excluded."sealedSecret", "createdAt" = excluded."createdAt"
    where had."confirmedAt" is null
    returning "userId"`.execute(db)
  return rows.length > 0
}

export interface Confirmation {
  readonly userId: string
  /** The secret whose code was given; a concurrent request may have replaced it. */
  readonly sealedSecret: string
  readonly step: number
  readonly recoveryHashes: readonly string[]
  readonly at: Date
}

/** Makes log-ins require it. False when it was confirmed before, or was replaced meanwhile. */
export async function confirmSecret(tx: Db, confirmation: Confirmation): Promise<boolean> {
  const { userId, sealedSecret, step, recoveryHashes, at } = confirmation
  const { rows } = await sql`
    update "secondFactors" set "confirmedAt" = ${at}::timestamptz, "lastStep" = ${step}::bigint,
      "recoveryHashes" = ${JSON.stringify(recoveryHashes)}::text::jsonb
    where "userId" = ${userId}::uuid and "sealedSecret" = ${sealedSecret}::text and "confirmedAt" is null
    returning "userId"`.execute(tx)
  return rows.length > 0
}

/**
 * Consumes a time step, and all before it. False when it was used before: of two requests with the
 * same code, one gets false.
 */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update "secondFactors" set "lastStep" = ${step}::bigint
    where "userId" = ${userId}::uuid and "lastStep" < ${step}::bigint returning "userId"`.execute(db)
  return rows.length > 0
}

/** Consumes a recovery code. False when there is none with this hash. */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { rows } = await sql`
    update "secondFactors" set "recoveryHashes" = "recoveryHashes" - ${hash}::text
    where "userId" = ${userId}::uuid and jsonb_exists("recoveryHashes", ${hash}::text) returning "userId"`.execute(db)
  return rows.length > 0
}

/** @returns whether there was one */
export async function deleteSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db.deleteFrom('secondFactors').where('userId', '=', userId).returning('userId').executeTakeFirst()
  return row !== undefined
}
