import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Held from './held.ts'

const answers = new Map<string, { status: number; body: unknown }>()
let held: typeof Held

beforeEach(async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  answers.clear()
  vi.stubGlobal('fetch', async (path: string) => {
    const { status, body } = answers.get(path) ?? { status: 503, body: null }
    return new Response(JSON.stringify(body), { status })
  })
  // The state is kept in the module.
  vi.resetModules()
  held = await import('./held.ts')
})
afterEach(() => vi.unstubAllGlobals())

const item = (id: string) => ({
  id,
  kind: 'post' as const,
  place: 'thread',
  name: '忍',
  title: null,
  content: id,
  hasImage: false,
})
const states = () => held.heldItems().map(({ id, status }) => [id, status])

test('approved items are removed and returned, rejected and expired ones are marked, unknown ones are removed, the rest waits', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) held.rememberHeld(item(id))
  answers.set('/api/held/a', { status: 200, body: { status: 'approved', threadId: 't', number: 7 } })
  answers.set('/api/held/b', { status: 200, body: { status: 'rejected' } })
  answers.set('/api/held/c', { status: 200, body: { status: 'waiting' } })
  answers.set('/api/held/d', { status: 404, body: { message: 'なし', code: 'not_found' } })
  answers.set('/api/held/f', { status: 200, body: { status: 'expired' } })
  const approved = await held.askHeld(held.heldItems())
  expect(approved).toMatchObject([{ id: 'a', threadId: 't', number: 7 }])
  expect(states()).toEqual([
    ['b', 'rejected'],
    ['c', 'waiting'],
    ['e', 'waiting'],
    ['f', 'expired'],
  ])
})

test('a thread that waits in a merged category is listed, and can be taken back, in the one that has taken it over', async () => {
  held.rememberHeld({ ...item('a'), kind: 'thread', place: '雑談' })
  held.rememberHeld(item('b'))
  const waiting = { status: 'waiting', threadId: null, number: null }
  answers.set('/api/held/a', { status: 200, body: { ...waiting, category: '総合' } })
  answers.set('/api/held/b', { status: 200, body: { ...waiting, threadId: 'thread', category: null } })
  await held.askHeld(held.heldItems())
  expect(held.heldItems().map(({ place }) => place)).toEqual(['総合', 'thread'])
  answers.set('/api/held/a', { status: 200, body: {} })
  await held.withdrawHeld('a')
  expect(states()).toEqual([['b', 'waiting']])
})

test('a repeated item is stored once, and survives a reload until it is dismissed', async () => {
  held.rememberHeld(item('a'))
  held.rememberHeld(item('a'))
  expect(states()).toEqual([['a', 'waiting']])
  vi.resetModules()
  held = await import('./held.ts')
  expect(states()).toEqual([['a', 'waiting']])
  held.forgetHeld('a')
  expect(states()).toEqual([])
  expect(localStorage.getItem('held')).toBeNull()
})

test('broken storage and items older than two weeks are ignored', async () => {
  localStorage.setItem('held', '{"')
  expect(held.heldItems()).toEqual([])
  vi.resetModules()
  held = await import('./held.ts')
  const old = { ...item('old'), owner: null, status: 'waiting', at: Date.now() - 15 * 24 * 3_600_000 }
  localStorage.setItem('held', JSON.stringify([old, 'nonsense', { id: 'half' }]))
  expect(held.heldItems()).toEqual([])
})

test('an item that is taken back is removed, also where the server does not know it, and a decided one stays', async () => {
  for (const id of ['a', 'b', 'c']) held.rememberHeld(item(id))
  answers.set('/api/held/a', { status: 200, body: {} })
  answers.set('/api/held/b', { status: 404, body: { message: 'なし', code: 'not_found' } })
  answers.set('/api/held/c', { status: 409, body: { message: '済み', code: 'already_done' } })
  await held.withdrawHeld('a')
  await held.withdrawHeld('b')
  await expect(held.withdrawHeld('c')).rejects.toThrow('済み')
  expect(states()).toEqual([['c', 'waiting']])
})
