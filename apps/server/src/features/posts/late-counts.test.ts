import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDistributed } from '../../db/distribution.ts'
import { countByHour, selectTotals } from '../../db/tallies.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { openTestDatabase, START, type TestDatabase } from '../../testing/board.ts'
import { insertThread } from '../threads/threads.queries.ts'
import { createLateCounts, recountEndedHours } from './late-counts.ts'
import { insertPosts } from './numbering.queries.ts'

const HOUR_MS = 3_600_000

let database: TestDatabase
let threadId: string
beforeAll(async () => {
  database = await openTestDatabase()
  const category = await database.db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
  threadId = uuidv7(START - 3 * HOUR_MS)
  await insertThread(database.db, {
    ...{ id: threadId, postId: threadId, categoryId: category.id, title: '数', excerpt: '', content: '数える' },
    ...{ nickname: null, userId: null, visitorId: randomUUID(), image: null, at: START - 3 * HOUR_MS },
  })
})
afterAll(() => database.close())

/** Writes posts, which on a cluster are not counted. @returns their ids */
async function write(at: number, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(at))
  const nobody = { name: null, image: null, userId: null, visitorId: randomUUID(), clientPostId: null }
  await insertPosts(
    database.db,
    ids.map((id) => ({ threadId, id, content: '草', ...nobody })),
    { at, postLimit: 1_000, countLater: () => {} },
  )
  return ids
}

const countHours = () => countByHour(database.db, 'posts', START, 4)

it('recounts the hours that have ended, so that a crash loses no count for good', async () => {
  await write(START - 2 * HOUR_MS, 5)
  await write(START - HOUR_MS, 3)
  await recountEndedHours(database.db, START)
  // The hour before ended three minutes ago: some of its posts may not be committed yet.
  expect((await countHours()).slice(0, 2)).toEqual([1, 5])
  await recountEndedHours(database.db, START + HOUR_MS)
  expect(await countHours()).toEqual([1, 5, 3, 0])
})

it('counts posts after their commit, but not those of an hour that was recounted with them', async () => {
  const late = createLateCounts({ db: database.db, log: pino({ level: 'silent' }) })
  const before = (await selectTotals(database.db)).posts
  late.add([uuidv7(START - HOUR_MS), uuidv7(START + HOUR_MS), uuidv7(START + HOUR_MS)])
  expect(late.waiting()).toBe(3)
  await late.settle()
  expect((await selectTotals(database.db)).posts).toBe(before + 2)
  await late.close()
})

it('recounts an hour again that a clock ahead has recounted too early', async () => {
  await recountEndedHours(database.db, START + 5 * HOUR_MS)
  await write(START + HOUR_MS, 4)
  await recountEndedHours(database.db, START + 2 * HOUR_MS + 30 * 60_000)
  expect(await countByHour(database.db, 'posts', START + HOUR_MS, 1)).toEqual([4])
})

it('has nothing to do on one PostgreSQL, where posts are counted as they are written', async () => {
  if (await isDistributed(database.db)) return
  const before = (await selectTotals(database.db)).posts
  await write(START + 10 * HOUR_MS, 2)
  expect((await selectTotals(database.db)).posts).toBe(before + 2)
})
