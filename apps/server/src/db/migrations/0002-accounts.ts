import { sql, type Kysely } from 'kysely'

/** Members, their names and sessions; what they like and where they wrote; reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      name text not null,
      email text,
      "emailKey" text unique,
      "emailVerifiedAt" timestamptz,
      "passwordHash" text,
      "googleSubject" text unique,
      picture jsonb,
      "isAdmin" boolean not null default false,
      "createdAt" timestamptz not null
    )`.execute(db)

  await sql`create index users_admin on users (id) where "isAdmin"`.execute(db)

  // The one place where a name is unique: held by a member, or given up by one and not yet free again.
  await sql`
    create table "userNames" (
      name text primary key,
      "userId" uuid not null references users (id) on delete cascade,
      "releasedAt" timestamptz
    )`.execute(db)
  await sql`create index user_names_user on "userNames" ("userId")`.execute(db)

  await sql`
    create table sessions (
      id uuid primary key,
      "userId" uuid not null references users (id) on delete cascade,
      "tokenHash" text not null,
      "previousHash" text,
      attempt text,
      device text not null,
      "createdAt" timestamptz not null,
      "lastUsedAt" timestamptz not null,
      "expiresAt" timestamptz not null
    )`.execute(db)
  await sql`create index sessions_user on sessions ("userId", "lastUsedAt")`.execute(db)
  await sql`create index sessions_expiry on sessions ("expiresAt")`.execute(db)

  // Accounts that were deleted, until their name is off everything they posted.
  await sql`
    create table departures (
      "userId" uuid primary key,
      picture jsonb,
      "createdAt" timestamptz not null
    )`.execute(db)

  await sql`
    create table "mailTokens" (
      "tokenHash" text primary key,
      "userId" uuid not null references users (id) on delete cascade,
      purpose text not null,
      email text not null,
      "expiresAt" timestamptz not null
    )`.execute(db)
  await sql`create index mail_tokens_user on "mailTokens" ("userId", purpose)`.execute(db)
  await sql`create index mail_tokens_expiry on "mailTokens" ("expiresAt")`.execute(db)

  // From here on tables grow with what is posted: keys begin with, or hold, the thread.
  await sql`
    create table rooms (
      "userId" uuid not null,
      "threadId" uuid not null,
      "lastPostAt" timestamptz not null,
      primary key ("threadId", "userId")
    )`.execute(db)
  await sql`create index rooms_newest on rooms ("userId", "lastPostAt", "threadId")`.execute(db)

  await sql`
    create table "threadLikes" (
      "threadId" uuid not null,
      "userId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", "userId")
    )`.execute(db)
  await sql`create index thread_likes_user on "threadLikes" ("userId", "threadId")`.execute(db)

  // Trending asks of a thread that nobody posts in whether anybody liked it within the window.
  await sql`create index thread_likes_newest on "threadLikes" ("threadId", "createdAt")`.execute(db)

  // In this order of columns the key also finds what one user likes in one thread.
  await sql`
    create table "postLikes" (
      "threadId" uuid not null,
      "userId" uuid not null,
      "postId" uuid not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", "userId", "postId")
    )`.execute(db)

  await sql`
    create table reports (
      "threadId" uuid not null,
      id uuid not null,
      "postId" uuid not null,
      reporter uuid not null,
      "userId" uuid,
      reason text not null,
      evidence jsonb not null,
      "createdAt" timestamptz not null,
      primary key ("threadId", id),
      unique ("threadId", "postId", reporter)
    )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'reports',
    '"postLikes"',
    '"threadLikes"',
    'rooms',
    '"mailTokens"',
    'departures',
    'sessions',
    '"userNames"',
    'users',
  ]) {
    await sql.raw(`drop table ${table}`).execute(db)
  }
}
