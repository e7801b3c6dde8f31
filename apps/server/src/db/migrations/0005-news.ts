import { sql, type Kysely } from 'kysely'

/** News: the feeds that are read, the articles found in them, the stories they tell, and what the language model was asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table threads add column summary text check (summary in ('ai', 'extractive', 'headline'))`.execute(db)

  await sql`
    create table "newsSources" (
      id uuid primary key,
      url text not null unique,
      name text not null,
      "categoryId" uuid references categories (id) on delete set null,
      language text not null,
      permission text not null check (permission in ('allowed', 'headline', 'blocked')),
      "intervalMinutes" integer not null,
      active boolean not null,
      etag text,
      "lastModified" text,
      "fetchedAt" timestamptz,
      "nextFetchAt" timestamptz not null,
      problem text,
      failures integer not null default 0,
      threads integer not null default 0,
      "createdAt" timestamptz not null
    )`.execute(db)
  await sql`create index news_sources_due on "newsSources" ("nextFetchAt") where active`.execute(db)

  await sql`
    create table "newsStories" (
      id uuid primary key,
      "categoryId" uuid references categories (id) on delete set null,
      state text not null check (state in ('new', 'ready', 'waiting', 'published', 'refused', 'rejected', 'withdrawn')),
      "threadId" uuid unique,
      kind text check (kind in ('ai', 'extractive', 'headline')),
      summary jsonb,
      image jsonb,
      model text,
      "promptVersion" text,
      "inputTokens" integer not null default 0,
      "outputTokens" integer not null default 0,
      milliseconds integer not null default 0,
      "madeAt" timestamptz,
      "publishedAt" timestamptz,
      problem text,
      findings jsonb not null default '[]',
      "nextTryAt" timestamptz,
      currency text not null default 'current' check (currency in ('current', 'stale', 'gone')),
      "changedAt" timestamptz,
      "nextCheckAt" timestamptz,
      corrections jsonb not null default '[]',
      "begunAt" timestamptz not null,
      "approvedAt" timestamptz,
      "createdAt" timestamptz not null
    )`.execute(db)
  // What is on its way, and what is looked at again: both stay small, however many stories were told.
  await sql`create index news_stories_due on "newsStories" ("nextTryAt", id) where "nextTryAt" is not null`.execute(db)
  await sql`create index news_stories_checks on "newsStories" ("nextCheckAt") where "nextCheckAt" is not null`.execute(
    db,
  )
  await sql`create index news_stories_state on "newsStories" (state, id)`.execute(db)
  await sql`create index news_stories_published on "newsStories" ("publishedAt") where "publishedAt" is not null`.execute(
    db,
  )
  // What the sweep looks for, here and below; each stays as small as what is left to do.
  await sql`
    create index news_stories_unused_images on "newsStories" (id) where image is not null and state in ('refused', 'rejected')`.execute(
    db,
  )

  // No article is taken twice, whichever feeds name it: by its address, and by the canonical one it gives itself.
  await sql`
    create table "newsArticles" (
      id uuid primary key,
      "urlHash" text not null unique,
      "canonicalHash" text unique,
      "sourceId" uuid references "newsSources" (id) on delete set null,
      "storyId" uuid references "newsStories" (id),
      url text not null,
      title text not null,
      "publishedAt" timestamptz,
      state text not null check (state in ('found', 'read', 'told', 'skipped')),
      problem text,
      attempts integer not null default 0,
      "nextTryAt" timestamptz,
      document jsonb,
      bands integer[] not null default '{}',
      "foundAt" timestamptz not null
    )`.execute(db)
  await sql`create index news_articles_due on "newsArticles" ("nextTryAt", id) where "nextTryAt" is not null`.execute(
    db,
  )
  await sql`create index news_articles_state on "newsArticles" (state, id)`.execute(db)
  await sql`create index news_articles_story on "newsArticles" ("storyId")`.execute(db)
  await sql`create index news_articles_source on "newsArticles" ("sourceId", id)`.execute(db)
  await sql`create index news_articles_documents on "newsArticles" (id) where document is not null`.execute(db)
  await sql`
    create index news_articles_nowhere on "newsArticles" (id)
      where state = 'skipped' and "storyId" is null and ("sourceId" is null or "publishedAt" is not null)`.execute(db)
  await sql`create index news_articles_bands on "newsArticles" using gin (bands) with (fastupdate = off)`.execute(db)

  await sql`
    create table "newsCalls" (
      id uuid primary key,
      at timestamptz not null,
      "storyId" uuid,
      model text not null,
      "promptVersion" text not null,
      "inputTokens" integer not null,
      "outputTokens" integer not null,
      milliseconds integer not null,
      outcome text not null check (outcome in ('ok', 'ungrounded', 'malformed', 'limited', 'failed')),
      detail text not null default ''
    )`.execute(db)
  await sql`create index news_calls_at on "newsCalls" (at)`.execute(db)
  // What a model failed at last, and what a story was answered: neither walks over the calls of all.
  await sql`create index news_calls_model on "newsCalls" (model, at, id)`.execute(db)
  await sql`create index news_calls_story on "newsCalls" ("storyId", at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['"newsCalls"', '"newsArticles"', '"newsStories"', '"newsSources"']) {
    await sql.raw(`drop table ${table}`).execute(db)
  }
  await sql`alter table threads drop column summary`.execute(db)
}
