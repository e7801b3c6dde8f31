/** What became of the articles of published stories, and who has looked at it (docs/news.md). */
import { sql, type Kysely } from 'kysely'

type Database = Kysely<unknown>

/** Citus changes a table and adds a constraint in two statements. */
async function allowCurrencies(db: Database, names: string): Promise<void> {
  await sql`alter table "newsStories" drop constraint "newsStories_currency_check"`.execute(db)
  await sql`
    alter table "newsStories" add constraint "newsStories_currency_check"
      check (currency in (${sql.raw(names)}))`.execute(db)
}

export async function up(db: Database): Promise<void> {
  await allowCurrencies(db, `'current', 'stale', 'corrected', 'gone', 'opted_out'`)
  await sql`alter table "newsStories" add column "reviewedAt" timestamptz`.execute(db)
  // The stories that wait for somebody to look: few, however many there are.
  await sql`
    create index news_stories_changed on "newsStories" (id)
      where state = 'published' and currency <> 'current' and "reviewedAt" is null`.execute(db)
  // For the notice at the address of a thread that was taken down.
  await sql`create index audit_log_withdrawals on "auditLog" ("threadId") where action = 'news_withdraw'`.execute(db)
}

export async function down(db: Database): Promise<void> {
  await sql`drop index audit_log_withdrawals`.execute(db)
  await sql`drop index news_stories_changed`.execute(db)
  await sql`update "newsStories" set currency = 'stale' where currency in ('corrected', 'opted_out')`.execute(db)
  await sql`alter table "newsStories" drop column "reviewedAt"`.execute(db)
  await allowCurrencies(db, `'current', 'stale', 'gone'`)
}
