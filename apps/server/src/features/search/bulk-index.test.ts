import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, START, type TestDatabase } from '../../testing/board.ts'
import { insertImportedThreads } from '../threads/imported-threads.queries.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { endForgottenCollecting, openOlderBuckets, whileCollecting } from './bulk-index.ts'
import { bucketsOf } from './search.queries.ts'
import { isOnCluster } from '../../testing/citus.ts'

const onCluster = await isOnCluster()

const THREAD = {
  ...{ title: '古いスレッド', excerpt: '', nickname: null, trip: null, userId: null, createdAt: new Date(START) },
  ...{ aiGenerated: false, sourceSite: null, sourceUrl: null, postCount: 1, sages: 0 },
  ...{ lastPostAt: new Date(START), liftedAt: null, heat: 0, closedAt: null },
}

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

const optionsOfIndex = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ options: string[] }>`
    select reloptions as options from pg_class where relname = 'search_documents_grams'`.execute(database.db)
  return rows[0]!.options
}

it('threads older than all others come into buckets of a thousand, whose numbers rise with their age', async () => {
  const { db } = database
  const times = Array.from({ length: 3_000 }, (_, index) => START - (3_000 - index) * 60_000)
  await openOlderBuckets(db, times, START)
  const ids = times.map((time) => uuidv7(time))
  const buckets = await bucketsOf(db, [...ids, uuidv7(START)])
  const numbers = ids.map((id) => buckets.get(id)!)
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  const sizes = Map.groupBy(numbers, (number) => number)
  expect([...sizes].map(([number, { length }]) => [number, length])).toEqual([
    [-2, 952],
    [-1, 1_024],
    [0, 1_024],
  ])
  expect([...buckets.values()].at(-1)).toBe(1)
  // A few come into the lowest one.
  await openOlderBuckets(db, times.slice(0, 10), START)
  expect(await db.selectFrom('searchBuckets').selectAll().execute()).toHaveLength(4)
})

it('an import that begins again replaces the buckets that it did not fill, and moves no thread', async () => {
  const { db } = database
  const numbers = async () => {
    const buckets = await db.selectFrom('searchBuckets').selectAll().orderBy('firstThreadId').execute()
    return buckets.map(({ bucket }) => bucket)
  }
  const times = Array.from({ length: 3_000 }, (_, index) => START - (3_000 - index) * 60_000)
  await openOlderBuckets(db, times, START)
  await openOlderBuckets(db, times, START + 60_000)
  expect(await numbers()).toEqual([-2, -1, 0, 1])
  const opened = uuidv7(START + 60_001)
  expect(await bucketsOf(db, [opened])).toEqual(new Map([[opened, 1]]))

  // Killed when the oldest half was still to come.
  const written = [1_500, 1_900, 2_500].map((index) => uuidv7(times[index]!))
  const before = await bucketsOf(db, written)
  expect([...before.values()]).toEqual([-1, -1, 0])
  const { id: categoryId } = await db.selectFrom('categories').select('id').limit(1).executeTakeFirstOrThrow()
  await insertImportedThreads(
    db,
    written.map((id) => ({ ...THREAD, id, categoryId })),
  )
  await openOlderBuckets(db, times, START + 60_002)
  expect(await bucketsOf(db, written)).toEqual(before)
  expect(await numbers()).toEqual([-3, -2, -1, 0, 1])
})

// On a cluster texts are indexed one by one.
it.skipIf(onCluster)('the index collects while work runs, and no longer', async () => {
  const { db } = database
  await whileCollecting(db, async (index) => {
    expect(await optionsOfIndex()).toContain('fastupdate=on')
    await index.added(50_000)
    expect(await whileCollecting(db, async () => true)).toBeNull()
    // A server's sweep leaves an import that runs alone.
    await endForgottenCollecting(db)
    expect(await optionsOfIndex()).toContain('fastupdate=on')
  })
  expect(await optionsOfIndex()).toEqual(['fastupdate=off'])
  await sql`alter index search_documents_grams set (fastupdate = on)`.execute(db)
  await endForgottenCollecting(db)
  expect(await optionsOfIndex()).toEqual(['fastupdate=off'])
})
