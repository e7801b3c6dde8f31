/** What writers may do with their own posts (docs/product.md#own-posts). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

const statuses = (names: string) => sql`
  alter table "heldPosts" drop constraint "heldPosts_status_check",
    add constraint "heldPosts_status_check" check (status in (${sql.raw(names)}))`

export async function up(db: Database): Promise<void> {
  await sql`alter table posts add column withdrawn boolean not null default false`.execute(db)
  await statuses(`'waiting', 'approved', 'rejected', 'withdrawn'`).execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`update "heldPosts" set status = 'rejected' where status = 'withdrawn'`.execute(db)
  await statuses(`'waiting', 'approved', 'rejected'`).execute(db)
  await sql`alter table posts drop column withdrawn`.execute(db)
}
