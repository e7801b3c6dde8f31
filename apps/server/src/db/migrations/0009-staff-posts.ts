import { sql, type Kysely } from 'kysely'

/** Posts that their writers wrote as those who run the board. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posts add column "asStaff" boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posts drop column "asStaff"`.execute(db)
}
