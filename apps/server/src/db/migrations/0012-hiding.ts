/** What members do not want to see (NG), for their other devices (docs/product.md#hiding-ng). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  // A hash of what the rule is about is its key: texts are longer than an index likes.
  await sql`
    create table "hidingRules" (
      "userId" uuid not null references users (id) on delete cascade,
      "targetHash" text not null,
      entry jsonb not null,
      version bigint not null,
      primary key ("userId", "targetHash")
    )`.execute(db)
  // For the devices of a member, which ask what has changed.
  await sql`create index "hidingRules_changes" on "hidingRules" ("userId", version)`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop table "hidingRules"`.execute(db)
}
