/**
 * Who is logged in (docs/product.md#session). A copy of the user is kept in local storage, so that the next page load can show at once who it
 * probably is; POST /auth/verify says who it really is. Tabs follow each other through the copy.
 */
import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { apiSend, ApiError, onSessionLost } from './api-client.ts'
import { dropSessionHint, hasSessionHint } from './session-renewal.ts'
import { readStored, writeStored } from './storage.ts'

/**
 * While `loading`, `user` is who it was last time, or null when nobody knows. `reason` says why a session ended by itself; it is
 * null for those who left, or never came.
 */
export type SessionState =
  | { readonly status: 'loading'; readonly user: User | null }
  | { readonly status: 'in'; readonly user: User }
  | { readonly status: 'out'; readonly user: null; readonly reason: string | null }

export const LOADING: SessionState = { status: 'loading', user: null }
export const LOGGED_OUT: SessionState = { status: 'out', user: null, reason: null }

const USER = 'user'
/** Tokens of older clients: this one stores none, and takes them away with everything else. */
const TOKENS = ['jwt', 'refreshToken']
/** A log-out that did not reach the server is made up for at the next load. */
const LOGOUT_PENDING = 'logoutPending'
/** The server did not answer: asked again after this long, and when the network is back. */
const RETRY_MS = 5_000
/** Nobody waits longer for being let in, or out. */
const PATIENCE_MS = 8_000

let state: SessionState = LOADING
const listeners = new Set<() => void>()

export const sessionState = (): SessionState => state

export function subscribeSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function become(next: SessionState): void {
  state = next
  // What public/boot.js guessed for the first paint follows what is known now.
  if (next.status !== 'loading') document.documentElement.dataset['session'] = next.status
  for (const listener of listeners) listener()
}

const becomeOut = (reason: string | null = null): void => become({ status: 'out', user: null, reason })

/** A server that does not answer is a server that is away. */
const send = <T>(path: string): Promise<T> =>
  apiSend<T>('POST', path, {}, { background: true, signal: AbortSignal.timeout(PATIENCE_MS) })

/** Reads the copy and asks the server. Called once, when the page starts. */
export function startSession(): void {
  const cached = readCachedUser()
  addEventListener('storage', ({ key }) => {
    if (key === USER || key === null) followCopy()
  })
  // A page that comes back from the browser's cache has missed what the other tabs did meanwhile.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) followCopy()
  })
  onSessionLost((acted, reason) => {
    if (acted || state.status !== 'out') leaveSession(reason)
  })
  const hinted = hasSessionHint()
  // Who has logged in since has ended the session before by that.
  if (readStored(LOGOUT_PENDING) !== null && !hinted) void endOnServer()
  writeStored(LOGOUT_PENDING, null)
  become(hinted ? { status: 'loading', user: cached } : LOGGED_OUT)
  // Nobody without a trace of a session is asked who they are: it would only be refused.
  if (hinted || cached !== null) void verify()
}

async function verify(): Promise<void> {
  const wasKnown = readStored(USER) !== null
  try {
    const { user } = await send<{ user: User }>('/auth/verify')
    // Not for somebody who has left while the answer was on its way.
    if (hasSessionHint()) enterSession(user)
  } catch (error) {
    console.warn(messages.verify_failed)
    forgetUser()
    const isRefused = error instanceof ApiError && error.status === 401
    if (isRefused) dropSessionHint()
    else askAgainLater()
    // Only who was shown as a member has to be told, and only of what is final.
    becomeOut(isRefused && wasKnown ? messages.verify_failed : null)
  }
}

/** The cookies are still there: as soon as the server answers again, it is as if nothing had been. */
function askAgainLater(): void {
  const again = () => {
    clearTimeout(timer)
    removeEventListener('online', again)
    if (hasSessionHint() && state.status === 'out') void verify()
  }
  const timer = setTimeout(again, RETRY_MS)
  addEventListener('online', again)
}

/** After a log-in, a registration, a change of the profile. */
export function enterSession(user: User): void {
  writeStored(USER, JSON.stringify(user))
  writeStored(LOGOUT_PENDING, null)
  become({ status: 'in', user })
}

/** Ends the session, here at once and on the server if it can be reached. Resolves when the screen may go on to /login. */
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

/** Forgets here what the server has ended. */
export function leaveSession(reason: string | null = null): void {
  // In this order: the other tabs look at the one when they hear of the other.
  dropSessionHint()
  forgetUser()
  becomeOut(reason)
}

function forgetUser(): void {
  for (const key of [USER, ...TOKENS]) writeStored(key, null)
}

/** Another tab has logged in or out: the copy says so. One that only could not reach the server has left the session alone. */
function followCopy(): void {
  const user = readCachedUser()
  if (user !== null) become({ status: 'in', user })
  else if (hasSessionHint()) void verify()
  else if (state.status !== 'out') becomeOut()
}

/** A copy that cannot be read is taken away. */
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
