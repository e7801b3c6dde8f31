import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '@shinobi/contract/accounts'
import {
  connectTo,
  openBoard,
  openTestDatabase,
  PASSWORD,
  signUp,
  START,
  startThread,
  visit,
  type Board,
  type Guest,
  type LiveClient,
  type MemberGuest,
} from '../../testing/board.ts'

let board: Board
beforeAll(async () => {
  board = await openBoard()
})
afterAll(() => board.close())

const MINUTE = 60_000
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'

const sessionsOf = async (guest: Guest) => (await guest.get<{ sessions: Session[] }>('/auth/sessions')).body.sessions
const isKnown = async (guest: Guest) => (await guest.post('/auth/verify')).status === 200

/** The same member in another browser. */
async function logInAgain({ name }: MemberGuest, headers: Record<string, string> = {}): Promise<Guest> {
  const guest = visit(board)
  expect((await guest.post('/auth/login', { username: name, password: PASSWORD }, headers)).status).toBe(200)
  return guest
}

/** A copy of somebody's cookies. */
function steal(from: Guest): Guest {
  const thief = visit(board)
  for (const [name, value] of from.cookies) thief.cookies.set(name, value)
  return thief
}

const disconnected = (socket: LiveClient) => new Promise<void>((resolve) => socket.once('disconnect', () => resolve()))

describe('a session', () => {
  it('is renewed with a new token, and a token that was used before ends it for both who hold one', async () => {
    const kaede = await signUp(board)
    const thief = steal(kaede)
    board.clock.now += 16 * MINUTE
    expect((await kaede.post('/auth/verify')).status).toBe(401)
    expect((await kaede.post('/auth/refresh')).status).toBe(200)
    expect(await isKnown(kaede)).toBe(true)
    expect((await thief.post('/auth/refresh')).status).toBe(401)
    expect(await isKnown(kaede)).toBe(false)
    expect((await kaede.post('/auth/refresh')).status).toBe(401)
    expect(await isKnown(await logInAgain(kaede))).toBe(true)
  })

  it('whose renewal was answered to nobody may be renewed again by the same attempt, and by no other', async () => {
    const kaede = await signUp(board)
    const before = steal(kaede)
    const attempt = { 'idempotency-key': 'attempt 1' }
    expect((await kaede.post('/auth/refresh', {}, attempt)).status).toBe(200)
    const again = steal(before)
    expect((await again.post('/auth/refresh', {}, attempt)).status).toBe(200)
    expect(again.cookies.get('refresh')).toBe(kaede.cookies.get('refresh'))
    expect((await before.post('/auth/refresh', {}, { 'idempotency-key': 'attempt 2' })).status).toBe(401)
  })

  it('is renewed once when many calls find it expired at the same moment', async () => {
    const kaede = await signUp(board)
    const tabs = Array.from({ length: 4 }, () => steal(kaede))
    const answers = await Promise.all(
      tabs.map((tab) => tab.post('/auth/refresh', {}, { 'idempotency-key': 'the same attempt' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(tabs.map((tab) => tab.cookies.get('refresh'))).size).toBe(1)
  })

  it('ends after thirty days without a visit', async () => {
    const kaede = await signUp(board)
    board.clock.now += 29 * 86_400_000
    expect((await kaede.post('/auth/refresh')).status).toBe(200)
    board.clock.now += 31 * 86_400_000
    expect((await kaede.post('/auth/refresh')).status).toBe(401)
  })

  it('is not renewed without a cookie, with a forged one, or for a member who is gone; and the cookies go', async () => {
    expect((await visit(board).post('/auth/refresh')).status).toBe(401)
    const kaede = await signUp(board)
    for (const forged of [
      'x',
      `${kaede.cookies.get('refresh')}x`,
      kaede.cookies.get('refresh')!.replace(/^.{8}/, '00000000'),
    ]) {
      const forger = steal(kaede)
      forger.cookies.set('refresh', forged)
      expect((await forger.post('/auth/refresh')).status).toBe(401)
      expect([...forger.cookies.keys()]).toEqual([])
    }
    expect(await isKnown(kaede)).toBe(true)
    await board.database.db.deleteFrom('users').where('id', '=', kaede.userId).execute()
    expect((await kaede.post('/auth/verify')).status).toBe(401)
    expect((await kaede.post('/auth/refresh')).status).toBe(401)
  })

  it('whose access token somebody made up is none', async () => {
    const kaede = await signUp(board)
    const [header, payload] = kaede.cookies.get('access')!.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    for (const forged of [`${header}.${payload}.x`, `${none}.${payload}.`, 'x']) {
      const forger = steal(kaede)
      forger.cookies.set('access', forged)
      expect((await forger.post('/auth/verify')).status).toBe(401)
      expect((await visit(board).post('/auth/verify', {}, { authorization: `Bearer ${forged}` })).status).toBe(401)
    }
  })

  it('that ends takes its socket along', async () => {
    const kaede = await signUp(board)
    const other = await logInAgain(kaede)
    const url = await board.listen()
    const [socket, otherSocket] = [await connectTo(url, kaede), await connectTo(url, other)]
    const gone = disconnected(otherSocket)
    await other.post('/auth/logout')
    await gone
    expect(socket.connected).toBe(true)
    socket.disconnect()
  })

  it('of somebody who registers or logs in anew in the same browser ends, and its socket with it', async () => {
    const kaede = await signUp(board)
    const kotaro = await signUp(board)
    const socket = await connectTo(await board.listen(), kotaro)
    const gone = disconnected(socket)
    expect((await kotaro.post('/auth/login', { username: kaede.name, password: PASSWORD })).status).toBe(200)
    await gone
    expect(await startThread(kotaro)).toMatchObject({ nickname: kaede.name })
  })
})

describe('the list of sessions', () => {
  it('names browsers in words, the last used first, and tells the own one', async () => {
    const kaede = await signUp(board)
    const start = board.clock.now
    board.clock.now += MINUTE
    const firefox = await logInAgain(kaede, { 'user-agent': FIREFOX })
    const sessions = await sessionsOf(firefox)
    expect(sessions).toMatchObject([
      { current: true, device: 'Firefox / Windows', lastUsedAt: new Date(start + MINUTE).toISOString() },
      { current: false, createdAt: new Date(start).toISOString() },
    ])
  })

  it('ends one of them, with its socket, and nobody else’s', async () => {
    const kaede = await signUp(board)
    const kotaro = await signUp(board)
    const other = await logInAgain(kaede)
    const socket = await connectTo(await board.listen(), other)
    const gone = disconnected(socket)
    const id = (await sessionsOf(kaede)).find(({ current }) => !current)!._id
    expect((await kotaro.delete(`/auth/sessions/${id}`)).status).toBe(404)
    expect((await kaede.delete(`/auth/sessions/${id}`)).status).toBe(200)
    await gone
    expect([await isKnown(kaede), await isKnown(other), await isKnown(kotaro)]).toEqual([true, false, true])
    expect((await kaede.delete(`/auth/sessions/${id}`)).status).toBe(404)
    expect((await kaede.delete('/auth/sessions/none')).status).toBe(404)
  })

  it('ends all but the own one, with their sockets', async () => {
    const kaede = await signUp(board)
    const others = [await logInAgain(kaede), await logInAgain(kaede)]
    const url = await board.listen()
    const own = await connectTo(url, kaede)
    const sockets = await Promise.all(others.map((other) => connectTo(url, other)))
    const gone = Promise.all(sockets.map(disconnected))
    expect((await kaede.delete('/auth/sessions')).status).toBe(200)
    await gone
    expect(own.connected).toBe(true)
    expect(await Promise.all([kaede, ...others].map(isKnown))).toEqual([true, false, false])
    own.disconnect()
  })

  it('is nobody’s business but the member’s', async () => {
    const guest = visit(board)
    expect((await guest.get('/auth/sessions')).status).toBe(401)
    expect((await guest.delete('/auth/sessions')).status).toBe(401)
  })
})

it('what has expired is swept away when the server starts', async () => {
  const database = await openTestDatabase()
  const first = await openBoard({}, database)
  const kaede = await signUp(first)
  await first.close()
  const { db } = database
  const past = new Date(START - 1)
  await db.updateTable('sessions').set({ expiresAt: past }).execute()
  const token = { userId: kaede.userId, purpose: 'verify', email: 'kaede@example.jp' } as const
  await db
    .insertInto('mailTokens')
    .values([
      { ...token, tokenHash: 'past', expiresAt: past },
      { ...token, tokenHash: 'future', expiresAt: new Date(START + 1) },
    ])
    .execute()
  await (await openBoard({}, database)).close()
  expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
  expect(await db.selectFrom('mailTokens').select('tokenHash').execute()).toEqual([{ tokenHash: 'future' }])
  await database.close()
})
