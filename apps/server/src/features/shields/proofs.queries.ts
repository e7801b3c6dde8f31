import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** When the proof of work of a visitor ends; undefined without one. */
export async function selectProof(db: Db, visitorId: string): Promise<Date | undefined> {
  const row = await db.selectFrom('proofs').select('provenUntil').where('visitorId', '=', visitorId).executeTakeFirst()
  return row?.provenUntil
}

export async function saveProof(db: Db, visitorId: string, provenUntil: Date): Promise<void> {
  await db
    .insertInto('proofs')
    .values({ visitorId, provenUntil })
    .onConflict((conflict) => conflict.column('visitorId').doUpdateSet({ provenUntil }))
    .execute()
}

/** Takes the proof of a visitor away. @returns whether there was a valid one */
export async function takeProof(db: Db, visitorId: string, at: Date): Promise<boolean> {
  const row = await db
    .deleteFrom('proofs')
    .where('visitorId', '=', visitorId)
    .where('provenUntil', '>', at)
    .returning('visitorId')
    .executeTakeFirst()
  return row !== undefined
}

export async function insertProofCode(db: Db, codeHash: string, endsAt: Date): Promise<void> {
  await db.insertInto('proofCodes').values({ codeHash, endsAt }).execute()
}

/** Takes a code that has not ended. @returns whether there was one */
export async function takeProofCode(db: Db, codeHash: string, at: Date): Promise<boolean> {
  const row = await db
    .deleteFrom('proofCodes')
    .where('codeHash', '=', codeHash)
    .where('endsAt', '>', at)
    .returning('codeHash')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes up to `limit` codes that have ended. @returns how many */
export async function deleteOldProofCodes(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "proofCodes" where "codeHash" = any(array(
      select "codeHash" from "proofCodes" where "endsAt" <= ${at}::timestamptz
      limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/** Deletes up to `limit` expired proofs. @returns how many */
export async function deleteOldProofs(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from proofs where "visitorId" = any(array(
      select "visitorId" from proofs where "provenUntil" <= ${at}::timestamptz
      order by "provenUntil" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}
