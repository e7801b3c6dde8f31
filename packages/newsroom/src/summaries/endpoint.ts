/**
 * Requests to an endpoint with OpenAI's protocol, and the reasons why there is no answer, without
 * the key.
 */
import { unescape } from 'node:querystring'
import { z } from 'zod'
import { readRetryAfter } from '../news-refusal.ts'

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

/** Sends one request. @returns its answer; null for one of another form. @throws ModelFailure */
export type Post = <T>(path: string, body: object, form: z.ZodType<T>) => Promise<T | null>

/** Does some requests within the time limit of one answer. @throws ModelFailure */
export async function withinLimits<T>(options: AskOptions, work: (post: Post) => Promise<T>): Promise<T> {
  const { llm, timeoutMs, stop } = options
  const late = AbortSignal.timeout(timeoutMs)
  const signal = stop === undefined ? late : AbortSignal.any([late, stop])
  try {
    return await work(async (path, body, form) => readAs(form, await post(options, path, body, signal)))
  } catch (error) {
    if (late.aborted) throw new ModelFailure(`no answer within ${timeoutMs / 1_000} s`, { mayHaveCost: true })
    throw failureOf(error, llm)
  }
}

function readAs<T>(form: z.ZodType<T>, text: string): T | null {
  try {
    return form.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
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

/** The cost that an answer reports, in tokens. */
export const usageForm = z
  .object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
  .nullish()
  .catch(null)

/** Endpoints that do not count report nothing, or 0. */
export const told = (tokens: number | null | undefined): number | null => ((tokens ?? 0) > 0 ? tokens! : null)

/** The failure to pass on: in a few words, where `post` gives all that an endpoint sent. */
function failureOf(error: unknown, llm: Endpoint): ModelFailure {
  if (!(error instanceof ModelFailure)) {
    return new ModelFailure(short(error instanceof Error ? error.message : String(error), llm), { mayHaveCost: true })
  }
  const { status, message } = error
  return new ModelFailure(short(status === null ? message : `${status} ${wordsOf(message)}`.trim(), llm), error)
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
  const named = [username, password].flatMap((part) => [part, unescape(part)])
  return [apiKey ?? '', ...named].filter((secret) => secret !== '')
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

/** The whole answer, within limits; a stream that the endpoint chose to send is put together. */
async function post({ llm, now }: AskOptions, path: string, body: object, signal: AbortSignal): Promise<string> {
  const { baseUrl, apiKey } = llm
  const response = await fetch(`${baseUrl.replace(/\/+$/u, '')}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify(body),
    // The key is only sent to the configured endpoint.
    redirect: 'error',
    signal,
  }).catch((error: unknown) => {
    throw new ModelFailure(error instanceof Error ? reachingFailed(error) : String(error))
  })
  const text = await readWhole(response)
  const { status, headers, ok } = response
  if (!ok) throw new ModelFailure(text, { status, retryAfterMs: readRetryAfter(headers.get('retry-after'), now()) })
  return headers.get('content-type')?.startsWith('text/event-stream') === true ? gathered(text) : text
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
