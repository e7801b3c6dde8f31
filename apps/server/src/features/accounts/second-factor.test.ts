import { Secret, TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { setPassword } from './admins.service.ts'
import {
  connectTo,
  openBoard,
  PASSWORD,
  signUp,
  visit,
  type Board,
  type Guest,
  type MemberGuest,
} from '../../testing/board.ts'

let board: Board
beforeAll(async () => {
  board = await openBoard()
})
afterAll(() => board.close())
beforeEach(() => {
  // A new time step, so that no test reuses the codes of another.
  board.clock.now += 90_000
})

interface Refusal {
  readonly code: string
  readonly message: string
}
interface State {
  readonly enabled: boolean
  readonly available: boolean
  readonly required: boolean
  readonly recoveryCodes: number
}

/** The authenticator's code so many seconds from now. */
const codeAt = (secret: string, seconds = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: board.clock.now + seconds * 1_000 })
/** A code of six digits that is wrong now. */
const wrongCode = (secret: string): string => {
  const right = new Set([-60, -30, 0, 30, 60].map((seconds) => codeAt(secret, seconds)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code))!
}
const readState = async (guest: Guest): Promise<State> => (await guest.get<State>('/auth/second-factor')).body
const logIn = (username: string, code?: string, guest = visit(board)) =>
  guest.post<Refusal & { _id: string }>('/auth/login', {
    username,
    password: PASSWORD,
    ...(code === undefined ? {} : { code }),
  })

const setUp = async (member: Guest): Promise<string> =>
  (await member.post<{ secret: string }>('/auth/second-factor', { currentPassword: PASSWORD })).body.secret
async function turnOn(member: Guest): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = await setUp(member)
  const answer = await member.post<{ recoveryCodes: string[] }>('/auth/second-factor/confirm', {
    code: codeAt(secret, -30),
  })
  expect(answer.status).toBe(200)
  return { secret, recoveryCodes: answer.body.recoveryCodes }
}
const signUpModerator = (): Promise<MemberGuest> => signUp(board, undefined, { moderates: 'all' })

describe('setting up a second factor', () => {
  it('is possible for administrators and moderators alone', async () => {
    const member = await signUp(board)
    expect(await readState(member)).toEqual({ enabled: false, available: false, required: false, recoveryCodes: 0 })
    expect(await member.post('/auth/second-factor', { currentPassword: PASSWORD })).toMatchObject({
      ...{ status: 403, body: { message: messages.second_factor_unavailable } },
    })
    expect((await visit(board).post('/auth/second-factor')).status).toBe(401)
  })

  it('requires the password, and returns a secret that every authenticator supports', async () => {
    const moderator = await signUpModerator()
    expect(await moderator.post('/auth/second-factor', { currentPassword: 'まちがい' })).toMatchObject({
      ...{ status: 400, body: { code: 'bad_password' } },
    })
    const { body } = await moderator.post<{ secret: string; uri: string }>('/auth/second-factor', {
      currentPassword: PASSWORD,
    })
    expect(URI.parse(body.uri)).toMatchObject({
      ...{ issuer: '忍板', label: moderator.name, algorithm: 'SHA1', digits: 6, period: 30 },
      secret: { base32: body.secret },
    })
    expect(Secret.fromBase32(body.secret).bytes).toHaveLength(20)
    const row = await board.database.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('userId', '=', moderator.userId)
      .executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(body.secret)
    // Log-ins require no code until a first one has confirmed that the authenticator has the
    // secret.
    expect(await readState(moderator)).toMatchObject({ enabled: false, available: true })
    expect((await logIn(moderator.name)).status).toBe(200)
  })

  it('is completed by a first code: recovery codes are shown once, and the other sessions end', async () => {
    const moderator = await signUpModerator()
    const elsewhere = visit(board)
    await logIn(moderator.name, undefined, elsewhere)
    const socket = await connectTo(await board.listen(), elsewhere)
    const left = new Promise((resolve) => socket.once('disconnect', resolve))
    const secret = await setUp(moderator)
    const wrong = await moderator.post('/auth/second-factor/confirm', { code: wrongCode(secret) })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'bad_code', message: messages.code_wrong } })
    const answer = await moderator.post<{ recoveryCodes: string[] }>('/auth/second-factor/confirm', {
      code: codeAt(secret),
    })
    const { recoveryCodes } = answer.body
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}(-[A-HJ-NP-Z2-9]{4}){3}$/)
    expect(await readState(moderator)).toEqual({ enabled: true, available: true, required: false, recoveryCodes: 10 })
    await left
    expect((await elsewhere.post('/auth/verify')).status).toBe(401)
    const row = await board.database.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('userId', '=', moderator.userId)
      .executeTakeFirst()
    for (const code of recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
    // A second set-up is refused.
    expect((await moderator.post('/auth/second-factor', { currentPassword: PASSWORD })).status).toBe(409)
    expect((await moderator.post('/auth/second-factor/confirm', { code: codeAt(secret, 30) })).status).toBe(409)
  })

  it('ends a session that a concurrent log-in opens without a code', async () => {
    for (let round = 0; round < 4; round += 1) {
      const moderator = await signUpModerator()
      const secret = await setUp(moderator)
      const thieves = Array.from({ length: 20 }, () => visit(board))
      const logins = thieves.map((thief) => logIn(moderator.name, undefined, thief))
      const confirmed = await moderator.post('/auth/second-factor/confirm', { code: codeAt(secret) })
      expect(confirmed.status).toBe(200)
      await Promise.all(logins)
      const states = await Promise.all(thieves.map(async (thief) => (await thief.post('/auth/verify')).status))
      expect(new Set(states)).toEqual(new Set([401]))
    }
  })

  it('is not completed by a code of a replaced secret, nor without a secret', async () => {
    const moderator = await signUpModerator()
    expect((await moderator.post('/auth/second-factor/confirm', { code: '123456' })).status).toBe(400)
    const old = await setUp(moderator)
    const secret = await setUp(moderator)
    expect(secret).not.toBe(old)
    expect((await moderator.post('/auth/second-factor/confirm', { code: codeAt(old) })).status).toBe(400)
    expect((await moderator.post('/auth/second-factor/confirm', { code: codeAt(secret) })).status).toBe(200)
  })
})

describe('a log-in with a second factor', () => {
  it('asks for a code only after a right password, and accepts codes of half a minute before and after', async () => {
    const moderator = await signUpModerator()
    const { secret } = await turnOn(moderator)
    board.clock.now += 120_000
    const { name } = moderator
    expect(
      (await visit(board).post('/auth/login', { username: name, password: 'まちがい', code: codeAt(secret) })).status,
    ).toBe(401)
    for (const code of [undefined, '', '  ']) {
      expect(await logIn(name, code)).toMatchObject({
        status: 403,
        body: { code: 'code_required', message: messages.code_required },
      })
    }
    expect(await logIn(name, wrongCode(secret))).toMatchObject({
      status: 400,
      body: { code: 'bad_code', message: messages.code_wrong },
    })
    expect((await logIn(name, codeAt(secret, -60))).status).toBe(400)
    expect((await logIn(name, codeAt(secret, 60))).status).toBe(400)
    const late = await logIn(name, codeAt(secret, -30))
    expect(late).toMatchObject({ status: 200, body: { _id: moderator.userId } })
    expect((await logIn(name, codeAt(secret, 30))).status).toBe(200)
  })

  it('accepts each code once, and no code from before it', async () => {
    const moderator = await signUpModerator()
    const { secret } = await turnOn(moderator)
    // The code that turned it on is consumed.
    expect((await logIn(moderator.name, codeAt(secret, -30))).status).toBe(400)
    const both = await Promise.all([logIn(moderator.name, codeAt(secret)), logIn(moderator.name, codeAt(secret))])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect((await logIn(moderator.name, codeAt(secret))).status).toBe(400)
    board.clock.now += 30_000
    expect((await logIn(moderator.name, codeAt(secret, -30))).status).toBe(400)
    expect((await logIn(moderator.name, codeAt(secret))).status).toBe(200)
  })

  it('accepts a code in full-width digits and in groups', async () => {
    const moderator = await signUpModerator()
    const { secret, recoveryCodes } = await turnOn(moderator)
    const wide = codeAt(secret).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    expect((await logIn(moderator.name, `${wide.slice(0, 3)}　${wide.slice(3)}`)).status).toBe(200)
    expect((await logIn(moderator.name, recoveryCodes[0]!.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
  })

  it('accepts each recovery code once, even in concurrent attempts', async () => {
    const moderator = await signUpModerator()
    const { recoveryCodes } = await turnOn(moderator)
    const [first, second] = recoveryCodes
    const answers = await Promise.all([logIn(moderator.name, first), logIn(moderator.name, first)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    const guest = visit(board)
    expect((await logIn(moderator.name, second, guest)).status).toBe(200)
    expect(await readState(guest)).toMatchObject({ recoveryCodes: 8 })
    expect((await logIn(moderator.name, 'ABCD-EFGH-JKLM-NPQR')).status).toBe(400)
  })

  it('is blocked for an hour after twenty wrong codes from any addresses, and right passwords in between do not reset the count', async () => {
    const moderator = await signUpModerator()
    const { secret } = await turnOn(moderator)
    const other = await signUpModerator()
    const otherSecret = (await turnOn(other)).secret
    const wrong = wrongCode(secret)
    for (let count = 0; count < 20; count += 1) {
      const guest = visit(board, `198.51.${count}.7`)
      expect((await logIn(moderator.name, undefined, guest)).status).toBe(403)
      expect((await logIn(moderator.name, wrong, guest)).status).toBe(400)
    }
    const refused = await logIn(moderator.name, codeAt(secret, 30))
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: messages.login_limited(60) },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_590)
    expect((await logIn(other.name, codeAt(otherSecret, 30))).status).toBe(200)
  })

  it('still asks for a code after a new password was set', async () => {
    const moderator = await signUpModerator()
    const { secret } = await turnOn(moderator)
    const password = '新しい合言葉 43'
    await setPassword(board.database.db, moderator.name, password)
    const send = (code?: string) =>
      visit(board).post<Refusal>('/auth/login', { username: moderator.name, password, code })
    expect(await send()).toMatchObject({ status: 403, body: { code: 'code_required' } })
    expect((await send(codeAt(secret, 30))).status).toBe(200)
  })

  it('accepts a recovery code when the secret cannot be decrypted any more', async () => {
    const moderator = await signUpModerator()
    const { secret, recoveryCodes } = await turnOn(moderator)
    await board.database.db
      .updateTable('secondFactors')
      .set({ sealedSecret: 'v1.sealed-by-another-server' })
      .where('userId', '=', moderator.userId)
      .execute()
    expect((await logIn(moderator.name, codeAt(secret))).status).toBe(400)
    expect((await logIn(moderator.name, recoveryCodes[0])).status).toBe(200)
  })
})

describe('a stranger who knows the password', () => {
  /** A hundred wrong passwords from many addresses, and as many wrong codes as are accepted. */
  async function flood({ name }: MemberGuest, secret: string): Promise<void> {
    for (let host = 1; host <= 10; host += 1) {
      const stranger = visit(board, `198.51.100.${host}`)
      for (let count = 0; count < 10; count += 1) {
        await stranger.post('/auth/login', { username: name, password: 'まちがい' })
      }
    }
    // Wrong passwords have blocked the log-in by name; the mail address has its own count.
    const { email } = await board.database.db
      .selectFrom('users')
      .select('email')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const statuses = []
    for (let count = 0; count < 25; count += 1) {
      const guest = visit(board, `198.51.101.${count}`)
      statuses.push((await logIn(email!, wrongCode(secret), guest)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), ...Array.from({ length: 5 }, () => 429)])
    expect((await logIn(name, codeAt(secret), visit(board, '198.51.102.1'))).status).toBe(429)
  }

  it.each([
    ['an administrator', { isAdmin: true }],
    ['a moderator', { moderates: 'all' }],
  ] as const)('does not lock %s out of a browser in which they have shown a code before', async (_, account) => {
    const owner = await signUp(board, undefined, account)
    const { secret } = await turnOn(owner)
    await flood(owner, secret)
    expect((await owner.post('/auth/logout')).status).toBe(200)
    expect((await logIn(owner.name, wrongCode(secret), owner)).status).toBe(400)
    expect((await logIn(owner.name, codeAt(secret), owner)).status).toBe(200)
    // A member who is logged in is not blocked either.
    const drop = { currentPassword: PASSWORD, code: codeAt(secret, 30) }
    expect((await owner.delete('/auth/second-factor', drop)).status).toBe(200)
  })

  it('does not lock out a holder with a recovery code, in any browser', async () => {
    const owner = await signUpModerator()
    const { secret, recoveryCodes } = await turnOn(owner)
    await flood(owner, secret)
    const email = `${owner.userId}@example.jp`
    expect((await logIn(email, recoveryCodes[0], visit(board, '203.0.113.90'))).status).toBe(200)
  })

  it('gains no attempts from browsers that were known before the second factor was set up', async () => {
    const owner = await signUpModerator()
    const thief = visit(board, '198.51.100.200')
    await logIn(owner.name, undefined, thief)
    const { secret } = await turnOn(owner)
    await flood(owner, secret)
    // The password is still accepted there, and the code is counted like any stranger's.
    expect((await logIn(owner.name, codeAt(secret), thief)).status).toBe(429)
  })

  it('uses up none of the holder’s attempts by right passwords without a code, even from the same address', async () => {
    const owner = await signUpModerator()
    const { secret } = await turnOn(owner)
    const statuses = []
    for (let count = 0; count < 121; count += 1) statuses.push((await logIn(owner.name)).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([403, 429])
    await owner.post('/auth/logout')
    expect((await logIn(owner.name, codeAt(secret), owner)).status).toBe(200)
  })

  it('gets no more attempts in a known browser than in any other', async () => {
    const owner = await signUpModerator()
    const { secret } = await turnOn(owner)
    await owner.post('/auth/logout')
    const statuses = []
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await logIn(owner.name, wrongCode(secret), owner)).status)
    }
    expect(statuses.slice(19)).toEqual([400, 429])
  })
})

describe('turning off a second factor', () => {
  it('requires the password and a code', async () => {
    const moderator = await signUpModerator()
    const { secret } = await turnOn(moderator)
    const drop = (currentPassword: string, code: string) =>
      moderator.delete('/auth/second-factor', { currentPassword, code })
    expect((await drop('まちがい', codeAt(secret))).status).toBe(400)
    expect(await drop(PASSWORD, wrongCode(secret))).toMatchObject({ status: 400, body: { code: 'bad_code' } })
    expect((await logIn(moderator.name)).status).toBe(403)
    expect((await drop(PASSWORD, codeAt(secret))).status).toBe(200)
    expect((await logIn(moderator.name)).status).toBe(200)
    expect(await drop(PASSWORD, codeAt(secret))).toMatchObject({
      status: 400,
      body: { message: messages.second_factor_none },
    })
  })

  it('is possible for a member who is no longer administrator or moderator', async () => {
    const moderator = await signUpModerator()
    const { recoveryCodes } = await turnOn(moderator)
    await board.database.db.deleteFrom('moderators').where('userId', '=', moderator.userId).execute()
    expect(await readState(moderator)).toMatchObject({ enabled: true, available: false })
    const answer = await moderator.delete('/auth/second-factor', { currentPassword: PASSWORD, code: recoveryCodes[0] })
    expect(answer.status).toBe(200)
  })
})

describe('where administrators need a second factor', () => {
  it('only an administrator with one can turn the setting on, and one without it is refused the whole administration', async () => {
    const own = await openBoard()
    const chief = await signUp(own, '頭領', { isAdmin: true })
    const other = await signUp(own, '楓の葉', { isAdmin: true })
    const moderator = await signUp(own, '椿の花', { moderates: 'all' })
    const demand = () => chief.put<Refusal>('/api/admin/settings', { requireSecondFactor: true })
    expect(await demand()).toMatchObject({ status: 403, body: { code: 'second_factor_missing' } })
    const secret = await setUp(chief)
    // A secret that is not confirmed does not suffice.
    expect((await demand()).status).toBe(403)
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: own.clock.now })
    expect((await chief.post('/auth/second-factor/confirm', { code })).status).toBe(200)
    expect((await demand()).status).toBe(200)
    await own.deps.revisions.settle()
    expect((await chief.get('/api/admin/dashboard')).status).toBe(200)
    expect(await other.get('/api/admin/dashboard')).toMatchObject({
      status: 403,
      body: { code: 'second_factor_missing' },
    })
    expect((await other.post('/auth/verify')).body).toMatchObject({
      user: { isAdmin: true, secondFactorMissing: true },
    })
    expect(await readState(other)).toMatchObject({ enabled: false, available: true, required: true })
    expect((await moderator.get('/api/admin/threads')).status).toBe(200)
    const others = await setUp(other)
    await other.post('/auth/second-factor/confirm', {
      code: TOTP.generate({ secret: Secret.fromBase32(others), timestamp: own.clock.now }),
    })
    expect((await other.get('/api/admin/dashboard')).status).toBe(200)
    await own.close()
  })
})

describe('where moderators need a second factor', () => {
  it('a moderator without one is refused the whole administration, and administrators have their own setting', async () => {
    const own = await openBoard()
    const chief = await signUp(own, '頭領', { isAdmin: true })
    const moderator = await signUp(own, '椿の花', { moderates: 'all' })
    const member = await signUp(own, '楓の葉')
    expect((await chief.put('/api/admin/settings', { requireModeratorSecondFactor: true })).status).toBe(200)
    await own.deps.revisions.settle()
    expect((await chief.get('/api/admin/dashboard')).status).toBe(200)
    expect(await moderator.get('/api/admin/threads')).toMatchObject({
      status: 403,
      body: { code: 'second_factor_missing' },
    })
    expect((await moderator.post('/auth/verify')).body).toMatchObject({ user: { secondFactorMissing: true } })
    expect((await member.post('/auth/verify')).body).toMatchObject({ user: { secondFactorMissing: false } })
    expect(await readState(moderator)).toMatchObject({ enabled: false, available: true, required: true })
    const { users } = (await chief.get<{ users: { name: string; secondFactorMissing: boolean }[] }>('/api/admin/users'))
      .body
    expect(users.filter(({ secondFactorMissing }) => secondFactorMissing).map(({ name }) => name)).toEqual(['椿の花'])
    const secret = await setUp(moderator)
    await moderator.post('/auth/second-factor/confirm', {
      code: TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: own.clock.now }),
    })
    expect((await moderator.get('/api/admin/threads')).status).toBe(200)
    await own.close()
  })
})
