import { randomUUID } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { openBoard, PASSWORD, signUp, START, visit, type Board, type Guest } from '../../testing/board.ts'
import { openProvider, type OpenIdProvider } from '../../testing/outside/openid-provider.ts'

const CLIENT_ID = 'shinobi.apps.googleusercontent.com'

let provider: OpenIdProvider
let board: Board
beforeAll(async () => {
  provider = await openProvider()
  board = await openBoard({ GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_JWKS_URL: provider.jwksUrl })
})
afterAll(async () => {
  await board.close()
  await provider.close()
})

/** Every test has its own 楓. */
let person = 0
beforeEach(() => {
  person += 1
})
const address = () => `kaede${person}@gmail.example`

interface Answer {
  readonly message: string
  readonly code?: string
  readonly user: User
}
type Claims = Record<string, unknown>
/** A generated name, never the one from Google. */
const NINJA_NAME = /^[^_]{2,}_[a-hjkmnp-z2-9]{5}$/u

/** Claims about 楓, valid for an hour. */
function claims(changes: Claims = {}): JWTPayload {
  const at = Math.floor(board.clock.now / 1_000)
  return {
    iss: 'https://accounts.google.com',
    aud: CLIENT_ID,
    sub: `1102484959212389864${person}`,
    email: address(),
    email_verified: true,
    name: `楓の葉${person}`,
    picture: 'http://127.0.0.1:1/must-not-be-fetched.png',
    iat: at,
    exp: at + 3_600,
    jti: randomUUID(),
    ...changes,
  }
}

const signIn = (guest: Guest, credential: string) => guest.post<Answer>('/auth/google', { credential })
const signInAs = async (guest: Guest, changes: Claims = {}) => signIn(guest, await provider.sign(claims(changes)))
const nameOf = async (guest: Guest) => (await guest.post<{ user?: User }>('/auth/verify')).body.user?.name ?? null
const find = () => board.database.db.selectFrom('users').selectAll().where('emailKey', '=', address()).execute()

/** A member with the mail address of the Google account. */
async function signUpWithAddress(verifiedAt: Date | null) {
  const guest = await signUp(board, `楓${person}号`)
  const change = { email: address().toUpperCase(), emailKey: address(), emailVerifiedAt: verifiedAt }
  await board.database.db.updateTable('users').set(change).where('id', '=', guest.userId).execute()
  return guest
}

describe('a Google sign-in', () => {
  it('creates an account the first time, and finds it again later', async () => {
    const guest = visit(board)
    expect(await signInAs(guest)).toMatchObject({
      status: 200,
      body: {
        message: 'Google登録成功',
        user: { name: expect.stringMatching(NINJA_NAME), email: address(), picture: null, isAdmin: false },
      },
    })
    expect(await nameOf(guest)).toMatch(NINJA_NAME)
    const again = await signInAs(visit(board), { iss: 'accounts.google.com' })
    expect(again).toMatchObject({ status: 200, body: { message: messages.google_login_succeeded } })
    expect(await find()).toMatchObject([{ passwordHash: null, emailVerifiedAt: new Date(board.clock.now) }])
  })

  it('logs in while the board is read-only, but creates no account', async () => {
    await signInAs(visit(board))
    const { current } = board.deps.settings
    vi.spyOn(board.deps.settings, 'current', 'get').mockReturnValue({ ...current, readOnly: true })
    expect(await signInAs(visit(board))).toMatchObject({ status: 200 })
    person += 1
    expect(await signInAs(visit(board))).toMatchObject({ status: 503, body: { code: 'read_only' } })
    expect(await find()).toEqual([])
    vi.restoreAllMocks()
    expect(await signInAs(visit(board))).toMatchObject({ status: 200 })
  })

  it('finds the member by the Google account, even after the mail address changed', async () => {
    await signInAs(visit(board))
    const answer = await signInAs(visit(board), { email: 'moved@elsewhere.example', email_verified: false })
    expect(answer).toMatchObject({ status: 200, body: { user: { email: address() } } })
  })

  it('repeated concurrently creates one account', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => signInAs(visit(board))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await find()).toHaveLength(1)
  })

  it('links the account that has confirmed the same mail address, and both ways of log-in work', async () => {
    const kaede = await signUpWithAddress(new Date(board.clock.now))
    const guest = visit(board)
    const answer = await signInAs(guest)
    expect(answer).toMatchObject({ body: { message: messages.google_login_succeeded, user: { _id: kaede.userId } } })
    expect([await nameOf(guest), await nameOf(kaede)]).toEqual([kaede.name, kaede.name])
    expect((await visit(board).post('/auth/login', { username: kaede.name, password: PASSWORD })).status).toBe(200)
  })

  it("creates a separate account when another member has the address unconfirmed, and does not change that member's account", async () => {
    const other = await signUpWithAddress(null)
    const guest = visit(board)
    const answer = await signInAs(guest)
    expect(answer).toMatchObject({ status: 200, body: { message: messages.google_register_succeeded } })
    expect(answer.body.user._id).not.toBe(other.userId)
    expect([await nameOf(other), (await find()).length]).toEqual([other.name, 2])
    expect((await visit(board).post('/auth/login', { username: other.name, password: PASSWORD })).status).toBe(200)
    expect((await visit(board).post('/auth/login', { username: address(), password: PASSWORD })).status).toBe(401)
    expect((await signInAs(visit(board))).body.user._id).toBe(answer.body.user._id)
  })

  it('asks for the second factor of the account, and links nothing without it', async () => {
    const kaede = await signUpWithAddress(new Date(board.clock.now))
    const { db } = board.database
    await db
      .insertInto('moderators')
      .values({ userId: kaede.userId, categoryIds: null, createdAt: new Date() })
      .execute()
    const { body } = await kaede.post<{ secret: string }>('/auth/second-factor', { currentPassword: PASSWORD })
    const secret = Secret.fromBase32(body.secret)
    const codeAt = (seconds: number) => TOTP.generate({ secret, timestamp: board.clock.now + seconds * 1_000 })
    expect((await kaede.post('/auth/second-factor/confirm', { code: codeAt(-30) })).status).toBe(200)
    const guest = visit(board)
    const credential = await provider.sign(claims())
    const send = (code?: string) => guest.post<Answer>('/auth/google', { credential, code })
    expect(await send()).toMatchObject({ status: 403, body: { code: 'code_required' } })
    expect(await send(codeAt(-30))).toMatchObject({ status: 400, body: { code: 'bad_code' } })
    expect(await find()).toMatchObject([{ googleSubject: null }])
    expect(await nameOf(guest)).toBeNull()
    expect(await send(codeAt(0))).toMatchObject({ status: 200, body: { user: { _id: kaede.userId } } })
    expect(await find()).toMatchObject([{ googleSubject: claims()['sub'] }])
  })

  it('is refused for an account that is linked to another Google account', async () => {
    await signInAs(visit(board))
    const answer = await signInAs(visit(board), { sub: '999' })
    expect(answer).toMatchObject({ status: 409, body: { code: 'taken', message: messages.email_taken } })
  })

  it.each([
    ['is not verified', { email_verified: false }],
    ['is verified by a string instead of true', { email_verified: 'true' }],
    ['is missing', { email: undefined }],
    ['is no address', { email: 'kaede' }],
    ['has full-width letters', { email: 'ｋaede@gmail.example' }],
  ])('with a mail address that %s is refused', async (_, changes) => {
    const kaede = await signUpWithAddress(new Date(board.clock.now))
    const answer = await signInAs(visit(board), changes)
    expect(answer).toMatchObject({ status: 403, body: { message: messages.google_email_unverified } })
    expect(await find()).toMatchObject([{ id: kaede.userId, googleSubject: null }])
  })
})

describe('a Google token', () => {
  it.each<[string, Claims]>([
    ['for another client', { aud: 'another.apps.googleusercontent.com' }],
    ['for another client too', { aud: [CLIENT_ID, 'another.apps.googleusercontent.com'] }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://accounts.google.com.evil.example' }],
    ['without an issuer', { iss: undefined }],
    ['that has expired', { exp: Date.parse('2026-11-21T04:00:00Z') / 1_000 }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: Date.parse('2026-11-21T05:00:00Z') / 1_000 }],
    ['without a subject', { sub: undefined }],
    ['with an invalid subject', { sub: 'a\u0000b' }],
  ])('%s is refused', async (_, changes) => {
    const answer = await signInAs(visit(board), changes)
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'bad_credentials', message: messages.google_login_failed },
    })
    expect(await find()).toEqual([])
  })

  it("is checked by the board's clock, with a tolerance of a minute", async () => {
    const [credential, late] = [await provider.sign(claims()), await provider.sign(claims())]
    board.clock.now += 3_600_000 + 59_000
    expect((await signIn(visit(board), credential)).status).toBe(200)
    board.clock.now += 2_000
    expect((await signIn(visit(board), late)).status).toBe(401)
    board.clock.now = START
  })

  it('is accepted once: a replay gets a refusal', async () => {
    const credential = await provider.sign(claims())
    expect((await signIn(visit(board), credential)).status).toBe(200)
    expect(await signIn(visit(board, '203.0.113.66'), credential)).toMatchObject({
      status: 401,
      body: { code: 'bad_credentials', message: messages.google_login_failed },
    })
    expect((await signIn(visit(board), await provider.sign(claims()))).status).toBe(200)
  })

  it('not signed by Google is refused', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    // Its key has the same key id.
    const forger = await openProvider()
    const good = await provider.sign(claims())
    const [header, , signature] = good.split('.')
    const forged = {
      'without a signature': `${encode({ alg: 'none' })}.${encode(claims())}.`,
      'with the public key as a secret': await provider.signWithPublicKey(claims()),
      'of another Google': await forger.sign(claims()),
      'with an unknown key': await provider.sign(claims(), { kid: 'key 99' }),
      'with a longer signature': `${good}x`,
      'with other claims': `${header}.${encode(claims({ email: 'victim@gmail.example' }))}.${signature}`,
      'that is none': 'x',
      'of dots': '..',
    }
    for (const [kind, credential] of Object.entries(forged)) {
      expect({ kind, status: (await signIn(visit(board), credential)).status }).toEqual({ kind, status: 401 })
    }
    expect((await signIn(visit(board), 'x'.repeat(8_193))).status).toBe(400)
    expect(await find()).toEqual([])
    await forger.close()
  })

  it('is refused from an address that has sent too many invalid ones', async () => {
    const guest = visit(board, '198.51.100.1')
    const bad = await provider.sign(claims({ aud: 'another' }))
    for (let count = 0; count < 100; count += 1) expect((await signIn(guest, bad)).status).toBe(401)
    expect((await signInAs(guest)).status).toBe(429)
    expect((await signInAs(visit(board, '198.51.100.2'))).status).toBe(200)
  })
})

describe('the nonce of a Google sign-in', () => {
  const prepare = async (guest: Guest) => (await guest.post<{ nonce: string }>('/auth/google/nonce')).body.nonce
  const refused = { status: 401, body: { code: 'bad_credentials', message: messages.google_login_failed } }

  it('makes a token valid only in the browser that began the sign-in', async () => {
    const guest = visit(board)
    const credential = await provider.sign(claims({ nonce: await prepare(guest) }))
    const thief = visit(board, '203.0.113.66')
    expect(await signIn(thief, credential)).toMatchObject(refused)
    await prepare(thief)
    expect(await signIn(thief, credential)).toMatchObject(refused)
    expect(await find()).toEqual([])
    expect((await signIn(guest, credential)).status).toBe(200)
  })

  it('is required in every token where one was issued, and refused where none was issued', async () => {
    const guest = visit(board)
    expect(await signInAs(guest, { nonce: 'made up' })).toMatchObject(refused)
    expect(await signInAs(guest, { nonce: '' })).toMatchObject(refused)
    expect(await signInAs(guest, { nonce: 7 })).toMatchObject(refused)
    const nonce = await prepare(guest)
    expect(await signInAs(guest)).toMatchObject(refused)
    expect(await signInAs(guest, { nonce: `${nonce}x` })).toMatchObject(refused)
    expect((await signInAs(guest, { nonce })).status).toBe(200)
    // Without a nonce: a client that has not begun a sign-in.
    expect((await signInAs(visit(board))).status).toBe(200)
  })

  it('is shared by all tabs of a browser, in a signed cookie that scripts cannot read', async () => {
    const guest = visit(board)
    const answer = await guest.post<{ nonce: string }>('/auth/google/nonce')
    expect(answer.headers['set-cookie']).toMatch(/^google=[^;]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax/)
    expect(answer.headers['set-cookie']).not.toContain(answer.body.nonce)
    expect(await prepare(guest)).toBe(answer.body.nonce)
    guest.cookies.set('google', 'chosen.by-somebody')
    expect(await prepare(guest)).not.toBe(answer.body.nonce)
    expect(await prepare(visit(board))).not.toBe(answer.body.nonce)
  })
})

describe("the set of Google's keys", () => {
  /** A board that has not fetched the keys yet. */
  async function withNewBoard(work: (keys: OpenIdProvider, signInThere: () => Promise<Answered>) => Promise<void>) {
    const keys = await openProvider()
    const other = await openBoard({ GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_JWKS_URL: keys.jwksUrl })
    try {
      await work(keys, async () => signIn(visit(other), await keys.sign(claims())))
    } finally {
      vi.useRealTimers()
      await other.close()
      await keys.close()
    }
  }
  type Answered = Awaited<ReturnType<typeof signIn>>

  it('is fetched once, and again when the keys have changed', async () => {
    await withNewBoard(async (keys, signInThere) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      expect([(await signInThere()).status, (await signInThere()).status, keys.fetches]).toEqual([200, 200, 1])
      await keys.rotate()
      // Tokens with unknown keys must not cause a fetch each time.
      expect([(await signInThere()).status, keys.fetches]).toEqual([401, 1])
      vi.setSystemTime(Date.now() + 31_000)
      expect([(await signInThere()).status, (await signInThere()).status, keys.fetches]).toEqual([200, 200, 2])
    })
  })

  it('that is unreachable makes the sign-in fail, which works again once the keys are reachable', async () => {
    await withNewBoard(async (keys, signInThere) => {
      await keys.goDown()
      const answer = await signInThere()
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', message: messages.unavailable } })
      expect(answer.headers['retry-after']).toBe('10')
      await keys.comeBack()
      expect((await signInThere()).status).toBe(200)
      await keys.goDown()
      // The keys are cached now.
      expect((await signInThere()).status).toBe(200)
    })
  })
})

it('without a client id the Google sign-in answers that it is unavailable', async () => {
  const other = await openBoard()
  const answer = await signIn(visit(other), await provider.sign(claims()))
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable', message: messages.google_unavailable } })
  await other.close()
})
