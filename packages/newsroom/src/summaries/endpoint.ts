/**
 * Requests to an endpoint with OpenAI's protocol, and the reasons why there is no answer, without
 * the key.
 */

/** A model on a computer at home is slow; after this time no answer is coming. */
export const MODEL_TIMEOUT_MS = 120_000
/** Maximum bytes of an answer as transferred, including the protocol around the text. */
const ANSWER_BYTES = 1_000_000
/** Maximum characters of an endpoint's error message. */
const REASON_CHARACTERS = 200

/** Address and settings of a language model. */
export interface Endpoint {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
}

/** What all requests share. */
export interface AskOptions {
  readonly llm: Endpoint
  readonly now: () => number
  readonly timeoutMs: number
  /** Aborts a request under way when the server stops. */
  readonly stop?: AbortSignal | undefined
}

/** A model, as the record and the budget of its calls see it (calls.ts). */
export interface AskedModel<Question, Answer> {
  /** Current limit of tokens of an answer. */
  readonly room: number
  /** The maximum tokens of a question. */
  tokensOf(question: Question): number
  /** @throws ModelFailure */
  ask(question: Question): Promise<Answer>
}

/** Does some requests within the time limit of one answer. @throws ModelFailure */
export async function withinLimits<T>(
  { llm, now, timeoutMs, stop }: AskOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs)
  try {
    return await work(stop === undefined ? late : AbortSignal.any([late, stop]))
  } catch (error) {
    throw failureOf(error, { llm, now, isLate: late.aborted, timeoutMs })
  }
}

/**
 * The endpoint gave no answer. The message is for the log and the record: short, and without the
 * key.
 */
export class ModelFailure extends Error {
  /** HTTP status; null when there was no HTTP answer. */
  readonly status: number | null
  readonly retryAfterMs: number | null
  /** Whether the endpoint may have charged tokens nevertheless. */
  readonly mayHaveCost: boolean

  constructor(message: string, fields: Partial<Pick<ModelFailure, 'status' | 'retryAfterMs' | 'mayHaveCost'>> = {}) {
    super(message)
    this.status = fields.status ?? null
    this.retryAfterMs = fields.retryAfterMs ?? null
    this.mayHaveCost = fields.mayHaveCost ?? false
  }
}

/** Endpoints that do not count report nothing, or 0. */
export const told = (tokens: number | undefined): number | null => (tokens === undefined || tokens <= 0 ? null : tokens)

export interface CallError {
  readonly statusCode?: number | undefined
  readonly responseBody?: string | undefined
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined
}

/**
 * The error of a call with an HTTP answer. It contains the whole request too, so it is never logged
 * as it is.
 */
export const callErrorOf = (error: unknown): CallError | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? (error as CallError) : null

function failureOf(
  error: unknown,
  { llm, now, isLate, timeoutMs }: AskOptions & { readonly isLate: boolean },
): ModelFailure {
  if (isLate) return new ModelFailure(`no answer within ${timeoutMs / 1_000} s`, { mayHaveCost: true })
  if (error instanceof ModelFailure) return new ModelFailure(short(error.message, llm), error)
  const call = callErrorOf(error)
  const status = call?.statusCode ?? null
  if (call !== null && status !== null && status >= 400) {
    const { responseBody = '', responseHeaders = {} } = call
    return new ModelFailure(short(`${status} ${wordsOf(responseBody)}`.trim(), llm), {
      status,
      retryAfterMs: waitOf(responseHeaders['retry-after'], now()),
    })
  }
  const message = error instanceof Error ? error.message : String(error)
  return new ModelFailure(short(message, llm), { status, mayHaveCost: true })
}

/**
 * The error message of an endpoint, in the format of OpenAI, of older Ollama and FastAPI, or as
 * plain text.
 */
function wordsOf(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body) as Record<string, unknown>
    const words = (error as { message?: unknown } | undefined)?.message ?? error ?? message ?? detail
    return typeof words === 'string' ? words : JSON.stringify(words ?? '')
  } catch {
    return body
  }
}

/**
 * One short line without the key: endpoints repeat what they were sent, and addresses may contain a
 * password. It is shortened last, because half a key would not be recognised.
 */
function short(message: string, llm: Endpoint): string {
  let line = message
  for (const secret of spellingsOf(secretsOf(llm))) line = line.replaceAll(secret, '…')
  line = line.replaceAll(/\s+/gu, ' ')
  return line.length <= REASON_CHARACTERS ? line : `${line.slice(0, REASON_CHARACTERS)}…`
}

function secretsOf({ apiKey, baseUrl }: Endpoint): string[] {
  const { username, password } = new URL(baseUrl)
  const named = [username, password].flatMap((part) => [part, unescapeUrl(part)])
  return [apiKey ?? '', ...named].filter((secret) => secret !== '')
}

function unescapeUrl(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Secrets in the spellings in which they may come back: plain, in JSON, in an address, in base64.
 * The longest first, because one may contain another.
 */
function spellingsOf(secrets: readonly string[]): string[] {
  const spellings = secrets.flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1)
    const base64 = Buffer.from(secret).toString('base64')
    return [secret, inJson, inJson.replaceAll('/', String.raw`\/`), encodeURIComponent(secret), base64]
  })
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length)
}

/** Retry-After in milliseconds, from seconds or a date. */
function waitOf(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null
  const wait = /^\d+(\.\d+)?$/u.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now
  return Number.isFinite(wait) && wait > 0 ? wait : null
}

/**
 * A fetch that buffers the whole answer, within limits, and converts a stream that the endpoint
 * chose to send.
 */
export async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  // The key is only sent to the configured endpoint.
  const response = await fetch(input, { ...init, redirect: 'error' }).catch((error: unknown) => {
    throw new ModelFailure(error instanceof Error ? reachingFailed(error) : String(error))
  })
  const text = await readWhole(response)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
  if (isStream) headers.set('content-type', 'application/json')
  return new Response(isStream && response.ok ? gathered(text) : text, { status: response.status, headers })
}

/** The cause of "fetch failed" says more: refused, no such name, a redirect. */
const reachingFailed = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message)

async function readWhole(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > ANSWER_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw new ModelFailure('the connection ended in the middle of the answer', { mayHaveCost: response.ok })
  }
  if (bytes > ANSWER_BYTES) throw new ModelFailure('the answer is too large', { mayHaveCost: response.ok })
  return Buffer.concat(chunks).toString('utf8')
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null }
    readonly finish_reason?: string | null
  }[]
  readonly usage?: object | null
  readonly error?: unknown
}

/** Assembles the chunks of a stream into the answer that would have come without one. */
function gathered(stream: string): string {
  let content = ''
  let finish: string | null = null
  let usage: object | null = null
  for (const [, data] of stream.matchAll(/^data: ?(.*)$/gmu)) {
    if (data === '[DONE]') break
    const chunk = JSON.parse(data!) as Chunk
    if (chunk.error !== undefined) throw new ModelFailure(wordsOf(data!), { mayHaveCost: true })
    content += chunk.choices?.[0]?.delta?.content ?? ''
    finish = chunk.choices?.[0]?.finish_reason ?? finish
    usage = chunk.usage ?? usage
  }
  if (finish === null) throw new ModelFailure('the stream ended in the middle of the answer', { mayHaveCost: true })
  return JSON.stringify({
    choices: [{ message: { role: 'assistant', content }, finish_reason: finish }],
    ...(usage === null ? {} : { usage }),
  })
}
