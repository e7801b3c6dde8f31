/**
 * Makes a single request to an untrusted web server: checks where its name leads, how fast it
 * answers, and how much it sends.
 */
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import type { Agent } from 'undici'
import { NewsRefusal } from '../news-refusal.ts'
import type { Door } from './addresses.ts'

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** What comes before the body. */
export interface Head {
  readonly url: URL
  readonly status: number
  /** All values of a header. */
  values(name: string): readonly string[]
}

export interface Asked {
  readonly headers: Readonly<Record<string, string>>
  /** A longer body is refused, compressed or not. */
  readonly maxBytes: number
  /** Truncates a longer body to `maxBytes` instead of refusing it. */
  readonly cut?: boolean
  /** Whether to read the body; may throw to refuse it before it is read. */
  readonly wants: (head: Head) => boolean
}

export interface Answer {
  readonly head: Head
  /** Empty when the body was not wanted. */
  readonly bytes: Buffer
}

export interface Client {
  /** @throws NewsRefusal unreachable, timeout, refused_address, http_error or too_large */
  get(url: URL, asked: Asked): Promise<Answer>
  /** Sends a body; a redirect is an answer like any other. @throws NewsRefusal like `get` */
  post(url: URL, body: Buffer, asked: Asked): Promise<Answer>
  close(): Promise<void>
}

export interface ClientOptions {
  /** Begins with the name of the robot, and says how to reach the operator. */
  readonly userAgent: string
  readonly door: Door
  readonly resolve?: Resolve | undefined
  /** Time limit of a whole answer. */
  readonly timeoutMs: number
  /** Longest pause without any data. */
  readonly idleMs: number
  /** Connections to one host; by default as many as requests one after the other need. */
  readonly connections?: number
}

/** An idle connection is closed after this long, whatever the server offers. */
const KEEP_ALIVE_MS = 4_000
/**
 * Requests to one host are sequential; the second connection is for while the first one is closing.
 */
const CONNECTIONS = 2

/** An unwanted body of up to this size is read, because that is cheaper than a new connection. */
const UNWANTED_BYTES = 16_000

const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true })

export function createClient({
  userAgent,
  door,
  resolve = resolveBySystem,
  timeoutMs,
  idleMs,
  connections = CONNECTIONS,
}: ClientOptions): Client {
  // Loaded with the first request: a board without news never needs it.
  let opened: Promise<Agent> | null = null
  const openAgent = (): Promise<Agent> =>
    (opened ??= import('undici').then(
      ({ Agent }) =>
        new Agent({
          // Every server speaks HTTP/1.1; a second protocol would only enlarge the attack surface.
          allowH2: false,
          connect: { lookup: createCheckedLookup(resolve, door), timeout: idleMs },
          connections,
          keepAliveTimeout: KEEP_ALIVE_MS,
          keepAliveMaxTimeout: KEEP_ALIVE_MS,
          headersTimeout: idleMs,
          bodyTimeout: idleMs,
        }),
    ))

  async function ask(url: URL, body: Buffer | null, { headers, wants, ...limits }: Asked): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const agent = await openAgent()
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: body === null ? 'GET' : 'POST',
        body,
        headers: {
          'user-agent': userAgent,
          'accept-encoding': 'gzip, br',
          'accept-language': 'ja, *;q=0.5',
          ...headers,
        },
        signal,
      })
      const values = (name: string): readonly string[] => [answer.headers[name] ?? []].flat()
      const head: Head = { url, status: answer.statusCode, values }
      try {
        return { head, bytes: wants(head) ? await readBody(answer.body, head, limits) : Buffer.alloc(0) }
      } finally {
        // Keeps the connection open if little is left on it.
        if (!answer.body.destroyed) await answer.body.dump({ limit: UNWANTED_BYTES })
      }
    } catch (error) {
      throw signal.aborted ? new NewsRefusal('timeout', `${url.host}: took too long`) : toRefusal(error, url)
    }
  }

  return {
    get: (url, asked) => ask(url, null, asked),
    post: ask,
    // Requests under way, and later ones, fail as unreachable.
    close: async () => (await openAgent()).destroy(),
  }
}

/**
 * Resolves a name and checks its addresses in one step: the connection goes to the very addresses
 * that were checked, so a name that resolves differently the next time (DNS rebinding) gains
 * nothing. One refused address refuses the name as a whole.
 */
function createCheckedLookup(resolve: Resolve, door: Door): LookupFunction {
  const resolveChecked = callbackify(async (hostname: string) => {
    const found = await resolve(hostname)
    const refused = found.find(({ address }) => !door.address(address))
    if (refused !== undefined) throw new NewsRefusal('refused_address', `${hostname} leads to ${refused.address}`)
    const [first] = found
    if (first === undefined) throw new NewsRefusal('unreachable', `${hostname} has no address`)
    return { first, all: [...found] }
  })
  return (hostname, options, callback) => {
    resolveChecked(hostname, (error, found) => {
      if (error !== null) callback(error, '')
      else if (options.all === true) callback(null, found.all)
      else callback(null, found.first.address, found.first.family)
    })
  }
}

const tooLarge = (url: URL): NewsRefusal => new NewsRefusal('too_large', `${url.host}: the answer is too large`)

/**
 * Counts bytes before and after decompression: a small body may expand to a large one (a bomb), and
 * an endless one to nothing.
 */
async function readBody(
  body: Readable,
  { url, values }: Head,
  { maxBytes, cut = false }: Pick<Asked, 'maxBytes' | 'cut'>,
): Promise<Buffer> {
  if (!cut && Number(values('content-length')[0] ?? 0) > maxBytes) throw tooLarge(url)
  const unpack = unpackerOf(values('content-encoding').join(), url)
  const chunks: Buffer[] = []
  let size = 0
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) throw tooLarge(url)
    }
  }
  try {
    await (unpack === null ? pipeline(body, collect) : pipeline(body, atMost(maxBytes, url), unpack, collect))
  } catch (error) {
    if (!cut || size <= maxBytes) throw error
  }
  return Buffer.concat(chunks, Math.min(size, maxBytes))
}

const atMost = (maxBytes: number, url: URL) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(url)
      yield chunk
    }
  }

function unpackerOf(encoding: string, url: URL): ReturnType<typeof createUnzip | typeof createBrotliDecompress> | null {
  const packing = encoding.trim().toLowerCase()
  if (packing === '' || packing === 'identity') return null
  if (packing === 'br') return createBrotliDecompress()
  if (['gzip', 'x-gzip', 'deflate'].includes(packing)) return createUnzip()
  throw new NewsRefusal('http_error', `${url.host}: packed in a way nobody asked for`)
}

const TIMEOUT = /^ETIMEDOUT$|^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/

/** Answers that are malformed HTTP or wrongly compressed. */
const MALFORMED = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_RESPONSE|Z_|ERR_BROTLI|ERR__ERROR_|ERR_PADDING)/

/** Translates network errors to refusals. Any other error is a bug of ours, and is passed on. */
function toRefusal(error: unknown, url: URL): unknown {
  if (error instanceof NewsRefusal || !(error instanceof Error)) return error
  if (error.cause instanceof NewsRefusal) return error.cause
  // A Content-Length that is no number (-5) gives an error without a code.
  if (error.name === 'HTTPParserError') return new NewsRefusal('http_error', `${url.host}: ${error.message}`)
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return error
  const message = `${url.host}: ${code}`
  if (TIMEOUT.test(code)) return new NewsRefusal('timeout', message)
  return new NewsRefusal(MALFORMED.test(code) ? 'http_error' : 'unreachable', message)
}
