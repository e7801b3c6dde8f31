/**
 * A browser with tabs, and a mock of the server's sessions with the behaviour that each test
 * defines.
 */
import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiError } from '../../lib/api-client.ts'

const KAEDE: User = {
  _id: 'u1',
  name: '楓',
  email: 'kaede@example.jp',
  picture: null,
  isAdmin: false,
  moderates: null,
  secondFactorMissing: false,
}
const AKANE: User = { ...KAEDE, _id: 'u2', name: '茜' }

type Answer = (request: { path: string; key: string | null }) => Response | Promise<Response>

const refused = (code = 'unauthorized', message: string = messages.session_expired) =>
  Response.json({ code, message }, { status: 401 })
const away: Answer = () => Promise.reject(new TypeError('Failed to fetch'))

let stored: Map<string, string>
let cookies: Map<string, string>
let calls: { path: string; key: string | null }[]
/** Answers by path; other paths get 404. */
let server: Record<string, Answer>

const callsTo = (path: string) => calls.filter((call) => call.path === path)

beforeEach(() => {
  stored = new Map()
  cookies = new Map()
  calls = []
  server = {}
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('document', {
    documentElement: { dataset: {} },
    get cookie() {
      return [...cookies].map((pair) => pair.join('=')).join('; ')
    },
    set cookie(text: string) {
      if (text.includes('max-age=0')) cookies.delete(text.split('=')[0]!)
    },
  })
  let turns: Promise<unknown> = Promise.resolve()
  const request = (_name: string, _options: object, work: () => Promise<unknown>) => {
    const mine = turns.then(work)
    turns = mine.catch(() => {})
    return mine
  }
  vi.stubGlobal('navigator', { locks: { request } })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const call = { path, key: new Headers(init.headers).get('idempotency-key') }
    calls.push(call)
    // Asynchronous, as over a network.
    await Promise.resolve()
    return server[path]?.(call) ?? new Response(null, { status: 404 })
  })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Another tab of the browser: separate modules, the same storage and cookies. */
async function openTab() {
  vi.resetModules()
  const heard = new Map<string, ((event: object) => void)[]>()
  vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) =>
    heard.set(name, [...(heard.get(name) ?? []), listener]),
  )
  vi.stubGlobal('removeEventListener', () => {})
  const [api, renewal, session] = [
    await import('../../lib/api-client.ts'),
    await import('../../lib/session-renewal.ts'),
    await import('./session.ts'),
  ]
  const hear = (name: string, event: object = {}) => {
    for (const listener of heard.get(name) ?? []) listener(event)
  }
  return { ...api, ...renewal, ...session, hear }
}

/** The server refuses requests until the session is renewed. */
function letAccessExpire(): void {
  cookies.set('session', '1')
  let renewed = false
  server['/auth/refresh'] = () => {
    renewed = true
    return Response.json({})
  }
  server['/api/x'] = () => (renewed ? Response.json({ ok: true }) : refused())
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error as ApiError,
  )

test('after any number of simultaneous refusals, the session is renewed once and each request is repeated', async () => {
  letAccessExpire()
  const { apiGet } = await openTab()
  const answers = await Promise.all(Array.from({ length: 12 }, () => apiGet('/api/x')))
  expect(answers).toEqual(Array.from({ length: 12 }, () => ({ ok: true })))
  expect(callsTo('/auth/refresh')).toHaveLength(1)
  expect(callsTo('/api/x')).toHaveLength(24)
})

test('a tab uses a renewal by another tab and sends none of its own', async () => {
  letAccessExpire()
  const [one, two] = [await openTab(), await openTab()]
  await Promise.all([one.apiGet('/api/x'), two.apiGet('/api/x'), one.apiGet('/api/x')])
  expect(callsTo('/auth/refresh')).toHaveLength(1)
})

test('a renewal time in the future, from before the clock was corrected, is ignored', async () => {
  letAccessExpire()
  stored.set('sessionRenewedAt', String(Date.now() + 3_600_000))
  const { apiGet } = await openTab()
  expect(await apiGet('/api/x')).toEqual({ ok: true })
})

test('a renewal whose answer was lost is repeated under the same key', async () => {
  letAccessExpire()
  const renew = server['/auth/refresh']!
  server['/auth/refresh'] = away
  const { apiGet, onSessionLost } = await openTab()
  const lost = vi.fn()
  onSessionLost(lost)
  expect(await failureOf(apiGet('/api/x'))).toMatchObject({ code: 'network', status: 0 })
  server['/auth/refresh'] = renew
  expect(await apiGet('/api/x')).toEqual({ ok: true })
  const [first, again] = callsTo('/auth/refresh')
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(again?.key).toBe(first?.key)
  expect(lost).not.toHaveBeenCalled()
  expect(stored.has('sessionAttempt')).toBe(false)
})

test.each([500, 429])('a server error or rate limit (%i) on renewal does not end the session', async (status) => {
  letAccessExpire()
  server['/auth/refresh'] = () => new Response(null, { status })
  const { apiGet, onSessionLost } = await openTab()
  const lost = vi.fn()
  onSessionLost(lost)
  expect(await failureOf(apiGet('/api/x'))).toMatchObject({ code: 'network' })
  expect(lost).not.toHaveBeenCalled()
})

test('the end of a session is reported with whether the visitor caused the request', async () => {
  letAccessExpire()
  server['/auth/refresh'] = () => refused()
  const { apiGet, apiSend, onSessionLost } = await openTab()
  const lost = vi.fn()
  onSessionLost(lost)
  expect(await failureOf(apiGet('/api/x'))).toMatchObject({ status: 401 })
  await failureOf(apiSend('POST', '/api/x', {}, { background: true }))
  await failureOf(apiSend('POST', '/api/x'))
  expect(lost.mock.calls).toEqual([
    [false, messages.session_expired],
    [false, messages.session_expired],
    [true, messages.session_expired],
  ])
  expect(console.error).toHaveBeenCalledWith(messages.token_refresh_failed)
})

test('a request is repeated once at most', async () => {
  letAccessExpire()
  server['/api/x'] = () => refused()
  const { apiSend } = await openTab()
  expect(await failureOf(apiSend('POST', '/api/x'))).toMatchObject({ status: 401 })
  expect(callsTo('/api/x')).toHaveLength(2)
  expect(callsTo('/auth/refresh')).toHaveLength(1)
})

test('a visitor without a session never requests a renewal, and a wrong password does not end a session', async () => {
  server['/api/x'] = () => refused('unauthorized', messages.unauthorized)
  server['/auth/login'] = () => refused('bad_credentials', messages.login_failed)
  const { apiSend, onSessionLost } = await openTab()
  const lost = vi.fn()
  onSessionLost(lost)
  await failureOf(apiSend('POST', '/api/x'))
  expect(lost.mock.calls).toEqual([[true, messages.unauthorized]])
  cookies.set('session', '1')
  expect(await failureOf(apiSend('POST', '/auth/login', {}))).toMatchObject({ message: messages.login_failed })
  expect(callsTo('/auth/refresh')).toEqual([])
  expect(lost).toHaveBeenCalledTimes(1)
})

const settled = (session: { sessionState: () => { status: string } }) =>
  expect.poll(() => session.sessionState().status).not.toBe('loading')

test('a page starts with the last known user, and continues with the user from the server', async () => {
  cookies.set('session', '1')
  stored.set('user', JSON.stringify(KAEDE))
  server['/auth/verify'] = () => Response.json({ user: { ...KAEDE, name: '紅葉' } })
  const tab = await openTab()
  const seen: string[] = []
  tab.subscribeSession(() => seen.push(`${tab.sessionState().status} ${tab.sessionState().user?.name}`))
  tab.startSession()
  await settled(tab)
  expect(seen).toEqual(['loading 楓', 'in 紅葉'])
  expect(JSON.parse(stored.get('user')!)).toMatchObject({ name: '紅葉' })
  expect(document.documentElement.dataset['session']).toBe('in')
})

test('a user whose session has ended is logged out with a message, and all stored data is removed', async () => {
  cookies.set('session', '1')
  for (const key of ['jwt', 'refreshToken']) stored.set(key, 'old')
  stored.set('user', JSON.stringify(KAEDE))
  server['/auth/verify'] = () => refused()
  server['/auth/refresh'] = () => refused()
  const tab = await openTab()
  tab.startSession()
  await settled(tab)
  const ended = { status: 'out', user: null, reason: messages.verify_failed, isSudden: true }
  await expect.poll(() => tab.sessionState()).toEqual(ended)
  expect([...stored]).toEqual([['sessionEnded', messages.verify_failed]])
  expect(cookies.has('session')).toBe(false)
  expect(document.documentElement.dataset['session']).toBe('out')
  expect(console.warn).toHaveBeenCalledWith(messages.verify_failed)
})

test.each(['{', 'null', '"楓"', '{"name":"楓"}'])('a corrupt copy of the user (%s) is removed', async (copy) => {
  stored.set('user', copy)
  const tab = await openTab()
  tab.startSession()
  expect(tab.sessionState().status).toBe('out')
  expect(stored.has('user')).toBe(false)
  expect(calls).toEqual([])
})

test('a stored user without a session cookie is never shown as logged in, and is removed', async () => {
  stored.set('user', JSON.stringify(KAEDE))
  server['/auth/verify'] = () => refused('unauthorized', messages.unauthorized)
  const tab = await openTab()
  tab.startSession()
  expect(tab.sessionState().status).toBe('out')
  await expect.poll(() => tab.sessionState()).toMatchObject({ status: 'out', reason: messages.verify_failed })
  expect(stored.has('user')).toBe(false)
})

test('an ended session of an unknown user shows no message', async () => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => refused()
  server['/auth/refresh'] = () => refused()
  const tab = await openTab()
  tab.startSession()
  await expect.poll(() => tab.sessionState()).toEqual(tab.LOGGED_OUT)
})

test('whoever writes is a member, a visitor, or unknown while the server has not said so', async () => {
  vi.useFakeTimers()
  const visitor = await openTab()
  visitor.startSession()
  expect(visitor.writerNow()).toBeNull()
  cookies.set('session', '1')
  stored.set('user', JSON.stringify(KAEDE))
  server['/auth/verify'] = away
  const tab = await openTab()
  tab.startSession()
  // The probable one, until the server has answered.
  expect(tab.writerNow()).toBe(KAEDE._id)
  await vi.advanceTimersByTimeAsync(0)
  expect(tab.writerNow()).toBeUndefined()
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(tab.writerNow()).toBe(KAEDE._id)
})

test('a session that ends in the background is sudden in all tabs, until the first text that is written in each', async () => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  const tabs = [await openTab(), await openTab()] as const
  for (const tab of tabs) {
    tab.startSession()
    await settled(tab)
    expect(tab.takeSuddenEnd()).toBe(false)
  }
  server['/api/x'] = () => refused()
  server['/auth/refresh'] = () => refused()
  await failureOf(tabs[0].apiGet('/api/x'))
  tabs[1].hear('storage', { key: 'user' })
  for (const tab of tabs) {
    expect(tab.sessionState()).toMatchObject({ status: 'out', reason: messages.session_expired, isSudden: true })
    expect(tab.takeSuddenEnd()).toBe(true)
    expect(tab.sessionState()).toMatchObject({ reason: messages.session_expired, isSudden: false })
    expect(tab.takeSuddenEnd()).toBe(false)
    expect(tab.writerNow()).toBeNull()
  }
})

test.each([
  ['in the background', true],
  ['by an action', false],
])('a member whose cookies are gone reads that the session has ended, also %s', async (_when, isSudden) => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  server['/api/x'] = () => refused('unauthorized', messages.unauthorized)
  const tab = await openTab()
  tab.startSession()
  await expect.poll(() => tab.sessionState().status).toBe('in')
  cookies.clear()
  await failureOf(isSudden ? tab.apiGet('/api/x') : tab.apiSend('POST', '/api/x'))
  expect(tab.sessionState()).toMatchObject({ status: 'out', reason: messages.session_expired, isSudden })
})

test('a session that ends by an action is sudden in all tabs but the one that leads to the log-in', async () => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  const tabs = [await openTab(), await openTab()] as const
  for (const tab of tabs) {
    tab.startSession()
    await settled(tab)
  }
  server['/api/x'] = () => refused()
  server['/auth/refresh'] = () => refused()
  await failureOf(tabs[0].apiSend('POST', '/api/x'))
  tabs[1].hear('storage', { key: 'user' })
  expect(tabs[0].sessionState()).toMatchObject({ reason: messages.session_expired, isSudden: false })
  expect(tabs[1].sessionState()).toMatchObject({ reason: messages.session_expired, isSudden: true })
})

test('a visitor who asks for what needs a session reads the words of the server', async () => {
  server['/api/x'] = () => refused('unauthorized', messages.unauthorized)
  const tab = await openTab()
  tab.startSession()
  await failureOf(tab.apiSend('POST', '/api/x'))
  expect(tab.sessionState()).toMatchObject({ reason: messages.unauthorized, isSudden: false })
})

test('while the server is unreachable the user is logged out, and logged in again as soon as it answers', async () => {
  vi.useFakeTimers()
  cookies.set('session', '1')
  stored.set('user', JSON.stringify(KAEDE))
  server['/auth/verify'] = away
  const tab = await openTab()
  tab.startSession()
  await vi.advanceTimersByTimeAsync(0)
  // The failure may be temporary: no message says that the session has ended.
  expect(tab.sessionState()).toMatchObject({ status: 'out', reason: null })
  expect(stored.has('user')).toBe(false)
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(tab.sessionState()).toEqual({ status: 'in', user: KAEDE })
})

test('tabs follow each other in logging in and out', async () => {
  const tab = await openTab()
  tab.startSession()
  expect(tab.sessionState().status).toBe('out')
  // The other tab logs in, first as one user and then as another.
  cookies.set('session', '1')
  for (const user of [KAEDE, AKANE]) {
    stored.set('user', JSON.stringify(user))
    tab.hear('storage', { key: 'user' })
    expect(tab.sessionState()).toEqual({ status: 'in', user })
  }
  tab.hear('storage', { key: 'draft:thread' })
  expect(tab.sessionState().status).toBe('in')
  // Logs out, in the order that `leaveSession` uses.
  cookies.delete('session')
  stored.delete('user')
  tab.hear('storage', { key: 'user' })
  expect(tab.sessionState()).toEqual(tab.LOGGED_OUT)
})

test('a page restored from the back/forward cache learns of a log-out in another tab', async () => {
  const tab = await openTab()
  tab.startSession()
  tab.enterSession(KAEDE)
  stored.delete('user')
  tab.hear('pageshow', { persisted: false })
  expect(tab.sessionState().status).toBe('in')
  tab.hear('pageshow', { persisted: true })
  expect(tab.sessionState().status).toBe('out')
})

test('a failed check in another tab does not end the session in this one', async () => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  const tab = await openTab()
  tab.startSession()
  await settled(tab)
  stored.delete('user')
  tab.hear('storage', { key: 'user' })
  await expect.poll(() => stored.has('user')).toBe(true)
  expect(tab.sessionState().status).toBe('in')
})

test('logging out while the server is unreachable ends the session here, and on the server at the next visit', async () => {
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  server['/auth/logout'] = away
  const tab = await openTab()
  tab.startSession()
  await settled(tab)
  for (const key of ['jwt', 'refreshToken']) stored.set(key, 'old')
  await tab.logOut()
  expect(tab.sessionState()).toEqual(tab.LOGGED_OUT)
  expect([...stored.keys()]).toEqual(['logoutPending'])
  expect(cookies.has('session')).toBe(false)
  expect(console.error).toHaveBeenCalledWith(messages.logout_failed)

  server['/auth/logout'] = () => Response.json({})
  const next = await openTab()
  next.startSession()
  expect(next.sessionState().status).toBe('out')
  await expect.poll(() => callsTo('/auth/logout')).toHaveLength(2)
  expect(stored.size).toBe(0)
  expect(callsTo('/auth/verify')).toHaveLength(1)
})

test('a pending log-out does not end a session that was started since', async () => {
  stored.set('logoutPending', '1')
  cookies.set('session', '1')
  server['/auth/verify'] = () => Response.json({ user: KAEDE })
  const tab = await openTab()
  tab.startSession()
  await settled(tab)
  expect(tab.sessionState().status).toBe('in')
  expect(callsTo('/auth/logout')).toEqual([])
})

test('a user who logs out during the check stays logged out', async () => {
  cookies.set('session', '1')
  let answer: (response: Response) => void = () => {}
  server['/auth/verify'] = () =>
    new Promise<Response>((resolve) => {
      answer = resolve
    })
  server['/auth/logout'] = () => Response.json({})
  const tab = await openTab()
  tab.startSession()
  await tab.logOut()
  answer(Response.json({ user: KAEDE }))
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(tab.sessionState().status).toBe('out')
  expect(stored.has('user')).toBe(false)
})
