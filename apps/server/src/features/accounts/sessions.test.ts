import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
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

/** A copy of another client's cookies. */
function steal(from: Guest): Guest {
  const thief = visit(board)
  for (const [name, value] of from.cookies) thief.cookies.set(name, value)
  return thief
}

const disconnected = (socket: LiveClient) => new Promise<void>((resolve) => socket.once('disconnect', () => resolve()))

it('a log-out while the database is unreachable leaves the cookies that a later log-out needs', async () => {
  const kaede = await signUp(board)
  const { db } = board.database
  await sql`alter table sessions rename to "sessionsAway"`.execute(db)
  const failed = await kaede.post('/auth/logout')
  await sql`alter table "sessionsAway" rename to sessions`.execute(db)
  expect(failed.status).toBeGreaterThanOrEqual(500)
  // The page has deleted the one cookie that scripts can access.
  kaede.cookies.delete('session')
  expect((await kaede.post('/auth/logout')).status).toBe(200)
  expect(await db.selectFrom('sessions').select('id').where('userId', '=', kaede.userId).execute()).toEqual([])
  expect(kaede.cookies.has('refresh')).toBe(false)
})

describe('a session', () => {
  it('is renewed with a new token, and reuse of an earlier token ends it for both holders', async () => {
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

  it('whose renewal was not answered can be renewed again by the same attempt, and by no other', async () => {
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

  it('is renewed a limited number of times in a quarter of an hour, and survives a refused renewal', async () => {
    const kaede = await signUp(board)
    for (let count = 0; count < 60; count += 1) expect((await kaede.post('/auth/refresh')).status).toBe(200)
    expect((await kaede.post('/auth/refresh')).status).toBe(429)
    expect(await isKnown(kaede)).toBe(true)
  })

  it('ends after thirty days without a visit', async () => {
    const kaede = await signUp(board)
    board.clock.now += 29 * 86_400_000
    expect((await kaede.post('/auth/refresh')).status).toBe(200)
    board.clock.now += 31 * 86_400_000
    expect((await kaede.post('/auth/refresh')).status).toBe(401)
  })

  it('is not renewed without a cookie, with a forged one, or for a deleted member; and the cookies are deleted', async () => {
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
      // The remaining cookie reveals only that a member has logged in here once.
      expect([...forger.cookies.keys()]).toEqual(['device'])
    }
    expect(await isKnown(kaede)).toBe(true)
    await board.database.db.deleteFrom('users').where('id', '=', kaede.userId).execute()
    expect((await kaede.post('/auth/verify')).status).toBe(401)
    expect((await kaede.post('/auth/refresh')).status).toBe(401)
  })

  it('with a forged access token is refused', async () => {
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

  it('closes its socket when it ends', async () => {
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

  it('ends when the browser registers or logs in again, and its socket is closed', async () => {
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
  it('describes browsers in words, the most recently used first, and marks the current one', async () => {
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

  it('ends one of them, with its socket, and none of another member', async () => {
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

  it('ends all but the current one, with their sockets', async () => {
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

  it('contains at most a hundred, and a further log-in ends the least recently used one', async () => {
    const kaede = await signUp(board)
    const start = board.clock.now
    let last: Guest = kaede
    for (let count = 1; count <= 101; count += 1) {
      board.clock.now += 1_000
      if (count === 50) expect((await kaede.post('/auth/refresh')).status).toBe(200)
      last = await logInAgain(kaede)
    }
    const sessions = await sessionsOf(last)
    expect(sessions).toHaveLength(100)
    const rows = board.database.db.selectFrom('sessions').select('createdAt').where('userId', '=', kaede.userId)
    expect(await rows.execute()).toHaveLength(100)
    // The first has been used since, the second and the third have not.
    const ages = sessions.map(({ createdAt }) => (Date.parse(createdAt) - start) / 1_000).toSorted((a, b) => a - b)
    expect(ages.slice(0, 3)).toEqual([0, 3, 4])
    expect(await isKnown(kaede)).toBe(true)
  })

  it('is accessible to its member alone', async () => {
    const guest = visit(board)
    expect((await guest.get('/auth/sessions')).status).toBe(401)
    expect((await guest.delete('/auth/sessions')).status).toBe(401)
  })
})

describe('on https', () => {
  let secured: Board
  beforeAll(async () => {
    secured = await openBoard({ PUBLIC_URL: 'https://board.example' })
  })
  afterAll(() => secured.close())
  const origin = { origin: 'https://board.example' }

  /** Registers a member, and keeps the cookies as the browser received them. */
  async function register(name: string) {
    const payload = { username: name, email: `${randomUUID()}@example.jp`, password: PASSWORD }
    const answer = await secured.app.inject({ method: 'POST', url: '/auth/register', headers: origin, payload })
    expect(answer.statusCode).toBe(201)
    return { told: answer.headers['set-cookie'] as string[], given: answer.cookies }
  }
  const verify = async (cookie: string) => {
    const headers = { ...origin, cookie }
    const answer = await secured.app.inject({ method: 'POST', url: '/auth/verify', headers, payload: {} })
    return answer.statusCode === 200 ? answer.json<{ user: { name: string } }>().user.name : answer.statusCode
  }

  it('cookies of a session can be set by this host alone, and are deleted under the same conditions', async () => {
    const { told, given } = await register('楓の葉')
    const isHosts = (cookie: string) => /; Path=\/;/.test(cookie) && /; Secure/.test(cookie) && !/Domain/i.test(cookie)
    expect(told.map((cookie) => [cookie.split('=')[0], isHosts(cookie)])).toEqual([
      ['__Host-access', true],
      ['__Host-refresh', true],
      ['session', true],
      ['__Host-device', true],
    ])
    const cookie = given.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const answer = await secured.app.inject({ method: 'POST', url: '/auth/logout', headers: { ...origin, cookie } })
    const cleared = answer.headers['set-cookie'] as string[]
    expect(cleared.map((one) => [one.split('=')[0], isHosts(one)])).toEqual([
      ['__Host-access', true],
      ['__Host-refresh', true],
      ['session', true],
    ])
  })

  it('a session of another member that a neighbouring host has set in the browser is ignored', async () => {
    const [kaede, evil] = [await register('楓の実'), await register('悪い隣人')]
    const cookieOf = (name: string, of: typeof kaede) => of.given.find((cookie) => cookie.name === name)!.value
    const access = cookieOf('__Host-access', evil)
    const refresh = encodeURIComponent(cookieOf('__Host-refresh', evil))
    const own = `session=1; __Host-access=${cookieOf('__Host-access', kaede)}`
    expect(await verify(`access=${access}; refresh=${refresh}; ${own}`)).toBe('楓の実')
    expect(await verify(`access=${access}; session=1`)).toBe(401)
    const headers = { ...origin, cookie: `refresh=${refresh}; session=1` }
    const renewal = await secured.app.inject({ method: 'POST', url: '/auth/refresh', headers, payload: {} })
    expect(renewal.statusCode).toBe(401)
  })

  it('a page of the same host over http is refused', async () => {
    for (const [from, status] of [
      ['http://board.example', 403],
      ['https://board.example', 401],
    ] as const) {
      const headers = { origin: from, host: 'board.example', 'content-type': 'application/json' }
      const answer = await secured.app.inject({ method: 'POST', url: '/auth/verify', headers, payload: {} })
      expect([from, answer.statusCode]).toEqual([from, status])
    }
  })
})

it('expired rows are swept when the server starts', async () => {
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
  const second = await openBoard({}, database)
  const left = async () => [
    await db.selectFrom('sessions').select('id').execute(),
    await db.selectFrom('mailTokens').select('tokenHash').execute(),
  ]
  await expect.poll(left).toEqual([[], [{ tokenHash: 'future' }]])
  await second.close()
  await database.close()
})
