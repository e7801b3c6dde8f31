import argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@shinobi/contract/accounts'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import {
  openBoard,
  PASSWORD,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
} from '../../testing/board.ts'
import { statementsOfRequests } from '../../testing/request-statements.ts'
import { hashing } from './hashing.ts'

let board: Board
beforeAll(async () => {
  board = await openBoard({ REGISTRATIONS_PER_HOUR: '1000' })
})
afterAll(() => board.close())

/** Every test has its own 半蔵. */
let person = 0
let hanzo = { username: '', email: '', password: '' }
beforeEach(() => {
  person += 1
  hanzo = { username: `服部半蔵${person}`, email: `hanzo${person}@example.jp`, password: '忍びの合言葉 42' }
})

interface Registered {
  readonly message: string
  readonly user: User
}

const register = (guest: Guest, fields: object = {}) =>
  guest.post<Registered>('/auth/register', { ...hanzo, ...fields })
const logIn = (guest: Guest, username: string, password: string) =>
  guest.post<ErrorAnswer>('/auth/login', { username, password })

describe('registration', () => {
  it('logs the member in at once, shows the name on posts, and allows log-in by name or confirmed mail address later', async () => {
    const guest = visit(board)
    const answer = await register(guest)
    expect(answer).toMatchObject({
      status: 201,
      body: {
        message: '登録成功',
        user: { name: hanzo.username, email: hanzo.email, picture: null, isAdmin: false },
      },
    })
    expect((await guest.post('/auth/verify')).body).toEqual({ user: answer.body.user })
    const thread = await startThread(guest, { nickname: '偽名' })
    expect(thread).toMatchObject({ nickname: hanzo.username, userId: answer.body.user._id })
    expect(await writeTo(guest, thread, 'にんにん', '別の名')).toMatchObject({ name: hanzo.username, number: 2 })
    const { username, email } = hanzo
    const change = { emailVerifiedAt: new Date(board.clock.now) }
    await board.database.db.updateTable('users').set(change).where('email', '=', email).execute()
    // As a Japanese keyboard types it.
    const wideEmail = email.replaceAll(/[!-~]/g, (typed) => String.fromCodePoint(typed.codePointAt(0)! + 0xfee0))
    for (const typed of [username, username.replace('部', '部 '), email, ` ${email.toUpperCase()} `, wideEmail]) {
      const login = await visit(board).post<User & { user: User }>('/auth/login', {
        username: typed,
        password: hanzo.password,
      })
      expect(login).toMatchObject({ status: 200, body: { ...answer.body.user, user: answer.body.user } })
    }
  })

  it.each([
    ['no name', { username: '' }, 400, 'bad_username', messages.register_required_fields],
    ['no password', { password: undefined }, 400, 'bad_password', messages.register_required_fields],
    [
      'no password, and a bad address',
      { email: 'a', password: '' },
      400,
      'bad_password',
      messages.register_required_fields,
    ],
    [
      'a short name, and no address',
      { username: '半', email: '' },
      400,
      'bad_email',
      messages.register_required_fields,
    ],
    ['a short name, and a bad address', { username: '半', email: 'a' }, 400, 'bad_email', messages.email_invalid],
    ['a short name', { username: '半蔵' }, 400, 'bad_username', messages.username_length],
    ['a name with an @', { username: 'hanzo@example' }, 400, 'bad_username', messages.username_at],
    ['a name with a wide @', { username: 'hanzo＠example' }, 400, 'bad_username', messages.username_at],
    ['a name of the staff', { username: 'Ａｄｍｉｎ' }, 409, 'taken', messages.username_taken],
    ['a mail address without a dot', { email: 'hanzo@example' }, 400, 'bad_email', messages.email_invalid],
    ['a mail address in wide letters', { email: 'ｈanzo@example.jp' }, 400, 'bad_email', messages.email_invalid],
    ['two mail addresses', { email: 'a,hanzo@example.jp' }, 400, 'bad_email', messages.email_invalid],
    [
      'a mail address with a new line',
      { email: 'a\r\nBcc:hanzo@example.jp' },
      400,
      'bad_email',
      messages.email_invalid,
    ],
    ['a short password', { password: 'にんにん' }, 400, 'bad_password', messages.password_length],
    ['a common password', { password: 'Ｐassword1' }, 400, 'bad_password', messages.password_too_common],
    [
      'the own address as password',
      { email: 'own@example.jp', password: 'own@example.jp' },
      400,
      'bad_password',
      messages.password_too_common,
    ],
  ])('with %s is refused with the reason', async (_, fields, status, code, message) => {
    expect(await register(visit(board), fields)).toMatchObject({ status, body: { code, message } })
  })

  it('refuses a name with a banned word', async () => {
    await board.database.db
      .insertInto('bannedWords')
      .values({ id: '01900000-0000-7000-8000-000000000001', word: '手裏剣', allow: '[]', createdAt: new Date() })
      .execute()
    await board.deps.words.reload()
    const answer = await register(visit(board), { username: 'しゅりけん手 裏 剣' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'banned_word', message: messages.username_banned } })
  })

  it("refuses another member's name in every spelling", async () => {
    await register(visit(board))
    const email = `another${person}@example.jp`
    for (const username of ['服部', '服部　', '服部\u200B'].map((start) => hanzo.username.replace('服部', start))) {
      const answer = await register(visit(board), { username, email })
      expect(answer).toMatchObject({ status: 409, body: { code: 'taken', message: messages.username_taken } })
    }
    // The refused registrations left nothing behind.
    expect((await register(visit(board), { username: `百地三太夫${person}`, email })).status).toBe(201)
  })

  it.each([
    ['name and mail address', () => ({})],
    ['name', () => ({ email: `another${person}@example.jp` })],
  ])('at the same moment as another one with the same %s: one of them wins', async (_, fields) => {
    const answers = await Promise.all([register(visit(board)), register(visit(board), fields())])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const users = await board.database.db
      .selectFrom('users')
      .select('id')
      .where((row) => row.or([row('email', '=', hanzo.email), row('name', '=', hanzo.username)]))
      .execute()
    expect(users).toHaveLength(1)
  })

  it('answers the same whether another member has confirmed the mail address, has only typed it in, or has not used it', async () => {
    const holder = await signUp(board)
    await register(visit(board))
    const password = '別の合言葉 43'
    const answers = []
    for (const email of [`${holder.userId}@EXAMPLE.jp`, hanzo.email, `nobody${person}@example.jp`]) {
      const username = `百地三太夫${answers.length}の${person}`
      const query = vi.spyOn(board.database.db.getExecutor(), 'executeQuery')
      const guest = visit(board)
      const { status, body, headers } = await register(guest, { username, email, password })
      const asked = statementsOfRequests(query)
      query.mockRestore()
      const { user, ...rest } = body as { user: User }
      answers.push({
        ...{ status, rest, asked, headers: Object.keys(headers), cookies: [...guest.cookies.keys()] },
        user: { ...user, _id: null, name: null, email: user.email === email },
      })
      // Later requests reveal nothing either: an unconfirmed address does not log in.
      expect((await logIn(visit(board), email, password)).status).toBe(401)
      expect((await logIn(visit(board), username, password)).status).toBe(200)
    }
    expect(answers[0]!.asked).not.toEqual([])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect((await logIn(visit(board), `${holder.userId}@example.jp`, PASSWORD)).status).toBe(200)
  })

  it('is limited by address, and other addresses are not affected', async () => {
    const strict = await openBoard({ REGISTRATIONS_PER_HOUR: '2' })
    await register(visit(strict))
    await register(visit(strict))
    const another = { username: `百地三太夫${person}`, email: `another${person}@example.jp` }
    const answer = await register(visit(strict), another)
    expect(answer).toMatchObject({ status: 429, body: { message: messages.register_limited } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000)
    expect((await register(visit(strict, '198.51.100.1'), another)).status).toBe(201)
    await strict.close()
  })
})

describe('a log-in', () => {
  it('with a wrong password does the same work as one with an unknown name, and gets the same answer', async () => {
    await register(visit(board))
    const verify = vi.spyOn(argon2, 'verify')
    const answers = []
    for (const username of [hanzo.username, '誰でもない', 'nobody@example.jp', 'NUL\0', '\ud800']) {
      verify.mockClear()
      const { status, body } = await logIn(visit(board), username, 'まちがい')
      const work = verify.mock.calls.map(([hash]) => hash.toString().split('$').slice(0, 4).join('$'))
      answers.push({ status, body, work })
    }
    for (const answer of answers) {
      expect(answer).toEqual({
        status: 401,
        body: { code: 'bad_credentials', message: messages.login_failed },
        work: ['$argon2id$v=19$m=19456,t=2,p=1'],
      })
    }
  })

  it('accepts a password in every Unicode form that keyboards produce', async () => {
    await register(visit(board), { password: 'がっこうＡＢＣＤＥ' })
    expect((await logIn(visit(board), hanzo.username, 'か\u3099っこうABCDE')).status).toBe(200)
  })

  it('answers hostile input without a server error', async () => {
    const texts = [
      '\0',
      'a\0@b.c',
      '\ud800',
      '\ud800@b.c',
      ...['x'.repeat(512), 'x'.repeat(5_000)],
      '\u202e',
      '\uffff',
      "' or 1=1 --",
      '💣'.repeat(256),
    ]
    const guest = visit(board, '192.0.2.1')
    for (const text of texts) {
      expect((await logIn(guest, text, text)).status).toBe(401)
      expect((await register(guest, { username: text })).status).toBeOneOf([201, 400, 409, 429])
      expect((await register(guest, { email: text })).status).toBeOneOf([400, 429])
      expect((await guest.post('/auth/password/reset', { token: text, password: hanzo.password })).status).toBe(400)
      expect((await guest.post('/auth/email/verify', { token: text })).status).toBe(400)
      expect((await guest.post('/auth/google', { credential: text })).status).toBe(503)
    }
    for (const body of [null, [], 'x', { username: 1, password: {} }]) {
      expect((await guest.post('/auth/login', body)).status).toBe(400)
    }
  })

  it('by a member who is logged in as another one replaces that session', async () => {
    await register(visit(board))
    const guest = await signUp(board)
    const [former] = (await guest.get<{ sessions: { _id: string }[] }>('/auth/sessions')).body.sessions
    expect((await logIn(guest, hanzo.username, hanzo.password)).status).toBe(200)
    expect((await guest.post('/auth/verify')).body).toMatchObject({ user: { name: hanzo.username } })
    const rows = await board.database.db.selectFrom('sessions').select('id').execute()
    expect(rows.map(({ id }) => id)).not.toContain(former!._id)
  })

  it('gets "busy" at once while the queue of hashes is full, and succeeds again afterwards', async () => {
    await register(visit(board))
    const full: Promise<unknown>[] = []
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    let refused: unknown = null
    // Fills the queue, whatever its size.
    while (refused === null) {
      full.push(
        hashing(`10.99.0.${full.length}`, () => done).catch((error: unknown) => {
          refused = error
        }),
      )
      await Promise.resolve()
      await Promise.resolve()
    }
    const answer = await logIn(visit(board), hanzo.username, hanzo.password)
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' }, headers: { 'retry-after': '5' } })
    finish()
    await Promise.all(full)
    expect((await logIn(visit(board), hanzo.username, hanzo.password)).status).toBe(200)
  })
})
