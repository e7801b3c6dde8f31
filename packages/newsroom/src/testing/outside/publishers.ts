/**
 * A publisher for tests: a web server that serves feeds, articles and pictures as publishers do,
 * well or badly. It supports the charsets of Japanese sites and conditional requests, and can be
 * slow, broken, endless or hostile.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { listen } from './listen.ts'

export type Charset = 'utf-8' | 'shift_jis' | 'euc-jp' | 'iso-2022-jp'

/** The answer at a path. */
export interface Route {
  /** Default: 200. */
  readonly status?: number
  /** A Content-Type is added where none is given. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /**
   * The charset in which a text body is encoded and, without a Content-Type, declared; UTF-8 by
   * default.
   */
  readonly charset?: Charset
  /** A request with one of these validators gets 304. */
  readonly etag?: string
  readonly lastModified?: string
  /**
   * whole: at once. hang: no answer ever. stall: half of the body, then nothing. trickle: its first
   * byte now and then, without end. drop: half of the body, then the connection is closed. endless:
   * the body again and again.
   */
  readonly pace?: 'whole' | 'hang' | 'stall' | 'trickle' | 'drop' | 'endless'
}

export interface PublisherRequest {
  /** Including its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A route may depend on the request. */
export type RouteOrAnswer = Route | ((request: PublisherRequest) => Route | Promise<Route>)

export interface Publisher {
  /** Its address without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Requests in order, including those of `/robots.txt` and the like. */
  readonly requests: readonly PublisherRequest[]
  /** How often a path was requested. */
  asked(path: string): number
  /** Changes the answer of a path; null: not found. */
  set(path: string, route: RouteOrAnswer | null): void
  close(): Promise<void>
}

/** Between two bytes of a trickle. */
const TRICKLE_MS = 20

/** Starts a publisher on a free port. Paths without a route are not found (404). */
export async function startPublisher(routes: Readonly<Record<string, RouteOrAnswer>> = {}): Promise<Publisher> {
  const known = new Map(Object.entries(routes))
  const requests: PublisherRequest[] = []
  const server = createServer((incoming, response) => {
    const request = { path: incoming.url ?? '/', headers: incoming.headers }
    requests.push(request)
    const found = known.get(request.path) ??
      known.get(request.path.split('?')[0]!) ?? { status: 404, body: 'not found' }
    const route = typeof found === 'function' ? found(request) : found
    void Promise.resolve(route).then((ready) => answer(incoming, response, ready))
  })
  const { port, close } = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    asked: (path) => requests.filter((request) => request.path === path).length,
    set(path, route) {
      if (route === null) known.delete(path)
      else known.set(path, route)
    },
    close,
  }
}

function answer(request: IncomingMessage, response: ServerResponse, route: Route): void {
  if (route.pace === 'hang') return
  if (route.etag !== undefined) response.setHeader('etag', route.etag)
  if (route.lastModified !== undefined) response.setHeader('last-modified', route.lastModified)
  if (isUnchanged(request, route)) {
    response.writeHead(304).end()
    return
  }
  const charset = route.charset ?? 'utf-8'
  const body = typeof route.body === 'string' ? encodeAs(charset, route.body) : (route.body ?? Buffer.alloc(0))
  const type = typeof route.body === 'string' ? { 'content-type': `${typeOf(route.body)}; charset=${charset}` } : {}
  response.writeHead(route.status ?? 200, { ...type, ...(route.headers as Record<string, string>) })
  send(response, body, route.pace ?? 'whole')
}

function isUnchanged(request: IncomingMessage, route: Route): boolean {
  const etag = request.headers['if-none-match']
  if (etag !== undefined) return etag === route.etag
  const since = request.headers['if-modified-since']
  return since !== undefined && since === route.lastModified
}

function typeOf(body: string): string {
  if (/^\s*[{[]/.test(body)) return 'application/json'
  return /^\s*<(\?xml|rss|feed|rdf:RDF|opml)\b/.test(body) ? 'application/xml' : 'text/html'
}

function send(response: ServerResponse, body: Buffer, pace: Exclude<Route['pace'], 'hang' | undefined>): void {
  const half = body.subarray(0, Math.ceil(body.length / 2))
  if (pace === 'whole') response.end(body)
  else if (pace === 'stall') response.write(half)
  else if (pace === 'drop') response.write(half, () => response.destroy())
  else if (pace === 'trickle') {
    const timer = setInterval(() => response.write(body.subarray(0, 1)), TRICKLE_MS)
    response.once('close', () => clearInterval(timer))
  } else repeat(response, body)
}

/** Sends a text again and again, as long as somebody reads it. */
export function repeat(response: ServerResponse, body: Buffer): void {
  const block = Buffer.alloc(64_000, body)
  const write = (): void => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', write)
  write()
}

/** A redirect, to an address or a path. */
export const redirectTo = (location: string, status = 302): Route => ({ status, headers: { location } })

/** A page of a given size; without a Content-Length where `chunked`. */
export const largePage = (bytes: number, { chunked = false } = {}): Route => ({
  headers: {
    'content-type': 'text/html; charset=utf-8',
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) }),
  },
  body: Buffer.alloc(bytes, '<p>忍</p>'),
})

/** A page that is small when compressed and has this many megabytes when decompressed. */
export function bombPage(megabytes: number, encoding: 'gzip' | 'br' = 'gzip'): Route {
  const spaces = Buffer.alloc(megabytes * 1_000_000, ' ')
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  const body = encoding === 'gzip' ? gzipSync(spaces) : brotliCompressSync(spaces, { params })
  return { headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': encoding }, body }
}

/** Encodes text as Japanese sites do; what a charset lacks becomes a question mark. */
export const encodeAs = (charset: Charset, text: string): Buffer =>
  charset === 'iso-2022-jp' ? encodeIso2022Jp(text) : iconv.encode(text, charset)

/** The byte pairs of EUC-JP without their high bits, between escape sequences. */
function encodeIso2022Jp(text: string): Buffer {
  const parts = text.match(/[\0-\x7f]+|[^\0-\x7f]+/g) ?? []
  return Buffer.concat(
    parts.map((part) => {
      if (part.codePointAt(0)! < 0x80) return Buffer.from(part)
      const pairs = iconv.encode(part, 'euc-jp').map((byte) => byte & 0x7f)
      return Buffer.concat([Buffer.from('\x1b$B'), pairs, Buffer.from('\x1b(B')])
    }),
  )
}
