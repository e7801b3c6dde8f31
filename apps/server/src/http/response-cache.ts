/**
 * The public answers of the board as ready-made bytes. What is public is the same for everybody, so JSON and pages are
 * kept under their URL with what they show as tags, in identity, gzip and brotli, with strong ETags, and are dropped when that
 * changes. Hits are answered in front of the router. Many who ask for the same at once are answered by one load.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const gzipBytes = promisify(gzip)
const brotliBytes = promisify(brotliCompress)

type Encoding = 'identity' | 'gzip' | 'br'

/** How long after a change an answer may still be given, counted from its making. 0 for what must be exact at once. */
export const PATIENCE_MS = 1_000
const COMPRESS_FROM_BYTES = 512
const COMPRESSIBLE = /^text\/|[/+](json|xml|javascript|x-yaml)\b/
/** Longer addresses are answered and forgotten: no link of ours is that long. */
const KEY_MAX = 1_024
/** Nothing is given out longer than this, whatever was missed: scores fade, years turn, operators mend rows by hand. */
const MAX_AGE_MS = 60_000

/** Answers kept that there is nothing under an address. */
const NOTHINGS_MAX = 100

/** What a drop does to answers that may lag a little: they are given out until then, or no more. */
export type DropTime = 'patiently' | 'at once'
/** `calmly`: at once, so that who writes sees their own write in lists; patiently where that was done within the last second. */
type DropWish = DropTime | 'calmly'

/** What is kept: answers, and that there is nothing. */
export type KeptStatus = 200 | 404

interface Variant {
  readonly status: KeptStatus
  readonly body: Buffer
  /** Header fields as `writeHead` takes them fastest: name, value, name, value … */
  readonly headers: readonly string[]
  readonly notModified: readonly string[]
  readonly etag: string
}

export interface Entry {
  readonly tags: ReadonlySet<string>
  readonly patience: number
  readonly loadedAt: number
  /** From then on it is no longer given out; sooner when something it shows changes. */
  expiresAt: number
  readonly status: KeptStatus
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly etag: string
  /** Pictures, fonts and archives are as small as they get. */
  readonly isCompressible: boolean
  readonly variants: Map<Encoding, Variant | Promise<Variant>>
}

export interface PeekedAnswer {
  readonly status: KeptStatus
  readonly body: Buffer
  readonly tags: ReadonlySet<string>
  readonly link: string | null
  readonly expiresAt: number
}

/** An answer on its way into the cache. */
export interface Load {
  readonly key: string
  readonly startedAt: number
  patience: number
  tags: Set<string>
  dropped: boolean
  /** It is made of answers that end then; Infinity when of none. */
  until: number
  readonly done: Promise<Entry | null>
  readonly resolve: (entry: Entry | null) => void
}

export interface ResponseCacheOptions {
  readonly maxBytes: number
  readonly now: () => number
  /** Where other servers serve the same board: tells them what is dropped. */
  readonly tellOthers?: ((tags: readonly string[], when: DropTime) => void) | undefined
  /** Hears whatever has changed, here or on another server. */
  readonly onChange?: ((tags: Iterable<string>) => void) | undefined
}

/** What the cache holds now, and what it did since the start. */
export interface CacheStats {
  readonly entries: number
  readonly bytes: number
  /** Requests answered at once; by a load that was under way already; by the router; and those whose answer is nobody else's. */
  readonly hits: number
  readonly waits: number
  readonly misses: number
  readonly personal: number
  /** Changes that ended the time of answers. */
  readonly drops: number
  /** Answers that had to go because there was no more room. */
  readonly evictions: number
}

export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>
  readonly #keysByTag = new Map<string, Set<string>>()
  /** Keys of answers that there is nothing, in the order they came. */
  readonly #nothings = new Set<string>()
  readonly #loads = new Map<string, Load>()
  /** Every load under way, those that newcomers no longer join included. */
  readonly #allLoads = new Set<Load>()
  readonly #now: () => number
  readonly #tellOthers: ResponseCacheOptions['tellOthers']
  readonly #onChange: ResponseCacheOptions['onChange']
  #maxAge = MAX_AGE_MS
  /** When something was last dropped at once because it was calm. */
  #calmAt = -Infinity
  // Plain integers, read when somebody asks: a hit takes some ten microseconds, and counting must not be seen in them.
  #hits = 0
  #waits = 0
  #misses = 0
  #personal = 0
  #drops = 0
  #evictions = 0

  constructor({ maxBytes, now, tellOthers, onChange }: ResponseCacheOptions) {
    this.#now = now
    this.#tellOthers = tellOthers
    this.#onChange = onChange
    this.#entries = new LRUCache<string, Entry>({
      maxSize: maxBytes,
      // The body and its compressed copies, the key, the headers of each copy, and what the maps take.
      sizeCalculation: (entry, key) => entry.body.length * (entry.isCompressible ? 2 : 1) + key.length * 2 + 4_096,
      dispose: (entry, key, reason) => {
        if (reason === 'evict') this.#evictions += 1
        this.#forgetTags(key, entry)
        if (entry.status !== 200 && reason !== 'set') this.#nothings.delete(key)
      },
    })
  }

  /** Answers a request from the cache, or from the load that is under way; calls `miss` when the router has to answer. */
  serve(request: IncomingMessage, response: ServerResponse, miss: () => void): void {
    const key = request.url!
    // HEAD is answered as GET is, with the same header fields; Node knows by the request that came that no body is to follow.
    if (request.method === 'HEAD') request.method = 'GET'
    if (!isShared(request)) {
      this.#personal += 1
      return miss()
    }
    const entry = this.#fresh(key)
    if (entry !== undefined) {
      this.#hits += 1
      return this.send(entry, request, response)
    }
    const load = this.#loads.get(key)
    if (load === undefined) {
      this.#misses += 1
      return miss()
    }
    void load.done.then((loaded) => {
      // Made for nobody (an error, a lost connection): of those who waited one becomes the next to load.
      if (loaded === null) return this.serve(request, response, miss)
      this.#waits += 1
      this.send(loaded, request, response)
    })
  }

  /** What a key is answered with, now or by the load that is under way; null when it has to be made. */
  async find(key: string): Promise<Entry | null> {
    for (;;) {
      const entry = this.#fresh(key)
      if (entry !== undefined) {
        this.#hits += 1
        return entry
      }
      const load = this.#loads.get(key)
      if (load === undefined) return null
      const loaded = await load.done
      if (loaded === null) continue
      this.#waits += 1
      return loaded
    }
  }

  /** A fresh entry's body, for pages that are made of JSON answers. */
  peek(key: string): PeekedAnswer | undefined {
    const entry = this.#fresh(key)
    if (entry === undefined) return undefined
    const link = entry.headers.find(([name]) => name === 'link')?.[1] ?? null
    const { status, body, tags, expiresAt } = entry
    return { status, body, tags, link, expiresAt }
  }

  /** A load for a key is beginning: later requests wait for it. */
  begin(key: string, patience: number): Load {
    const { promise, resolve } = Promise.withResolvers<Entry | null>()
    const load: Load = {
      key,
      startedAt: this.#now(),
      patience,
      tags: new Set(),
      dropped: false,
      until: Infinity,
      done: promise,
      resolve,
    }
    this.#allLoads.add(load)
    if (!this.#loads.has(key)) this.#loads.set(key, load)
    return load
  }

  /** A load has its answer. */
  finish(load: Load, headers: readonly (readonly [string, string])[], body: Buffer, status: KeptStatus = 200): Entry {
    const entry: Entry = {
      status,
      tags: load.tags,
      patience: load.patience,
      loadedAt: load.startedAt,
      expiresAt: Math.min(load.until, load.startedAt + (load.dropped ? load.patience : MAX_AGE_MS)),
      headers,
      body,
      etag: createHash('sha256').update(body).digest('base64url').slice(0, 27),
      isCompressible: headers.some(([name, value]) => name === 'content-type' && COMPRESSIBLE.test(value)),
      variants: new Map(),
    }
    this.#end(load)
    if (entry.expiresAt > this.#now() && load.key.length <= KEY_MAX) {
      this.#keep(load.key, entry)
      for (const tag of load.tags) {
        const keys = this.#keysByTag.get(tag)
        if (keys === undefined) this.#keysByTag.set(tag, new Set([load.key]))
        else keys.add(load.key)
      }
    }
    load.resolve(entry)
    return entry
  }

  /** A load ended without an answer worth keeping; who waits asks the router. */
  abandon(load: Load): void {
    this.#end(load)
    load.resolve(null)
  }

  /**
   * Something changed: drops what shows it, on every server; patient answers a second after they were made at the latest, or at once.
   */
  drop(tags: Iterable<string>, wish: DropWish = 'patiently'): void {
    const all = [...tags]
    const when = wish === 'calmly' ? this.#calmly() : wish
    this.dropHere(all, when)
    this.#tellOthers?.(all, when)
  }

  #calmly(): DropTime {
    const now = this.#now()
    if (Math.abs(now - this.#calmAt) < PATIENCE_MS) return 'patiently'
    this.#calmAt = now
    return 'at once'
  }

  /** Drops what this server keeps: for what each server learns by itself. */
  dropHere(tags: Iterable<string>, when: DropTime): void {
    this.#drops += 1
    this.#onChange?.(tags)
    const now = this.#now()
    for (const tag of tags) {
      for (const key of this.#keysByTag.get(tag) ?? []) {
        const entry = this.#entries.peek(key)
        if (entry === undefined) continue
        const end = when === 'at once' ? now : entry.loadedAt + entry.patience
        if (end <= now) this.#entries.delete(key)
        else entry.expiresAt = Math.min(entry.expiresAt, end)
      }
      for (const load of this.#allLoads) {
        if (!load.tags.has(tag)) continue
        load.dropped = true
        if (when === 'at once') load.patience = 0
        if (load.patience === 0) this.#unlist(load)
      }
    }
  }

  /**
   * While it is uncertain whether other servers' drops arrive, nothing is kept for longer than patience allows anyway; once they do
   * again, nothing is kept that may have missed one.
   */
  trustDrops(trusted: boolean): void {
    if (trusted && this.#maxAge < MAX_AGE_MS) this.clear()
    this.#maxAge = trusted ? MAX_AGE_MS : PATIENCE_MS
  }

  stats(): CacheStats {
    return {
      entries: this.#entries.size,
      bytes: this.#entries.calculatedSize,
      hits: this.#hits,
      waits: this.#waits,
      misses: this.#misses,
      personal: this.#personal,
      drops: this.#drops,
      evictions: this.#evictions,
    }
  }

  /** Drops everything. */
  clear(): void {
    for (const load of this.#allLoads) {
      load.dropped = true
      this.#unlist(load)
    }
    this.#entries.clear()
  }

  /** An entry's bytes for a request, compressed off the event loop at the first asking. */
  variantFor(entry: Entry, acceptEncoding: string | string[] | undefined): Variant | Promise<Variant> {
    const encoding = this.#encodingFor(entry, String(acceptEncoding ?? ''))
    const known = entry.variants.get(encoding)
    if (known !== undefined) return known
    if (encoding === 'identity') {
      const variant = toVariant(entry, entry.body, encoding)
      entry.variants.set(encoding, variant)
      return variant
    }
    const pending = compress(entry, encoding).then(
      (body) => {
        const variant = toVariant(entry, body, encoding)
        entry.variants.set(encoding, variant)
        return variant
      },
      (error: unknown) => {
        entry.variants.delete(encoding)
        throw error
      },
    )
    entry.variants.set(encoding, pending)
    return pending
  }

  #encodingFor(entry: Entry, accepted: string): Encoding {
    if (accepted === '' || !entry.isCompressible || entry.body.length < COMPRESS_FROM_BYTES) return 'identity'
    if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br'
    return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity'
  }

  #fresh(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const now = this.#now()
    // One that was made in the future was made before the clock was set back, and nobody knows how old it is.
    if (entry.expiresAt > now && entry.loadedAt <= now && now - entry.loadedAt <= this.#maxAge) return entry
    this.#entries.delete(key)
    return undefined
  }

  /** Answers a request with an entry. */
  send(entry: Entry, request: IncomingMessage, response: ServerResponse): void {
    const variant = this.variantFor(entry, request.headers['accept-encoding'])
    if (variant instanceof Promise) {
      void variant.then(
        (ready) => writeVariant(ready, request, response),
        () => writeVariant(toVariant(entry, entry.body, 'identity'), request, response),
      )
      return
    }
    writeVariant(variant, request, response)
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    if (entry.status === 200) return
    // There is no end of addresses under which there is nothing: they take the room of each other only.
    this.#nothings.add(key)
    if (this.#nothings.size <= NOTHINGS_MAX) return
    const [oldest] = this.#nothings
    this.#nothings.delete(oldest!)
    if (this.#entries.peek(oldest!)?.status !== 200) this.#entries.delete(oldest!)
  }

  #end(load: Load): void {
    this.#allLoads.delete(load)
    this.#unlist(load)
  }

  #unlist(load: Load): void {
    if (this.#loads.get(load.key) === load) this.#loads.delete(load.key)
  }

  #forgetTags(key: string, entry: Entry): void {
    for (const tag of entry.tags) {
      const keys = this.#keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysByTag.delete(tag)
    }
  }
}

/** Requests whose answer is the same for everybody. Other origins get answers of their own, as CORS names them in the headers. */
export const isShared = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.authorization === undefined &&
  (headers.origin === undefined || isOwnOrigin(headers.origin, headers.host))

/** Browsers name the origin of a page with its own scripts, styles and fonts as well: they are asked for as `crossorigin`. */
const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  host !== undefined && /^https?:\/\//.test(origin) && origin.slice(origin.indexOf('://') + 3) === host

async function compress({ body, headers }: Entry, encoding: 'gzip' | 'br'): Promise<Buffer> {
  // What a browser loads once and keeps is worth more time than a page that changes in a moment.
  const isKept = headers.some(([name, value]) => name === 'cache-control' && value.includes('immutable'))
  if (encoding === 'gzip') return gzipBytes(body, { level: isKept ? 9 : 6 })
  return brotliBytes(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: isKept ? 9 : 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  })
}

function toVariant(entry: Entry, body: Buffer, encoding: Encoding): Variant {
  const etag = encoding === 'identity' ? `"${entry.etag}"` : `"${entry.etag}-${encoding}"`
  const shared = [...entry.headers.filter(([name]) => name !== 'content-length').flat(), 'etag', etag]
  return {
    status: entry.status,
    body,
    etag,
    headers: [
      ...shared,
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      'content-length',
      String(body.length),
    ],
    notModified: shared.filter((_, index) => shared[index - (index % 2)] !== 'content-type'),
  }
}

/** True when the client holds this very variant (RFC 9110 §13.1.2; weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch === '*' || ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
  )
}

function writeVariant(variant: Variant, request: IncomingMessage, response: ServerResponse): void {
  if (response.destroyed) return
  if (variant.status === 200 && isNotModified(request.headers['if-none-match'], variant.etag)) {
    response.writeHead(304, variant.notModified as string[])
    response.end()
    return
  }
  response.writeHead(variant.status, variant.headers as string[])
  response.end(variant.body)
}
