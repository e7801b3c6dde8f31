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

/** Deletes up to `limit` expired proofs. @returns how many */
export async function deleteOldProofs(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from proofs where "visitorId" = any(array(
      select "visitorId" from proofs where "provenUntil" <= ${at}::timestamptz
      order by "provenUntil" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}
