/**
 * The client of the API. The browser uses fetch (for uploads XHR, in api-upload.ts, because only
 * that reports progress); during server rendering, the QueryClient of the request carries an
 * in-process transport instead.
 */
import type { ErrorCode } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { renewSession } from './session-renewal.ts'

/** An answer of the API by any transport. `link` is the Link header. */
export interface ApiAnswer {
  status: number
  body: unknown
  link: string | null
  /** Retry-After header. */
  retryAfter?: string | null
}

/** Answers GETs of a page that is being rendered on the server. */
export type ApiTransport = (path: string) => Promise<ApiAnswer>

/** `network`: no answer came. `aborted`: the caller gave up. The others come from the server. */
export type ApiErrorCode = ErrorCode | 'network' | 'aborted'

/** A failed call, with a Japanese message that can be shown to visitors. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: ApiErrorCode
  /** Seconds to wait before another try, when the server gave them. */
  readonly retryAfter: number | null
  /** False when the answer had no readable message, so that `message` is the client's own. */
  readonly fromServer: boolean

  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    { retryAfter = null, fromServer = false }: { retryAfter?: number | null; fromServer?: boolean } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.fromServer = fromServer
  }

  /**
   * The message after a sentence that already names the failure, so that the failure is not stated
   * twice.
   */
  get reason(): string {
    if (this.code === 'unexpected') return messages.try_again
    return this.status === 0 ? messages.check_line : this.message
  }
}

/** A page of a list; `next` and `prev` are API paths with their query, from the Link header. */
export interface ApiPage<T> {
  items: T[]
  next: string | null
  prev: string | null
}

/** A TanStack queryFn passes its context; other callers may omit it. */
export interface FetchContext {
  client?: QueryClient
  signal?: AbortSignal | undefined
}

/**
 * A read without an answer for this long counts as a network failure, so that the visitor gets a
 * retry button.
 */
const READ_TIMEOUT_MS = 20_000

const transports = new WeakMap<QueryClient, ApiTransport>()

/** Makes every query of this client go through `transport` (server rendering). */
export function provideTransport(client: QueryClient, transport: ApiTransport): void {
  transports.set(client, transport)
}

export async function apiGet<T>(path: string, context: FetchContext = {}): Promise<T> {
  return bodyOf<T>(await read(path, context))
}

export async function apiPage<T>(path: string, context: FetchContext = {}): Promise<ApiPage<T>> {
  const answer = await read(path, context)
  return { items: bodyOf<T[]>(answer), ...parseLink(answer.link) }
}

export interface SendOptions {
  signal?: AbortSignal
  /**
   * It must not leave the page when the session has expired: no visitor started it, or its form
   * decides that.
   */
  background?: boolean
  /** The browser sends it even when the visitor leaves the page at once. */
  keepalive?: boolean
  /** Each try has this long; without an answer it counts as a network failure. */
  timeoutMs?: number
}

/** Sends JSON (or nothing). */
export async function apiSend<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  { signal, background = false, keepalive = false, timeoutMs }: SendOptions = {},
): Promise<T> {
  const init: RequestInit = { method, keepalive }
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { 'content-type': 'application/json' }
  }
  const send = () =>
    overFetch(path, { ...init, signal: timeoutMs === undefined ? (signal ?? null) : within(timeoutMs, signal) })
  return bodyOf<T>(await withSession(path, !background, send))
}

/** The API paths of `rel="next"` and `rel="prev"` in a Link header. */
export function parseLink(link: string | null): { next: string | null; prev: string | null } {
  const find = (rel: string) =>
    link
      ?.split(/,\s*(?=<)/)
      .find((part) => part.includes(`rel="${rel}"`))
      ?.match(/<([^>]*)>/)?.[1] ?? null
  return { next: find('next'), prev: find('prev') }
}

/** Calls that open or end a session: their 401 is an answer, not an expired session. */
const OPENS_OR_ENDS_SESSION = /^\/auth\/(login|register|google|logout)$/

type LostListener = (acted: boolean, message: string) => void
const lostListeners = new Set<LostListener>()

/**
 * Registers a listener for a lost session, with the message of the server. `acted` is true when the
 * visitor started an action that needs a session, which leads to /login (docs/product.md#session).
 */
export function onSessionLost(listener: LostListener): () => void {
  lostListeners.add(listener)
  return () => lostListeners.delete(listener)
}

/** Listeners send it to learn the rights: refused by a proxy, it must not start them again. */
const ASKS_FOR_RIGHTS = '/auth/verify'

const forbiddenListeners = new Set<() => void>()

/** Registers a listener for answers 403: the member's rights may have changed. */
export function onForbidden(listener: () => void): () => void {
  forbiddenListeners.add(listener)
  return () => forbiddenListeners.delete(listener)
}

/**
 * Sends a request of the browser. After a 401 it renews the session once and repeats the request.
 */
export async function withSession(path: string, acted: boolean, perform: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await performTwice(path, acted, perform)
  if (answer.status === 403 && path !== ASKS_FOR_RIGHTS) for (const listener of forbiddenListeners) listener()
  return answer
}

async function performTwice(path: string, acted: boolean, perform: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const sentAt = Date.now()
  const answer = await perform()
  if (answer.status !== 401 || OPENS_OR_ENDS_SESSION.test(path)) return answer
  const renewal = await renewSession(sentAt)
  if (renewal === 'failed') throw noAnswer()
  const again = renewal === 'renewed' ? await perform() : answer
  if (again.status === 401) for (const listener of lostListeners) listener(acted, toApiError(again).message)
  return again
}

function read(path: string, { client, signal }: FetchContext): Promise<ApiAnswer> {
  const transport = client === undefined ? undefined : transports.get(client)
  if (transport !== undefined) return transport(path)
  return withSession(path, false, () => overFetch(path, { signal: within(READ_TIMEOUT_MS, signal) }))
}

const within = (ms: number, signal?: AbortSignal): AbortSignal => {
  const timeout = AbortSignal.timeout(ms)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

async function overFetch(path: string, init: RequestInit): Promise<ApiAnswer> {
  try {
    const response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...init.headers },
    })
    return {
      status: response.status,
      body: parseJson(await response.text()),
      link: response.headers.get('link'),
      retryAfter: response.headers.get('retry-after'),
    }
  } catch (error) {
    throw error instanceof DOMException && error.name === 'AbortError' ? aborted() : noAnswer()
  }
}

export const noAnswer = () => new ApiError(0, 'network', messages.network)
export const aborted = () => new ApiError(0, 'aborted', messages.network)

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function bodyOf<T>(answer: ApiAnswer): T {
  if (answer.status >= 200 && answer.status < 300) return answer.body as T
  throw toApiError(answer)
}

/** A proxy may answer with HTML: the message then depends on the status alone. */
export function toApiError(answer: ApiAnswer): ApiError {
  const { status, body } = answer
  const retryAfter = secondsOf(answer.retryAfter ?? null)
  if (typeof body === 'object' && body !== null && 'message' in body && 'code' in body) {
    return new ApiError(status, body.code as ErrorCode, String(body.message), { retryAfter, fromServer: true })
  }
  if (status === 502 || status === 503 || status === 504) {
    return new ApiError(status, 'unavailable', messages.unavailable, { retryAfter })
  }
  if (status === 404) return new ApiError(status, 'not_found', messages.not_found)
  if (status === 413) return new ApiError(status, 'payload_too_large', messages.payload_too_large)
  if (status === 429) return new ApiError(status, 'too_many_requests', messages.too_many_requests, { retryAfter })
  return new ApiError(status, 'unexpected', messages.unexpected, { retryAfter })
}

function secondsOf(header: string | null): number | null {
  if (header === null || header === '') return null
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}
