/**
 * A member's name is reserved, in any spelling and during registration; a visitor who used it in a
 * thread before keeps it there.
 */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { connectTo, openBoard, send, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest as it } from '../../testing/fixtures.ts'

const DAY = 86_400_000
const TAKEN = { message: messages.nickname_taken, code: 'taken' }

const check = async (guest: Guest, thread: { _id: string }, nickname: string) =>
  (await guest.post<{ available: boolean }>(`/api/threads/${thread._id}/checkNickname`, { nickname })).body
const post = (guest: Guest, thread: { _id: string }, name: string) =>
  guest.post<Post>(`/api/threads/${thread._id}/posts`, { content: 'なりすまし', name })
const open = (guest: Guest, nickname: string) =>
  guest.form('/api/threads', { title: '騙りのスレ', content: 'x', category: 'general', nickname })

describe('a visitor', () => {
  it.for(['カエデ Rin', 'ｶｴﾃﾞ　Ｒｉｎ', 'かえでrin', 'カエテ\u3099RIN', 'カ\u200bエデ Ríп'])(
    'cannot take the name of a member, written as %s',
    async (spelling, { board }) => {
      const taken = await board.database.db
        .selectFrom('users')
        .select('id')
        .where('name', '=', 'カエデ Rin')
        .executeTakeFirst()
      if (taken === undefined) await signUp(board, 'カエデ Rin')
      const thread = await startThread(visit(board))
      const guest = visit(board)
      expect(await check(guest, thread, spelling)).toEqual({ available: false, message: messages.nickname_taken })
      const answer = await post(guest, thread, spelling)
      expect([answer.status, answer.body]).toEqual([409, TAKEN])
      const opened = await open(guest, spelling)
      expect([opened.status, opened.body]).toEqual([409, TAKEN])
      const socket = await connectTo(await board.listen(), guest)
      expect(await send(socket, { threadId: thread._id, content: '声色', name: spelling })).toEqual({ error: TAKEN })
      socket.disconnect()
      expect((await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)).body).toHaveLength(1)
    },
  )

  it('keeps a name in a thread where they used it before a member took it, and in no other thread', async ({
    board,
  }) => {
    const [first, second] = [visit(board), visit(board)]
    const [thread, elsewhere] = [await startThread(first), await startThread(first)]
    await writeTo(first, thread, '先に名乗った', '風のしらべ')
    const member = await signUp(board, '風のしらべ')
    expect((await check(first, thread, '風のしらべ')).available).toBe(true)
    expect((await post(first, thread, '風のシラベ')).status).toBe(201)
    expect((await post(second, thread, '風のしらべ')).status).toBe(409)
    expect((await check(first, elsewhere, '風のしらべ')).available).toBe(false)
    expect((await post(first, elsewhere, '風のしらべ')).status).toBe(409)
    // Both appear under the name; the user id identifies the member.
    expect((await check(member, thread, '風の シラベ')).available).toBe(true)
    expect(await writeTo(member, thread, '本人です')).toMatchObject({ name: '風のしらべ', userId: member.userId })
  })

  it('never gets the name anew while the member registers: a concurrent post keeps it in its own thread only', async ({
    board,
  }) => {
    const guests = Array.from({ length: 10 }, () => visit(board))
    const threads = await Promise.all(guests.map((guest) => startThread(guest)))
    const register = visit(board).post('/auth/register', {
      username: '横取り御免',
      email: 'yokodori@example.jp',
      password: '横取り御免こうむる 7',
    })
    const posts = guests.map((guest, index) => post(guest, threads[index]!, '横取り御免'))
    const opened = guests.map((guest) => open(guest, '横取り御免'))
    expect((await register).status).toBe(201)
    const statuses = (await Promise.all([...posts, ...opened])).map(({ status }) => status)
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
    // From now on a visitor whose post succeeded keeps the name in that thread, and nobody else
    // gets it.
    for (const [index, guest] of guests.entries()) {
      expect((await post(guest, threads[index]!, '横取り御免')).status).toBe(statuses[index])
      expect((await post(visit(board), threads[index]!, '横取り御免')).status).toBe(409)
      expect((await open(guest, '横取り御免')).status).toBe(409)
    }
  })
})

it('a name that a member gave up is reserved for thirty days, then a visitor may take it', async () => {
  const own = await openBoard()
  const member = await signUp(own, '昔の名で出る')
  await member.put('/auth/profile', { name: '今の名で出る' })
  const guest = visit(own)
  const thread = await startThread(guest)
  for (const name of ['昔の名で出る', '今の名で出る']) {
    expect((await check(guest, thread, name)).available).toBe(false)
    expect((await post(guest, thread, name)).status).toBe(409)
  }
  own.clock.now += 29 * DAY
  expect((await post(guest, thread, '昔の名で出る')).status).toBe(409)
  own.clock.now += 2 * DAY
  expect((await check(guest, thread, '昔の名で出る')).available).toBe(true)
  expect((await post(guest, thread, '昔の名で出る')).status).toBe(201)
  expect((await post(guest, thread, '今の名で出る')).status).toBe(409)
  await own.close()
})
