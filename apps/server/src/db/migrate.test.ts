import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { insertPosts } from '../features/posts/numbering.queries.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { openTestDatabase } from '../testing/board.ts'
import type { Db } from './client.ts'
import { isDistributed } from './distribution.ts'
import {
  migrateTo,
  migrateToLatest,
  migrateToNothing,
  migrations,
  NewerSchemaError,
  OlderSchemaError,
  REPLACED,
  SCHEMA_LOCK,
} from './migrate.ts'
import { isOnCluster } from '../testing/citus.ts'

const onCluster = await isOnCluster()

// A distributed board keeps its schema, and its migrations run as a whole.
it.skipIf(onCluster)('migrations can be reverted to an empty database and applied again', async () => {
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

it.skipIf(onCluster)('two servers that start at once migrate once', async () => {
  const database = await openTestDatabase()
  await migrateToNothing(database.db)
  await Promise.all([migrateToLatest(database.db), migrateToLatest(database.db)])
  expect(await database.db.selectFrom('categories').select('name').execute()).toHaveLength(7)
  await database.close()
})

it('a server that starts while another one migrates waits before it looks at the tables', async () => {
  const { db, close } = await openTestDatabase()
  const waiting = sql<{ count: number }>`
    select count(*)::integer as count from pg_locks
    where locktype = 'advisory' and objid = ${SCHEMA_LOCK} and not granted
      and database = (select oid from pg_database where datname = current_database())`
  const ended: string[] = []
  let second = Promise.resolve()
  await db.connection().execute(async (first) => {
    await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(first)
    second = migrateToLatest(db).then(() => void ended.push('second'))
    await expect.poll(async () => (await waiting.execute(db)).rows).toEqual([{ count: 1 }])
    ended.push('first')
    await sql`select pg_advisory_unlock(${SCHEMA_LOCK}::bigint)`.execute(first)
  })
  await second
  expect(ended).toEqual(['first', 'second'])
  await close()
})

it('a database with migrations of a newer version is refused with their names, and left unchanged', async () => {
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

describe.skipIf(onCluster)('a database of 0.2.0', () => {
  /** The schema of 0.2.0, and its list of migrations. */
  async function asBefore(db: Db, names: readonly string[] = REPLACED): Promise<void> {
    if ((await migrationsOf(db)).some(({ name }) => name === '0001-schema')) await migrateTo(db, '0001-schema')
    await sql`delete from kysely_migration`.execute(db)
    for (const name of names)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-11-23T00:00:00.000Z')`.execute(db)
  }
  const migrationsOf = async (db: Db) =>
    (await sql<{ name: string; timestamp: string }>`select * from kysely_migration order by name`.execute(db)).rows

  it('keeps its data, and the one migration replaces the ten in its list, also when two servers start at once', async () => {
    const { db, close } = await openTestDatabase()
    await sql`update categories set description = '昔の話' where name = 'general'`.execute(db)
    await asBefore(db)
    const categories = db.selectFrom('categories').select(['id', 'name', 'description', 'position']).orderBy('id')
    const before = await categories.execute()
    await Promise.all([migrateToLatest(db), migrateToLatest(db)])
    const [schema, ...later] = await migrationsOf(db)
    expect(schema).toEqual({ name: '0001-schema', timestamp: '2026-11-23T00:00:00.000Z' })
    expect(later.map(({ name }) => name)).toEqual(Object.keys(migrations).slice(1))
    expect(await categories.execute()).toEqual(before)
    await migrateToLatest(db)
    expect(await migrationsOf(db)).toHaveLength(1 + later.length)
    await close()
  })

  it('can be reverted to an empty database, so that an archive can be restored into it', async () => {
    const { db, close } = await openTestDatabase()
    if (await isDistributed(db)) return close()
    await asBefore(db)
    await migrateToNothing(db)
    expect(await migrationsOf(db)).toEqual([])
    await close()
  })

  it('with only some of its migrations is refused with the next step for the operator, and left unchanged', async () => {
    const { db, close } = await openTestDatabase()
    for (const count of [1, 9]) {
      await asBefore(db, REPLACED.slice(0, count))
      const before = await migrationsOf(db)
      await expect(migrateToLatest(db)).rejects.toThrow(OlderSchemaError)
      await expect(migrateToLatest(db)).rejects.toThrow(
        `its last migration is ${REPLACED[count - 1]}. Start version 0.2.0 on it once`,
      )
      expect(await migrationsOf(db)).toEqual(before)
    }
    await close()
  })

  it('with migrations of a newer version is refused like any other', async () => {
    const { db, close } = await openTestDatabase()
    await asBefore(db, [...REPLACED, '9999-latest'])
    await expect(migrateToLatest(db)).rejects.toThrow(NewerSchemaError)
    expect(await migrationsOf(db)).toHaveLength(REPLACED.length + 1)
    await close()
  })
})

it.skipIf(onCluster)(
  'a board from before the limit of posts keeps its threads open, and its longest takes one last post',
  async () => {
    const { db, close } = await openTestDatabase()
    await migrateTo(db, '0001-schema')
    const { rows: categories } = await sql<{ id: string }>`select id from categories where name = 'general'`.execute(db)
    const at = Date.parse('2026-11-21T04:03:00Z')
    const threads = [2_000, 3].map((postCount) => ({ id: uuidv7(at), postCount }))
    for (const { id, postCount } of threads) {
      await sql`
      insert into threads (id, "categoryId", title, excerpt, "createdAt", "lastPostAt", "postCount", revision)
      values (${id}, ${categories[0]!.id}, '昔のスレッド', '始まり', now(), now(), ${postCount}, ${postCount})`.execute(
        db,
      )
      await sql`
      insert into posts ("threadId", number, id, content, "createdAt")
      select ${id}, number, gen_random_uuid(), '昔の書き込み', now() from generate_series(1, ${postCount}::integer) as number`.execute(
        db,
      )
    }
    await migrateToLatest(db)
    const fresh = { closedAt: null, previousThreadId: null, nextThreadId: null }
    const find = (id: string) => db.selectFrom('threads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    for (const { id, postCount } of threads) expect(await find(id)).toMatchObject({ ...fresh, postCount })
    const nobody = { name: null, image: null, userId: null, clientPostId: null, visitorId: uuidv7(at) }
    for (const [threadId, number] of [
      [threads[0]!.id, 2_001],
      [threads[1]!.id, 4],
    ] as const) {
      const post = { threadId, id: uuidv7(at), content: '新しい書き込み', ...nobody }
      expect(await insertPosts(db, [post], { at, postLimit: 1_000 })).toEqual([
        expect.objectContaining({ id: post.id, number }),
      ])
    }
    expect((await find(threads[0]!.id)).closedAt).toEqual(new Date(at))
    expect((await find(threads[1]!.id)).closedAt).toBeNull()
    await close()
  },
)

it.skipIf(onCluster)('a board whose removals left the name of an opener in lists hides it', async () => {
  const { db, close } = await openTestDatabase()
  await migrateTo(db, '0016-nameless-writers')
  const category = await db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
  const named = { nickname: '百地', trip: 'GmgU93SCyE' }
  const [removed, standing] = [uuidv7(0), uuidv7(1)]
  for (const [id, deletedAt] of [
    [removed, new Date()],
    [standing, null],
  ] as const) {
    for (const table of ['threads', 'threadHeads'] as const) {
      await sql`
        insert into ${sql.table(table)} (id, "categoryId", title, excerpt, nickname, trip, "createdAt", "lastPostAt", "postCount", revision)
        values (${id}, ${category.id}, '昔のスレッド', '', ${named.nickname}, ${named.trip}, now(), now(), 1, 1)`.execute(
        db,
      )
    }
    await sql`
      insert into posts ("threadId", number, id, content, "createdAt", "deletedAt")
      values (${id}, 1, gen_random_uuid(), '始まり', now(), ${deletedAt}::timestamptz)`.execute(db)
  }
  await migrateToLatest(db)
  for (const table of ['threads', 'threadHeads'] as const) {
    expect(await db.selectFrom(table).select(['id', 'nickname', 'trip']).orderBy('id').execute()).toEqual([
      { id: removed, nickname: null, trip: null },
      { id: standing, ...named },
    ])
  }
  await close()
})

it.skipIf(onCluster)('a board whose folds left text and picture of post 1 in lists hides them', async () => {
  const { db, close } = await openTestDatabase()
  await migrateTo(db, '0017-removed-writers')
  const category = await db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
  const image = { key: 'a', width: 1, height: 1 }
  const [folded, answered] = [uuidv7(0), uuidv7(1)]
  for (const id of [folded, answered]) {
    for (const table of ['threads', 'threadHeads'] as const) {
      await sql`
        insert into ${sql.table(table)} (id, "categoryId", title, excerpt, image, "createdAt", "lastPostAt", "postCount", revision)
        values (${id}, ${category.id}, '昔のスレッド', '始まり', ${JSON.stringify(image)}::text::jsonb, now(), now(), 2, 2)`.execute(
        db,
      )
    }
    await sql`
      insert into posts ("threadId", number, id, content, "createdAt", "foldedAt")
      select ${id}, number, gen_random_uuid(), '始まり', now(), case when (number = 1) = ${id === folded}::boolean then now() end
      from generate_series(1, 2) as number`.execute(db)
  }
  await migrateToLatest(db)
  for (const table of ['threads', 'threadHeads'] as const) {
    expect(await db.selectFrom(table).select(['id', 'excerpt', 'image']).orderBy('id').execute()).toEqual([
      { id: folded, excerpt: '', image: null },
      { id: answered, excerpt: '始まり', image },
    ])
  }
  await close()
})
