/** Moves of levels from one browser to another, which removals of earlier posts follow. */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

export async function up(db: Database): Promise<void> {
  await sql`
    create table "levelMoves" (
      "actorId" uuid primary key,
      "movedTo" uuid not null,
      "movedAt" timestamptz not null
    )`.execute(db)
  await sql`create index level_moves_at on "levelMoves" ("movedAt")`.execute(db)
  await sql`create index level_moves_to on "levelMoves" ("movedTo")`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop table "levelMoves"`.execute(db)
}
