/**
 * Names of members, folded by `foldName`: unique among members, and refused as nicknames of others.
 */
import { sql, type RawBuilder } from 'kysely'
import { FORMER_NAME_DAYS } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'

const heldSince = (at: Date): Date => new Date(at.getTime() - FORMER_NAME_DAYS * 86_400_000)

/** SQL: the name of row `names` of userNames is a member's, or was until lately. */
export const isHeld = (names: string, at: Date): RawBuilder<boolean> => {
  const releasedAt = sql.ref(`${names}.releasedAt`)
  return sql<boolean>`(${releasedAt} is null or ${releasedAt} > ${heldSince(at)}::timestamptz)`
}

/** Whether a member has the name. */
export async function isNameHeld(db: Db, name: string, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('userNames')
    .select('userId')
    .where('name', '=', name)
    .where(isHeld('userNames', at))
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes some names that were given up and whose hold has expired. @returns how many */
export async function deleteFormerNames(db: Db, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from "userNames" where name = any(array(
      select name from "userNames" where "releasedAt" <= ${heldSince(at)}::timestamptz
      order by "releasedAt" limit ${limit} for update skip locked
    )) returning 1`.execute(db)
  return rows.length
}

/**
 * Gives a member a free name, or one they had before, and releases the present one. False when
 * another member has it.
 */
export async function takeName(db: Db, userId: string, name: string, at: Date): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    insert into "userNames" as held (name, "userId") values (${name}, ${userId})
    on conflict (name) do update set "userId" = excluded."userId", "releasedAt" = null
    where held."userId" = excluded."userId" or not ${isHeld('held', at)}
    returning name`.execute(db)
  if (rows.length === 0) return false
  await db
    .updateTable('userNames')
    .set({ releasedAt: at })
    .where('userId', '=', userId)
    .where('name', '!=', name)
    .where('releasedAt', 'is', null)
    .execute()
  return true
}
