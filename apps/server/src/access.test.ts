/**
 * Sends every call of docs/product.md#api as every kind of user. The table contains the expected
 * status for each; a registered call without a row fails the last test, so that a new call cannot
 * be forgotten. Calls under /api/admin are in access-admin.test.ts.
 */
import { randomUUID } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import { ACTIONS } from './testing/actions.ts'
import {
  openBoard,
  PASSWORD,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
  type MemberGuest,
} from './testing/board.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Scene {
  readonly thread: string
  readonly post: string
  readonly category: string
}

interface Row {
  readonly call: `${Method} ${string}`
  /** The body; a function where it must differ each time. */
  readonly body?: unknown
  readonly form?: () => Readonly<Record<string, string | Blob>>
  /** Status for visitors, and for members; calls of `open` have the same for both. */
  readonly stranger: number
  readonly member: number
  /** Set where the status for administrators differs from that for other members. */
  readonly admin?: number
}

/** One red pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)
const picture = () => new Blob([PIXEL], { type: 'image/png' })

const nickname = () => `影${randomUUID().slice(0, 8)}`
const open = (status: number) => ({ stranger: status, member: status })
const membersOnly = (status: number) => ({ stranger: 401, member: status })

const TABLE: readonly Row[] = [
  { call: 'POST /auth/refresh', stranger: 401, member: 200 },
  { call: 'POST /auth/logout', ...open(200) },
  { call: 'POST /auth/verify', ...membersOnly(200) },
  { call: 'POST /auth/login', body: { username: '居ない人', password: '違う合言葉です' }, ...open(401) },
  { call: 'POST /auth/register', body: { username: '', email: '', password: '' }, ...open(400) },
  { call: 'POST /auth/google/nonce', ...open(503) },
  { call: 'POST /auth/google', body: { credential: 'not a token' }, ...open(503) },
  { call: 'GET /auth/profile', ...membersOnly(200) },
  { call: 'PUT /auth/profile', body: { name: 'あ' }, ...membersOnly(400) },
  { call: 'PUT /auth/profile/image', form: () => ({ profileImage: picture() }), ...membersOnly(200) },
  { call: 'GET /api/categories', ...open(200) },
  { call: 'GET /api/categories/:categoryId', ...open(200) },
  { call: 'GET /api/categories/:categoryId/threads', ...open(200) },
  { call: 'GET /api/categories/:categoryId/trending', ...open(200) },
  { call: 'GET /api/threads', ...open(200) },
  { call: 'GET /api/threads/trending', ...open(200) },
  { call: 'GET /api/threads/positions', ...open(200) },
  { call: 'GET /api/threads/liked', ...membersOnly(200) },
  { call: 'GET /api/threads/:threadId', ...open(200) },
  // The summary of a news thread; this thread was opened by a visitor.
  { call: 'GET /api/threads/:threadId/summary', ...open(404) },
  { call: 'GET /api/threads/:threadId/withdrawal', ...open(404) },
  {
    call: 'POST /api/threads',
    form: () => ({ title: '誰が立てたか', content: '確かめる', category: 'general', nickname: nickname() }),
    ...open(201),
  },
  { call: 'POST /api/threads/:threadId/like', ...membersOnly(200) },
  { call: 'DELETE /api/threads/:threadId/like', ...membersOnly(200) },
  { call: 'POST /api/threads/:threadId/checkNickname', body: { nickname: '名を問う者' }, ...open(200) },
  { call: 'GET /api/threads/:threadId/posts', ...open(200) },
  { call: 'POST /api/threads/:threadId/posts', form: () => ({ content: '一言', name: nickname() }), ...open(201) },
  { call: 'GET /api/threads/:threadId/answers', ...open(200) },
  { call: 'GET /api/threads/:threadId/log.:form', ...open(200) },
  { call: 'GET /api/threads/:threadId/posts/search', ...open(200) },
  { call: 'GET /api/threads/:threadId/posts/liked', ...membersOnly(200) },
  { call: 'POST /api/threads/:threadId/posts/:postId/like', ...membersOnly(200) },
  { call: 'DELETE /api/threads/:threadId/posts/:postId/like', ...membersOnly(200) },
  { call: 'DELETE /api/threads/:threadId/posts/:postId', ...open(403) },
  { call: 'DELETE /api/held/:heldId', ...open(404) },
  {
    call: 'POST /api/threads/:threadId/posts/:postId/report',
    body: { reason: '荒らしです', content: '一言' },
    ...open(200),
  },
  { call: 'GET /api/notebook', ...membersOnly(200) },
  {
    call: 'POST /api/notebook',
    body: {
      entries: [
        {
          ...{ threadId: randomUUID(), readThrough: 1, visitedAt: null, favouriteAt: null },
          ...{ isOwn: false, ownPosts: [], updatedAt: 0 },
        },
      ],
    },
    ...membersOnly(200),
  },
  { call: 'DELETE /api/notebook', ...membersOnly(200) },
  { call: 'GET /api/notebook/hiding', ...membersOnly(200) },
  {
    call: 'POST /api/notebook/hiding',
    body: {
      entries: [
        {
          ...{ kind: 'word', text: '宣伝', threadId: null, changedAt: 0 },
          traits: { chain: false, traceless: false, endsAt: null },
        },
      ],
    },
    ...membersOnly(200),
  },
  { call: 'DELETE /api/notebook/hiding', ...membersOnly(200) },
  { call: 'GET /api/push', ...open(200) },
  { call: 'PUT /api/push/registration', body: {}, ...open(400) },
  { call: 'POST /api/push/drop', body: { token: 'x'.repeat(43) }, ...open(200) },
  // The board of this test has no contact to show to push services.
  { call: 'POST /api/push/test', body: { token: 'x'.repeat(43) }, ...open(503) },
  // Calls for a member's own account.
  { call: 'DELETE /auth/profile', body: { name: '別の名' }, ...membersOnly(400) },
  { call: 'GET /auth/sessions', ...membersOnly(200) },
  { call: 'DELETE /auth/sessions', ...membersOnly(200) },
  { call: 'DELETE /auth/sessions/:sessionId', ...membersOnly(404) },
  { call: 'PUT /auth/password', body: { currentPassword: '違う合言葉です', password: 'x' }, ...membersOnly(400) },
  { call: 'POST /auth/password/forgot', body: { email: 'nobody@example.jp' }, ...open(503) },
  { call: 'POST /auth/password/reset', body: { token: 'none', password: '新しい合言葉 42' }, ...open(400) },
  { call: 'PUT /auth/email', body: { email: 'no address' }, ...membersOnly(400) },
  { call: 'POST /auth/email/send', ...membersOnly(200) },
  { call: 'POST /auth/email/verify', body: { token: 'none' }, ...open(400) },
  { call: 'GET /auth/second-factor', ...membersOnly(200) },
  // The status depends on the state of the member's second factor: see second-factor.test.ts.
  {
    call: 'POST /auth/second-factor',
    body: { currentPassword: '違う合言葉です' },
    stranger: 401,
    member: 403,
    admin: 400,
  },
  { call: 'POST /auth/second-factor/confirm', body: { code: '123456' }, ...membersOnly(400) },
  { call: 'DELETE /auth/second-factor', body: { code: '123456' }, ...membersOnly(400) },
  // Public facts about the board, and the challenges of raid mode.
  { call: 'GET /api/notices', ...open(200) },
  { call: 'GET /api/moderation-log', ...open(200) },
  { call: 'GET /api/held/:heldId', ...open(404) },
  { call: 'GET /api/scroll', ...open(200) },
  // Nobody here opened the thread.
  { call: 'POST /api/threads/:threadId/owner-actions', body: { kind: 'note', text: '追記' }, ...open(403) },
  { call: 'DELETE /api/threads/:threadId/owner-actions/:actionId', ...open(403) },
  // Nobody here has a level, and the phrase is unknown.
  { call: 'POST /api/scroll/phrase', ...open(400) },
  { call: 'DELETE /api/scroll/phrase', ...open(200) },
  { call: 'POST /api/scroll/claim', body: { phrase: 'あさがお' }, ...open(404) },
  { call: 'POST /api/scroll/join', ...membersOnly(409) },
  { call: 'POST /api/proofs/challenge', ...open(200) },
  { call: 'POST /api/proofs', body: { payload: 'none' }, ...open(400) },
  { call: 'POST /api/proofs/code', ...open(428) },
]

const GUARDED = TABLE.filter((row) => row.stranger === 401 && row.member !== 401 && row.call !== 'POST /auth/refresh')
/** Calls that change something, and therefore check the origin. */
const MUTATING = TABLE.filter((row) => !row.call.startsWith('GET '))
/** Calls that end the session or rotate its tokens. */
const ENDS_SESSION = new Set(['POST /auth/logout', 'POST /auth/refresh'])

let board: Board
let scene: Scene
let members: readonly MemberGuest[]
/** Index of the administrator among the members. */
const ADMIN = 2

beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000', UPLOADS_PER_HOUR: '10000' })
  members = [await signUp(board, '楓'), await signUp(board, '椿'), await signUp(board, '頭領', { isAdmin: true })]
  const author = visit(board)
  const thread = await startThread(author)
  const post: Post = await writeTo(author, thread, '一言')
  scene = { thread: thread._id, post: post._id, category: thread.categoryId }
})
afterAll(() => board.close())

function ask(guest: Guest, row: Row, headers: Record<string, string> = {}): Promise<Answer<unknown>> {
  const [method, pattern] = row.call.split(' ') as [Method, string]
  const url = pattern
    .replace(':threadId', scene.thread)
    .replace(':postId', scene.post)
    .replace(':categoryId', scene.category)
    .replace(':form', 'json')
    .replace(/:(sessionId|heldId|actionId)/, '019a0000-0000-7000-8000-000000000000')
  if (method === 'GET') return guest.get(url, headers)
  if (row.form !== undefined) return guest.form(url, row.form(), method === 'PUT' ? 'PUT' : 'POST', headers)
  const send = method === 'POST' ? guest.post : method === 'PUT' ? guest.put : guest.delete
  return send(url, row.body ?? {}, headers)
}

/** A new browser with a new session. */
async function logIn(username = '楓'): Promise<Guest> {
  const guest = visit(board)
  expect((await guest.post('/auth/login', { username, password: PASSWORD })).status).toBe(200)
  return guest
}

/** A browser with the same cookies; deleting them does not affect the first. */
function copyOf(guest: Guest): Guest {
  const copy = visit(board)
  for (const [name, value] of guest.cookies) copy.cookies.set(name, value)
  return copy
}

describe('each call answers', () => {
  test.each(TABLE)('$call', async (row) => {
    const known = visit(board)
    await known.post(`/api/threads/${scene.thread}/checkNickname`, { nickname: nickname() })
    expect(known.cookies.has('visitor')).toBe(true)
    for (const [who, guest] of Object.entries({ 'a stranger': visit(board), 'a known visitor': known })) {
      expect([who, (await ask(guest, row)).status]).toEqual([who, row.stranger])
    }
    // A new log-in for each, because some of these calls end the session.
    for (const [index, { name }] of members.entries()) {
      const guest = await logIn(name)
      const expected = index === ADMIN ? (row.admin ?? row.member) : row.member
      expect([name, (await ask(guest, row)).status]).toEqual([name, expected])
    }
  })
})

describe('an invalid session gets 401 from every call for members', () => {
  const sign = (payload: Record<string, unknown>, key: string) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('shinobi-ita')
      .setExpirationTime(Math.floor(board.clock.now / 1_000) + 600)
      .sign(new TextEncoder().encode(key))

  async function sessionIdOf(guest: Guest): Promise<string> {
    const answer = await guest.get<{ sessions: { _id: string; current: boolean }[] }>('/auth/sessions')
    return answer.body.sessions.find((session) => session.current)!._id
  }

  /** Status and code of each call for members. */
  async function askAll(guest: Guest, headers: Record<string, string> = {}): Promise<unknown[]> {
    const said: unknown[] = []
    for (const row of GUARDED) {
      const { status, body } = await ask(guest, row, headers)
      said.push([row.call, status, (body as { code: string }).code])
    }
    return said
  }
  const allRefused = GUARDED.map(({ call }) => [call, 401, 'unauthorized'])

  test('when the access token is missing', async () => {
    const guest = await logIn()
    guest.cookies.delete('access')
    expect(await askAll(guest)).toEqual(allRefused)
  })

  test('when the access token has expired', async () => {
    const guest = await logIn()
    board.clock.now += 16 * 60_000
    expect(await askAll(guest)).toEqual(allRefused)
    board.clock.now -= 16 * 60_000
  })

  test('when the access token is forged: another key, no signature, a changed letter, nonsense', async () => {
    const member = await logIn()
    const sid = await sessionIdOf(member)
    const good = member.cookies.get('access')!
    const tokens = [
      await sign({ sid }, 'a key that is not ours and long enough'),
      new UnsecuredJWT({ sid }).setIssuer('shinobi-ita').encode(),
      `${good.slice(0, -2)}${good.endsWith('AA') ? 'BB' : 'AA'}`,
      'nonsense',
      '..',
    ]
    for (const token of tokens) {
      const guest = copyOf(member)
      guest.cookies.set('access', token)
      expect(await askAll(guest)).toEqual(allRefused)
      expect(await askAll(visit(board), { authorization: `Bearer ${token}` })).toEqual(allRefused)
    }
  })

  test('when the session was ended from another browser', async () => {
    const [lost, other] = [await logIn(), await logIn()]
    expect((await other.delete(`/auth/sessions/${await sessionIdOf(lost)}`)).status).toBe(200)
    expect(await askAll(lost)).toEqual(allRefused)
    expect((await lost.post('/auth/refresh')).status).toBe(401)
    expect(lost.cookies.has('session')).toBe(false)
  })

  test('when its refresh token was reused, which ends the session for the holder of the newer token too', async () => {
    const guest = await logIn()
    const thief = copyOf(guest)
    expect((await guest.post('/auth/refresh')).status).toBe(200)
    expect((await thief.post('/auth/refresh')).status).toBe(401)
    expect(await askAll(guest)).toEqual(allRefused)
  })

  test('when its refresh token was never issued, which leaves the real session valid', async () => {
    const member = await logIn()
    const guest = copyOf(member)
    guest.cookies.set('refresh', `${await sessionIdOf(member)}.forged.signature`)
    expect((await guest.post('/auth/refresh')).status).toBe(401)
    expect((await member.post('/auth/verify')).status).toBe(200)
  })

  test('also when it posts: the post is not stored as a visitor’s', async () => {
    const guest = await logIn()
    guest.cookies.delete('access')
    const answer = await guest.post(`/api/threads/${scene.thread}/posts`, { content: '一言', name: nickname() })
    expect(answer.status).toBe(401)
  })
})

describe('other sites cannot act with the cookies of a member', () => {
  // One for all: what is refused ends no session.
  let member: Guest
  beforeAll(async () => {
    member = await logIn()
  })

  test.each(MUTATING)('$call', async (row) => {
    const evil = await ask(member, row, { origin: 'https://evil.example' })
    expect([evil.status, (evil.body as { code: string }).code]).toEqual([403, 'bad_origin'])
    const nowhere = await ask(member, row, { origin: 'null' })
    expect(nowhere.status).toBe(403)
  })

  test('a bearer token needs no origin, and the cookies beside it are ignored', async () => {
    const bearer = { authorization: `Bearer ${member.cookies.get('access')!}` }
    for (const row of GUARDED.filter(({ call }) => !ENDS_SESSION.has(call))) {
      expect([row.call, (await ask(visit(board), row, { ...bearer, origin: '' })).status]).toEqual([
        row.call,
        row.member,
      ])
    }
    const answer = await copyOf(member).post(
      '/auth/verify',
      {},
      { authorization: 'Bearer x', origin: 'https://evil.example' },
    )
    expect(answer.status).toBe(401)
    const elsewhere = { authorization: 'Bearer x', origin: 'https://evil.example' }
    expect((await copyOf(member).post('/auth/refresh', {}, elsewhere)).status).toBe(401)
    await copyOf(member).post('/auth/logout', {}, elsewhere)
    expect((await member.post('/auth/verify')).status).toBe(200)
  })
})

test('the calls that visitors are refused are those with an action', () => {
  expect(TABLE.filter(({ call }) => ACTIONS.has(call))).toEqual(GUARDED)
})

test('every registered call of the board has a row in the table', () => {
  const registered = Object.entries(board.app.swagger().paths ?? {})
    .filter(([path]) => /^\/(auth|api\/(?!admin\/))/.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    )
  expect(registered.toSorted()).toEqual(TABLE.map(({ call }) => call).toSorted())
})
