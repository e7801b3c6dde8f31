/** What writers may do with their own posts (docs/product.md#own-posts). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/** Citus changes a table and adds a constraint in two statements. */
async function allowStatuses(db: Database, names: string): Promise<void> {
  await sql`alter table "heldPosts" drop constraint "heldPosts_status_check"`.execute(db)
  await sql`
    alter table "heldPosts" add constraint "heldPosts_status_check" check (status in (${sql.raw(names)}))`.execute(db)
}

export async function up(db: Database): Promise<void> {
  await sql`alter table posts add column withdrawn boolean not null default false`.execute(db)
  await allowStatuses(db, `'waiting', 'approved', 'rejected', 'withdrawn'`)
}

export async function down(db: Database): Promise<void> {
  await sql`update "heldPosts" set status = 'rejected' where status = 'withdrawn'`.execute(db)
  await allowStatuses(db, `'waiting', 'approved', 'rejected'`)
  await sql`alter table posts drop column withdrawn`.execute(db)
}
