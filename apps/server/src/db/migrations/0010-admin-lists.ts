import { sql, type Kysely } from 'kysely'

/** What the filtered lists of the administration and a writer's history are read along. */
const INDEXES = {
  threads_writer: `threads ("userId", id) where "userId" is not null`,
  threads_locked: `threads ("categoryId", id) where "lockedAt" is not null and "removedAt" is null`,
  posts_folded: `posts (id) where "foldedAt" is not null`,
  nicknames_name: `nicknames (name, "threadId")`,
  bans_visitor: `bans (subject) where kind = 'visitor'`,
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    await sql.raw(`create index ${name} on ${columns}`).execute(db)
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of Object.keys(INDEXES)) await sql.raw(`drop index ${name}`).execute(db)
}
