import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { StoredImage } from '../../lib/image-store.ts'

/** Locks a member's row for a change of the account; false when the account is gone. */
export async function lockMember(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId}::uuid for update`.execute(tx)
  return rows.length > 0
}

/** Puts a picture in the place of the one there was. @returns the former one (null without one); undefined when the account is gone */
export async function replacePicture(
  db: Db,
  userId: string,
  picture: StoredImage,
): Promise<StoredImage | null | undefined> {
  const { rows } = await sql<{ before: StoredImage | null }>`
    with old as (select id, picture from users where id = ${userId}::uuid for update)
    update users set picture = ${JSON.stringify(picture)}::text::jsonb from old where users.id = old.id
    returning old.picture as before`.execute(db)
  return rows[0]?.before
}
