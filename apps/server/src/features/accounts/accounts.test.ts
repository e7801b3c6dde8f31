import { afterEach, expect, test } from 'vitest'
import { openBoard, PASSWORD, signUp, startThread, visit, writeTo, type Board } from '../../testing/board.ts'

let board: Board
afterEach(() => board.close())

test('a member logs in, is known, and posts under the profile name whatever name is sent', async () => {
  board = await openBoard()
  const kaede = await signUp(board, '楓')
  expect((await kaede.post('/auth/verify')).body).toMatchObject({ user: { _id: kaede.userId, name: '楓' } })
  const thread = await startThread(kaede, { nickname: '偽名' })
  expect(thread).toMatchObject({ nickname: '楓', userId: kaede.userId })
  expect(await writeTo(kaede, thread, 'にんにん', '別の名')).toMatchObject({
    name: '楓',
    userId: kaede.userId,
    number: 2,
  })
})

test('a renewed session goes on, and a token that was used before ends it', async () => {
  board = await openBoard()
  const kaede = await signUp(board, '楓')
  const stolen = visit(board)
  for (const [name, value] of kaede.cookies) stolen.cookies.set(name, value)
  board.clock.now += 16 * 60_000
  expect((await kaede.post('/auth/verify')).status).toBe(401)
  expect((await kaede.post('/auth/refresh')).status).toBe(200)
  expect((await kaede.post('/auth/verify')).status).toBe(200)
  expect((await stolen.post('/auth/refresh')).status).toBe(401)
  expect((await kaede.post('/auth/verify')).status).toBe(401)
  expect((await visit(board).post('/auth/login', { username: '楓', password: PASSWORD })).status).toBe(200)
})

test('a renewal whose answer was lost may be repeated by the same attempt, and by no other', async () => {
  board = await openBoard()
  const kaede = await signUp(board, '楓')
  const before = new Map(kaede.cookies)
  const attempt = { 'idempotency-key': 'attempt 1' }
  expect((await kaede.post('/auth/refresh', {}, attempt)).status).toBe(200)
  const after = kaede.cookies.get('refresh')
  for (const [name, value] of before) kaede.cookies.set(name, value)
  expect((await kaede.post('/auth/refresh', {}, attempt)).status).toBe(200)
  expect(kaede.cookies.get('refresh')).toBe(after)
})
