/** What members have read, for their other devices (docs/product.md#notebook). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create table "notebookEntries" (
      "userId" uuid not null references users (id) on delete cascade,
      "threadId" uuid not null,
      entry jsonb not null,
      version bigint not null,
      primary key ("userId", "threadId")
    )`.execute(db)
  // For the devices of a member, which ask what has changed.
  await sql`create index "notebookEntries_changes" on "notebookEntries" ("userId", version)`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop table "notebookEntries"`.execute(db)
}
