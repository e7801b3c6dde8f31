/**
 * Pictures are copied after the snapshot of the database. Those that were hidden, restored or
 * deleted in between are where the live board has them; the restored board needs them where its own
 * rows say.
 */
import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { isPostRemoved, isThreadRemoved } from '../db/visible.ts'

/** Names recorded with one statement. */
const NOTED_TOGETHER = 1_000

export interface PictureNotes {
  /** Records that the archive contains a picture. */
  note(name: string): Promise<void>
  /**
   * The pictures to be renamed, by their names in the archive. Rows with a deleted picture are
   * changed to show none.
   */
  reconcile(): Promise<Map<string, string>>
}

/** @param tx the transaction that fills the database; records end with it */
export async function notePictures(tx: Db): Promise<PictureNotes> {
  await sql`create temporary table "pictureNotes" (key text not null, name text not null) on commit drop`.execute(tx)
  let names: string[] = []

  async function flush(): Promise<void> {
    await sql`
      insert into "pictureNotes" (key, name)
      select regexp_replace(name, '^.*/|(-s)?\\.[^./]*$', '', 'g'), name from unnest(${names}::text[]) as name`.execute(
      tx,
    )
    names = []
  }

  return {
    async note(name) {
      names.push(name)
      if (names.length >= NOTED_TOGETHER) await flush()
    },
    async reconcile() {
      await flush()
      await sql`create index on "pictureNotes" (key)`.execute(tx)
      await sql`analyze "pictureNotes"`.execute(tx)
      const gone = (key: string) =>
        sql`not exists (select from "pictureNotes" as n where n.key = ${sql.raw(key)} ->> 'key')`
      await sql`update users set picture = null where picture is not null and ${gone('picture')}`.execute(tx)
      await sql`
        update "heldPosts" set payload = jsonb_set(payload, '{image}', 'null')
        where jsonb_typeof(payload -> 'image') = 'object' and ${gone(`(payload -> 'image')`)}`.execute(tx)
      const { rows } = await sql<{ from: string; to: string }>`
        with hidden as (
          select distinct p.image ->> 'key' as key from posts as p join threads as t on t.id = p."threadId"
          where p.image is not null and (${isPostRemoved('p')} or ${isThreadRemoved('t')})
        )
        select n.name as from, moved.name as to
        from "pictureNotes" as n left join hidden as h on h.key = n.key
        cross join lateral (
          select (case when h.key is null then 'images/' else 'images-hidden/' end) || split_part(n.name, '/', 2) as name
        ) as moved
        where moved.name <> n.name`.execute(tx)
      return new Map(rows.map((row) => [row.from, row.to]))
    },
  }
}
