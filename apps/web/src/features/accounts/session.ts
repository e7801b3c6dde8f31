/**
 * The current session (docs/product.md#session). A copy of the user is stored in local storage, so
 * that the next page load can show the probable user at once; POST /auth/verify confirms it. Tabs
 * synchronise through the copy.
 */
import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { apiSend, ApiError, onSessionLost } from '../../lib/api-client.ts'
import { dropSessionHint, hasSessionHint } from '../../lib/session-renewal.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { subscribeStored } from '../../lib/stored-changes.ts'

/**
 * While `loading`, `user` is the last known user, or null when there is none. `reason` is the
 * message for a session that ended by itself; null after a log-out, and for visitors without a
 * session. `isSudden`: it ended in the background or in another tab, and no text was to be sent
 * since, so the member may not have noticed.
 */
export type SessionState =
  | { readonly status: 'loading'; readonly user: User | null }
  | { readonly status: 'in'; readonly user: User }
  | { readonly status: 'out'; readonly user: null; readonly reason: string | null; readonly isSudden: boolean }

export const LOADING: SessionState = { status: 'loading', user: null }
export const LOGGED_OUT: SessionState = { status: 'out', user: null, reason: null, isSudden: false }

const USER = 'user'
/** Tokens of older clients: this client stores none, and removes them with everything else. */
const TOKENS = ['jwt', 'refreshToken']
/** The reason of the end, which is sudden in the other tabs; none after a log-out. */
const ENDED = 'sessionEnded'
/** A log-out that did not reach the server is repeated at the next page load. */
const LOGOUT_PENDING = 'logoutPending'
/** When the server did not answer: retried after this time, and when the network is back. */
const RETRY_MS = 5_000
/** A log-in or log-out without an answer for this long counts as a failure. */
const TIMEOUT_MS = 8_000

let state: SessionState = LOADING
const listeners = new Set<() => void>()

export const sessionState = (): SessionState => state

/**
 * Who writes now: the id of the member, also of a probable one; null for a visitor; undefined while
 * the server has not said whether the session goes on.
 */
export function writerNow(): string | null | undefined {
  const { status, user } = state
  if (user !== null) return user._id
  return status === 'out' && !hasSessionHint() ? null : undefined
}

/**
 * Whether the session has ended suddenly. True once, so that whoever does not log in again goes on
 * as a visitor.
 */
export function takeSuddenEnd(): boolean {
  if (state.status !== 'out' || !state.isSudden) return false
  become({ ...state, isSudden: false })
  return true
}

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function become(next: SessionState): void {
  state = next
  // Corrects the guess that public/boot.js made for the first paint.
  if (next.status !== 'loading') document.documentElement.dataset['session'] = next.status
  for (const listener of listeners) listener()
}

const becomeOut = (reason: string | null, isSudden: boolean): void =>
  become({ status: 'out', user: null, reason, isSudden })

const send = <T>(path: string): Promise<T> => apiSend<T>('POST', path, {}, { background: true, timeoutMs: TIMEOUT_MS })

/** Reads the copy and asks the server. Called once, when the page starts. */
export function startSession(): void {
  const cached = readCachedUser()
  subscribeStored(USER, followCopy)
  onSessionLost((acted, reason) => {
    const isVisitor = state.status === 'out'
    // Not the server's words: to a page whose cookies are gone it says that a log-in is needed.
    if (acted) leaveSession(isVisitor ? reason : messages.session_expired)
    else if (!isVisitor) loseSession(messages.session_expired)
  })
  const hinted = hasSessionHint()
  // A later log-in has already ended the earlier session.
  if (readStored(LOGOUT_PENDING) !== null && !hinted) void endOnServer()
  writeStored(LOGOUT_PENDING, null)
  become(hinted ? { status: 'loading', user: cached } : LOGGED_OUT)
  // A visitor without any sign of a session is not verified: the server would only refuse.
  if (hinted || cached !== null) void verify()
}

async function verify(): Promise<void> {
  const wasKnown = state.user !== null || readStored(USER) !== null
  try {
    const { user } = await send<{ user: User }>('/auth/verify')
    // Not after a log-out during the request.
    if (hasSessionHint()) enterSession(user)
  } catch (error) {
    console.warn(messages.verify_failed)
    if (error instanceof ApiError && error.status === 401) {
      // A message is shown only to a user who appeared logged in.
      return wasKnown ? loseSession(messages.verify_failed) : leaveSession()
    }
    forgetUser()
    askAgainLater()
    becomeOut(null, false)
  }
}

/** The cookies still exist: as soon as the server answers again, the session continues. */
function askAgainLater(): void {
  const again = () => {
    clearTimeout(timer)
    removeEventListener('online', again)
    if (hasSessionHint() && state.status === 'out') void verify()
  }
  const timer = setTimeout(again, RETRY_MS)
  addEventListener('online', again)
}

/** Called after a log-in, a registration or a change of the profile. */
export function enterSession(user: User): void {
  writeStored(USER, JSON.stringify(user))
  writeStored(LOGOUT_PENDING, null)
  become({ status: 'in', user })
}

/**
 * Ends the session, here at once and on the server if it can be reached. Resolves when the page can
 * go on to /login.
 */
export async function logOut(): Promise<void> {
  await endOnServer()
  leaveSession()
}

async function endOnServer(): Promise<void> {
  try {
    await send('/auth/logout')
  } catch {
    console.error(messages.logout_failed)
    writeStored(LOGOUT_PENDING, '1')
  }
}

/** Removes the local data of a session that has ended by an action of its member. */
export const leaveSession = (reason: string | null = null): void => endHere(reason, false)

/** The same, for a session whose member has not noticed the end. */
export const loseSession = (reason: string): void => endHere(reason, true)

function endHere(reason: string | null, isSudden: boolean): void {
  // In this order: other tabs read the hint and the reason when they get the storage event of the
  // copy.
  dropSessionHint()
  writeStored(ENDED, reason)
  forgetUser()
  becomeOut(reason, isSudden)
}

function forgetUser(): void {
  for (const key of [USER, ...TOKENS]) writeStored(key, null)
}

/**
 * The copy changed in another tab: a log-in, a log-out or the end of the session. A missing copy
 * with a session cookie means that the other tab could not reach the server, and the session is
 * verified again.
 */
function followCopy(): void {
  const user = readCachedUser()
  if (user !== null) become({ status: 'in', user })
  else if (hasSessionHint()) void verify()
  else if (state.status !== 'out') {
    const reason = readStored(ENDED)
    becomeOut(reason, reason !== null)
  }
}

/** An unreadable copy is removed. */
function readCachedUser(): User | null {
  const text = readStored(USER)
  if (text === null) return null
  const user = parseUser(text)
  if (user === null) writeStored(USER, null)
  return user
}

function parseUser(text: string): User | null {
  try {
    const user = JSON.parse(text) as Partial<User> | null
    const isUser = typeof user === 'object' && typeof user?._id === 'string' && typeof user.name === 'string'
    return isUser ? (user as User) : null
  } catch {
    return null
  }
}
