/** What the openers of threads (スレ主) do in them. */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create table "ownerActions" (
      "threadId" uuid not null,
      id uuid not null,
      kind text not null check (kind in ('note', 'fold', 'silence', 'close')),
      at timestamptz not null,
      "postId" uuid,
      number integer,
      "posterId" text,
      text text,
      "undoneBy" text check ("undoneBy" in ('owner', 'staff')),
      primary key ("threadId", id)
    )`.execute(db)
  await sql`alter table posts add column "foldReason" text`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`alter table posts drop column "foldReason"`.execute(db)
  await sql`drop table "ownerActions"`.execute(db)
}
