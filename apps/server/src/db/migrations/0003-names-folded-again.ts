import { sql, type Kysely } from 'kysely'
import { foldName } from '../../lib/fold.ts'

interface Nickname {
  readonly threadId: string
  readonly name: string
}

/** Nicknames read at a time. */
const BATCH = 5_000

/**
 * Look-alike characters (l and 1, カ and 力) have come to make no difference between names, so those that are stored are folded once
 * more: a folded name folds to what the name itself would. Where two become one in a thread, it stays with whoever had it first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  let last: Nickname = { threadId: '00000000-0000-0000-0000-000000000000', name: '' }
  for (;;) {
    const { rows } = await sql<Nickname>`
      select "threadId", name from nicknames where ("threadId", name) > (${last.threadId}::uuid, ${last.name}::text)
      order by "threadId", name limit ${BATCH}`.execute(db)
    if (rows.length === 0) return
    last = rows.at(-1)!
    const changed = rows.map((row) => ({ ...row, folded: foldName(row.name) })).filter((row) => row.folded !== row.name)
    if (changed.length === 0) continue
    await sql`
      with changed as (
        select * from json_to_recordset(${JSON.stringify(changed)}::text::json) as row("threadId" uuid, name text, folded text)
      ), taken as (
        delete from nicknames as old using changed
        where old."threadId" = changed."threadId" and old.name = changed.name
        returning old."threadId", changed.folded, old."visitorId", old."createdAt"
      )
      insert into nicknames as kept ("threadId", name, "visitorId", "createdAt")
      select distinct on ("threadId", folded) "threadId", folded, "visitorId", "createdAt" from taken
      order by "threadId", folded, "createdAt"
      on conflict ("threadId", name) do update set "visitorId" = excluded."visitorId", "createdAt" = excluded."createdAt"
      where kept."createdAt" > excluded."createdAt"`.execute(db)
  }
}

/** How a name was spelled before is not known any more, and the older folding finds it as well as it can. */
export async function down(): Promise<void> {}
