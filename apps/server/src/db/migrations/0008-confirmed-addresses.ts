import { sql, type Kysely } from 'kysely'

/** Only a confirmed mail address is unique. Its owner gets a mail when somebody registers with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop constraint "users_emailKey_key"`.execute(db)
  await sql`
    create unique index users_email_confirmed on users ("emailKey") where "emailVerifiedAt" is not null`.execute(db)
  await sql`alter table mails drop constraint mails_purpose_check`.execute(db)
  await sql`
    alter table mails add constraint mails_purpose_check check (purpose in ('reset', 'verify', 'in_use'))`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from mails where purpose = 'in_use'`.execute(db)
  await sql`alter table mails drop constraint mails_purpose_check`.execute(db)
  await sql`alter table mails add constraint mails_purpose_check check (purpose in ('reset', 'verify'))`.execute(db)
  await sql`drop index users_email_confirmed`.execute(db)
  await sql`alter table users add constraint "users_emailKey_key" unique ("emailKey")`.execute(db)
}
