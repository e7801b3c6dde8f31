/** Limits of slow searches. A lock on the table stands in for a large index. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { messages } from '@shinobi/contract/messages'
import { createKeyLimits } from '../../lib/key-limit.ts'
import { openBoard, startThread, visit, type Board } from '../../testing/board.ts'
import { createSearches } from './searches.ts'

interface Refusal {
  readonly code: string
  readonly message: string
}

describe('slow searches', () => {
  let board: Board
  let unlock: () => Promise<void>

  beforeEach(async () => {
    board = await openBoard()
    await startThread(visit(board))
    await board.settle()
    unlock = await lockIndex()
  })
  afterEach(async () => {
    await unlock()
    await board.close()
  })

  async function lockIndex(): Promise<() => Promise<void>> {
    const isLocked = Promise.withResolvers<void>()
    const isOver = Promise.withResolvers<void>()
    const transaction = board.database.db.transaction().execute(async (tx) => {
      await sql`lock table "searchDocuments" in access exclusive mode`.execute(tx)
      isLocked.resolve()
      await isOver.promise
    })
    await isLocked.promise
    return () => {
      isOver.resolve()
      return transaction
    }
  }

  const search = (word: number, address: string) =>
    visit(board, address).get<Refusal>(`/api/threads?search=${encodeURIComponent(`の -ザ${word}`)}`)

  it('are cancelled with advice, and no other request waits for them', async () => {
    const searches = Array.from({ length: 14 }, (_, index) => search(index, `203.0.113.${index}`))
    for (const path of ['/api/threads', '/api/threads/trending', '/api/categories']) {
      expect([path, (await visit(board).get(path)).status]).toEqual([path, 200])
    }
    for (const { status, body } of await Promise.all(searches)) {
      expect([status, body]).toEqual([400, { code: 'bad_search', message: messages.search_too_broad }])
    }
  })

  it('in one thread are cancelled with the same advice, and one address has the same share', async () => {
    const { body } = await visit(board).get<{ _id: string }[]>('/api/threads')
    const find = (word: number, address: string) =>
      visit(board, address).get<Refusal>(
        `/api/threads/${body[0]!._id}/posts/search?search=${encodeURIComponent(`の -ザ${word}`)}`,
      )
    const flood = Array.from({ length: 12 }, (_, index) => find(index, '203.0.113.9'))
    const reader = await find(99, '203.0.113.10')
    expect([reader.status, reader.body]).toEqual([400, { code: 'bad_search', message: messages.search_too_broad }])
    const turnedAway = (await Promise.all(flood)).filter(({ status }) => status === 429)
    expect(turnedAway.length).toBeGreaterThanOrEqual(3)
  })

  it('of one address are limited to their share, and those of others run in between', async () => {
    const flood = Array.from({ length: 12 }, (_, index) => search(index, '203.0.113.9'))
    const reader = search(99, '203.0.113.10')
    const answers = await Promise.all(flood)
    const turnedAway = answers.filter(({ status }) => status === 429)
    expect(turnedAway.length).toBeGreaterThanOrEqual(3)
    expect((await reader).body.message).toBe(messages.search_too_broad)
    await unlock()
    const found = await visit(board, '203.0.113.10').get<unknown[]>('/api/threads?search=%E3%81%AE')
    expect(found.status).toBe(200)
  })
})

it('slow searches use up the budget of their address, short ones do not, and other addresses have their own', async () => {
  let now = 0
  const searches = createSearches(createKeyLimits(null), () => now)
  const search = (address: string, milliseconds: number) =>
    searches.run(address, async () => {
      now += milliseconds
      return 'found'
    })
  for (let count = 0; count < 500; count += 1) expect(await search('203.0.113.9', 10)).toBe('found')
  for (let count = 0; count < 27; count += 1) expect(await search('203.0.113.9', 2_000)).toBe('found')
  await expect(search('203.0.113.9', 10)).rejects.toMatchObject({ message: messages.search_limited, status: 429 })
  expect(await search('203.0.113.10', 10)).toBe('found')
})

it('searches that fail because the database is away use up nothing of the budget', async () => {
  let now = 0
  const searches = createSearches(createKeyLimits(null), () => now)
  const fail = () =>
    searches.run('203.0.113.9', async () => {
      now += 4_000
      throw new Error('the database is away')
    })
  for (let count = 0; count < 100; count += 1) await expect(fail()).rejects.toThrow('the database is away')
  expect(await searches.run('203.0.113.9', async () => 'found')).toBe('found')
})
