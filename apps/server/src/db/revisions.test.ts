/** Copies in memory follow the database on every server. */
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { createRevisions, type Revisions } from './revisions.ts'
import { inTransaction } from './transaction.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let servers: Revisions[]

beforeEach(async () => {
  database = await openTestDatabase()
  servers = [createRevisions(database.db, log), createRevisions(database.db, log)]
})
afterEach(async () => {
  for (const server of servers) await server.close()
  await database.close()
})

const raise = (server: Revisions) => inTransaction(database.db, (tx) => server.raise(tx, 'words'))

it('a copy is loaded at the start, and reloaded after each change, on the server that changed it and on the others', async () => {
  const loads = [vi.fn(async () => {}), vi.fn(async () => {})]
  for (const [index, server] of servers.entries()) await server.follow('words', loads[index]!)
  expect(loads.map((load) => load.mock.calls.length)).toEqual([1, 1])
  await raise(servers[0]!)
  for (const server of servers) await server.settle()
  expect(loads.map((load) => load.mock.calls.length)).toEqual([2, 2])
  for (const server of servers) await server.settle()
  expect(loads.map((load) => load.mock.calls.length)).toEqual([2, 2])
})

it('other copies are not reloaded', async () => {
  const [words, bans] = [vi.fn(async () => {}), vi.fn(async () => {})]
  await servers[0]!.follow('words', words)
  await servers[0]!.follow('bans', bans)
  await raise(servers[1]!)
  await servers[0]!.settle()
  expect([words.mock.calls.length, bans.mock.calls.length]).toEqual([2, 1])
})

it('a rolled-back change reloads nothing', async () => {
  const load = vi.fn(async () => {})
  await servers[0]!.follow('words', load)
  const work = inTransaction(database.db, async (tx) => {
    await servers[0]!.raise(tx, 'words')
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  await servers[0]!.settle()
  expect(load).toHaveBeenCalledTimes(1)
})

it('a copy that fails to reload stays, and is reloaded at the next poll', async () => {
  let isBroken = false
  let value = 0
  await servers[0]!.follow('words', async () => {
    if (isBroken) throw new Error('the database is away')
    value += 1
  })
  isBroken = true
  await raise(servers[1]!)
  await servers[0]!.settle()
  expect(value).toBe(1)
  isBroken = false
  await servers[0]!.settle()
  expect(value).toBe(2)
})

it('a copy that fails to reload does not keep the others from being reloaded', async () => {
  let isBroken = false
  const bans = vi.fn(async () => {})
  await servers[0]!.follow('words', async () => {
    if (isBroken) throw new Error('a word cannot be read')
  })
  await servers[0]!.follow('bans', bans)
  isBroken = true
  await inTransaction(database.db, async (tx) => {
    await servers[1]!.raise(tx, 'words')
    await servers[1]!.raise(tx, 'bans')
  })
  await servers[0]!.settle()
  expect(bans).toHaveBeenCalledTimes(2)
})

it('a change while a copy is being loaded is not missed', async () => {
  const held = Promise.withResolvers<void>()
  let loads = 0
  await servers[0]!.follow('words', async () => {
    loads += 1
    if (loads === 2) await held.promise
  })
  await raise(servers[1]!)
  const first = servers[0]!.settle()
  await expect.poll(() => loads).toBe(2)
  await raise(servers[1]!)
  const second = servers[0]!.settle()
  held.resolve()
  await Promise.all([first, second])
  expect(loads).toBe(3)
})
