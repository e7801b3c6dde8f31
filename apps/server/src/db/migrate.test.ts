import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../testing/board.ts'
import { foldName } from '../lib/fold.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { isDistributed } from './distribution.ts'
import { migrateToLatest, migrateToNothing, NewerSchemaError } from './migrate.ts'
import { up as foldNamesAgain } from './migrations/0003-names-folded-again.ts'
import * as moderation from './migrations/0004-moderation.ts'
import { selectTotals } from './tallies.ts'

it('migrations go down to nothing and up again', async () => {
  const database = await openTestDatabase()
  const tables = async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely%' order by 1`.execute(
      database.db,
    )
    return rows.map((row) => row.name)
  }
  const before = await tables()
  expect(before).toContain('posts')
  await migrateToNothing(database.db)
  expect(await tables()).toEqual([])
  await migrateToLatest(database.db)
  expect(await tables()).toEqual(before)
  await database.close()
})

it('two servers that start at once migrate once', async () => {
  const database = await openTestDatabase()
  await migrateToNothing(database.db)
  await Promise.all([migrateToLatest(database.db), migrateToLatest(database.db)])
  expect(await database.db.selectFrom('categories').select('name').execute()).toHaveLength(7)
  await database.close()
})

it('a database that a newer version has migrated is refused by name, and left as it is', async () => {
  const { db, close } = await openTestDatabase()
  const names = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows
  const before = await names()
  await sql`insert into kysely_migration (name, timestamp) values ('9998-later', 'now'), ('9999-latest', 'now')`.execute(
    db,
  )
  await expect(migrateToLatest(db)).rejects.toThrow(NewerSchemaError)
  await expect(migrateToLatest(db)).rejects.toThrow(
    'does not know its migration 9998-later, 9999-latest. Run the newer',
  )
  expect(await names()).toEqual([...before, { name: '9998-later' }, { name: '9999-latest' }])
  await close()
})

it('nicknames of a board from before are folded again, and stay with whoever had them first', async () => {
  const database = await openTestDatabase()
  const thread = '019a0000-0000-7000-8000-000000000001'
  const visitor = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
  const old = [
    { name: 'toml', visitorId: visitor(1), createdAt: new Date(3_000) },
    { name: 'tom1', visitorId: visitor(2), createdAt: new Date(1_000) },
    { name: 'tomi', visitorId: visitor(3), createdAt: new Date(2_000) },
    { name: 'かえで', visitorId: visitor(4), createdAt: new Date(1_000) },
  ]
  await database.db
    .insertInto('nicknames')
    .values(old.map((row) => ({ ...row, threadId: thread })))
    .execute()
  await foldNamesAgain(database.db as unknown as Kysely<unknown>)
  const rows = await database.db.selectFrom('nicknames').select(['name', 'visitorId']).orderBy('createdAt').execute()
  expect(rows).toHaveLength(2)
  expect(new Map(rows.map((row) => [row.name, row.visitorId]))).toEqual(
    new Map([
      [foldName('tom1'), visitor(2)],
      ['かえで', visitor(4)],
    ]),
  )
  await database.close()
})

it('a board from before moderation keeps its reports as cases, its writers as known, and its totals', async () => {
  const { db, close } = await openTestDatabase()
  // Tables are spread over a cluster as they are today, and go no way back there.
  if (await isDistributed(db)) return close()
  await moderation.down(db as unknown as Kysely<unknown>)
  const { id: categoryId } = await db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
  const [threadId, reported, removed] = [uuidv7(1_000), uuidv7(2_000), uuidv7(3_000)]
  const [writer, reader, other] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`
    insert into threads (id, "categoryId", title, excerpt, "createdAt", "lastPostAt", heat)
    values (${threadId}, ${categoryId}, '昔のスレッド', '昔の話', now(), now(), 0)`.execute(db)
  await sql`
    insert into posts ("threadId", number, id, content, "createdAt", "deletedAt")
    values (${threadId}, 1, ${reported}, 'ひどい話', now(), null), (${threadId}, 2, ${removed}, '消した話', now(), now())`.execute(
    db,
  )
  await sql`
    insert into nicknames ("threadId", name, "visitorId", "createdAt") values
      (${threadId}, '影', ${writer}, '2026-01-02T00:00:00Z'), (${threadId}, '霧', ${writer}, '2026-01-01T00:00:00Z')`.execute(
    db,
  )
  for (const reporter of [reader, other])
    await sql`
      insert into reports ("threadId", id, "postId", reporter, reason, evidence, "createdAt")
      values (${threadId}, ${randomUUID()}, ${reported}, ${reporter}, '荒らしです', '{"number": 1}', '2026-02-01T00:00:00Z')`.execute(
      db,
    )

  await moderation.up(db as unknown as Kysely<unknown>)
  expect(await selectTotals(db)).toEqual({ users: 0, threads: 1, posts: 1 })
  expect(await db.selectFrom('cases').selectAll().execute()).toMatchObject([
    { threadId, postId: reported, categoryId, number: 1, status: 'open', reports: 2, voices: 2 },
  ])
  expect(await db.selectFrom('knownVisitors').selectAll().execute()).toEqual([
    { visitorId: writer, firstPostAt: new Date('2026-01-01T00:00:00Z'), provenUntil: null },
  ])
  await close()
})
