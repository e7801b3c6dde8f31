/**
 * Reaches publishers as a good citizen does: asks robots.txt and opt-outs first, one request to a host at a time, nothing twice that did
 * not change, and never anything that is not on the open network. All that news fetch goes through here.
 */
import { NewsRefusal } from '../news-refusal.ts'
import { OPEN_DOOR, parseAddress, PUBLIC_DOOR, type Door } from './addresses.ts'
import { decodeText } from './charset.ts'
import { createClient, type Answer, type Asked, type Head, type Resolve } from './client.ts'
import { createHosts, type HostsOptions } from './hosts.ts'
import { isForbiddenByTag, isReservedByHeader, readReservations, RESERVATIONS_BYTES, type Use } from './opt-outs.ts'
import { createOriginFiles } from './origin-files.ts'
import { follow, isRedirect, type Arrived } from './redirects.ts'
import { readRobots, ROBOTS_BYTES } from './robots.ts'

/** A feed or page that was fetched. */
export interface Fetched {
  /** After redirects. */
  readonly url: string
  readonly status: 200 | 304
  /** Decoded; empty when nothing changed (304). */
  readonly text: string
  /** What to ask with the next time; kept from the last time where the answer has none and nothing changed. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** Set when every redirect on the way was for good: where to ask from now on. */
  readonly permanentUrl: string | null
}

export interface FetchedPage extends Fetched {
  /** False where its headers keep its pictures from us. */
  readonly allowsPicture: boolean
}

/** What a feed said of itself at the last look. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/** All of them throw NewsRefusal with what was in the way. */
export interface Publishers {
  /** A feed, if it changed. Tags that keep pages from search engines say nothing about feeds, and are not asked for. */
  feed(url: string, validators: Validators): Promise<Fetched>
  page(url: string): Promise<FetchedPage>
  image(url: string): Promise<Buffer>
  /** Ends what is under way and what waits. */
  close(): Promise<void>
}

export interface PublishersOptions {
  /** Begins with ROBOT_TOKEN, and says how to reach whoever runs it. */
  readonly userAgent: string
  /** Opens private addresses and all ports, and nothing else. */
  readonly allowPrivate: boolean
  readonly now: () => number
  /** Between two requests to one host. */
  readonly hostDelayMs?: number
  /** For all of one answer. */
  readonly timeoutMs?: number
  /** Between two signs of life of an answer. */
  readonly idleMs?: number
  readonly resolve?: Resolve
  readonly wait?: HostsOptions['wait']
  /** Which addresses and ports may be reached; `allowPrivate` says it unless a test does. */
  readonly door?: Door
}

const MEGABYTE = 1_000_000
const FEED_BYTES = 5 * MEGABYTE
const PAGE_BYTES = 5 * MEGABYTE
const IMAGE_BYTES = 10 * MEGABYTE

const HOST_DELAY_MS = 2_000
const TIMEOUT_MS = 30_000
const IDLE_MS = 10_000

const ACCEPT_FEED =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1'
const ACCEPT_PAGE = 'text/html, application/xhtml+xml'
const ACCEPT_IMAGE = 'image/webp, image/png, image/jpeg, image/gif'

/** Nobody is left alone for longer than this, whatever they ask for. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000

export function createPublishers(options: PublishersOptions): Publishers {
  const { now, timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = options
  const door = options.door ?? (options.allowPrivate ? OPEN_DOOR : PUBLIC_DOOR)
  const client = createClient({ userAgent: options.userAgent, door, resolve: options.resolve, timeoutMs, idleMs })
  const hosts = createHosts({ delayMs: options.hostDelayMs ?? HOST_DELAY_MS, now, wait: options.wait })
  const robots = createOriginFiles({
    path: '/robots.txt',
    ask: (url) => askForFile(url, { maxBytes: ROBOTS_BYTES, cut: true }, () => Promise.resolve(0)),
    read: readRobots,
    now,
  })
  const delayOf = async (url: URL): Promise<number> => (await robots(url)).delayMs
  const reservations = createOriginFiles({
    path: '/.well-known/tdmrep.json',
    ask: (url) => askForFile(url, { maxBytes: RESERVATIONS_BYTES, cut: false }, delayOf),
    read: readReservations,
    now,
  })

  /** Asks once it is our turn, and leaves a host alone that asks for it. */
  const askInTurn = (url: URL, gapMs: number, asked: Asked): Promise<Answer> =>
    hosts.turn(url.host, gapMs, async () => {
      try {
        return await client.get(url, asked)
      } catch (error) {
        if (error instanceof NewsRefusal && error.retryAfterMs !== null) hosts.leaveAlone(url.host, error.retryAfterMs)
        throw error
      }
    })

  /** Null where there is no such file. Whoever cannot answer now has not allowed anything yet: that is passed on as a refusal. */
  async function askForFile(
    start: URL,
    limit: Pick<Asked, 'maxBytes' | 'cut'>,
    gapOf: (url: URL) => Promise<number>,
  ): Promise<string | null> {
    const wants = (head: Head): boolean => {
      if (isOverloaded(head.status)) throw httpError(head, now())
      return head.status === 200
    }
    const asked: Asked = { headers: {}, ...limit, wants }
    try {
      const { head, bytes } = await follow(start, door, async (url) => askInTurn(url, await gapOf(url), asked))
      if (head.status !== 200) return null
      // A line that was cut would say something else.
      const isCut = limit.cut === true && bytes.length === limit.maxBytes
      return new TextDecoder().decode(isCut ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes)
    } catch (error) {
      // A file that leads in circles is none (RFC 9309, 2.3.1.2).
      if (error instanceof NewsRefusal && error.problem === 'redirects') return null
      throw error
    }
  }

  const arriveAt = (address: string, use: Use | 'feed', asked: Asked): Promise<Arrived> =>
    follow(parseAddress(address, door), door, async (url) => {
      const rules = await robots(url)
      if (!rules.allows(url)) throw new NewsRefusal('robots', `${url.host}: robots.txt disallows it`)
      if (use === 'page' && !rules.allowsSummaries) {
        throw new NewsRefusal('opt_out', `${url.host}: robots.txt says ai-input=no`)
      }
      if (use !== 'feed' && (await reservations(url)).covers(url)) {
        throw new NewsRefusal('opt_out', `${url.host}: tdmrep.json reserves it`)
      }
      return askInTurn(url, rules.delayMs, asked)
    })

  /** Reads the body of what is there and may be used. */
  const wantsFor =
    (use: Use) =>
    (head: Head): boolean => {
      if (isRedirect(head)) return false
      mustBeOk(head, now())
      if (isForbiddenByTag(head.values('x-robots-tag'), use, now())) {
        throw new NewsRefusal('opt_out', `${head.url.host}: X-Robots-Tag forbids it`)
      }
      if (isReservedByHeader(head.values('tdm-reservation'))) {
        throw new NewsRefusal('opt_out', `${head.url.host}: tdm-reservation`)
      }
      if (use === 'page' && !isHtml(head)) throw new NewsRefusal('not_html', `${head.url.host}: not a page`)
      return true
    }

  return {
    async feed(url, validators) {
      const isAsked = validators.etag !== null || validators.lastModified !== null
      const arrived = await arriveAt(url, 'feed', {
        headers: {
          accept: ACCEPT_FEED,
          ...(validators.etag === null ? {} : { 'if-none-match': validators.etag }),
          ...(validators.lastModified === null ? {} : { 'if-modified-since': validators.lastModified }),
        },
        maxBytes: FEED_BYTES,
        wants(head) {
          if (isRedirect(head) || (isAsked && head.status === 304)) return false
          mustBeOk(head, now())
          return true
        },
      })
      if (arrived.head.status !== 304) return toFetched(arrived)
      const answered = toFetched(arrived)
      return {
        ...answered,
        status: 304,
        etag: answered.etag ?? validators.etag,
        lastModified: answered.lastModified ?? validators.lastModified,
      }
    },
    async page(url) {
      const asked = { headers: { accept: ACCEPT_PAGE }, maxBytes: PAGE_BYTES, wants: wantsFor('page') }
      const arrived = await arriveAt(url, 'page', asked)
      const tags = arrived.head.values('x-robots-tag')
      return { ...toFetched(arrived), allowsPicture: !isForbiddenByTag(tags, 'image', now()) }
    },
    async image(url) {
      const asked = { headers: { accept: ACCEPT_IMAGE }, maxBytes: IMAGE_BYTES, wants: wantsFor('image') }
      return (await arriveAt(url, 'image', asked)).bytes
    },
    async close() {
      hosts.close()
      await client.close()
    },
  }
}

function toFetched({ head, bytes, isMoved }: Arrived): Fetched {
  return {
    url: head.url.href,
    status: 200,
    text: decodeText(bytes, head.values('content-type')[0] ?? null),
    etag: validator(head, 'etag'),
    lastModified: validator(head, 'last-modified'),
    permanentUrl: isMoved ? head.url.href : null,
  }
}

/** What is longer is no date and no hash, and not worth keeping. */
const VALIDATOR_CHARS = 300

function validator(head: Head, name: string): string | null {
  const [value = ''] = head.values(name)
  return value === '' || value.length > VALIDATOR_CHARS ? null : value
}

/** Pages without a type are taken for what they are asked for as. */
const isHtml = (head: Head): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(head.values('content-type')[0] ?? 'text/html')

const isOverloaded = (status: number): boolean => status === 429 || status >= 500

function mustBeOk(head: Head, now: number): void {
  if (head.status === 200) return
  if (head.status === 404 || head.status === 410) throw new NewsRefusal('gone', `${head.url.host}: ${head.status}`)
  throw httpError(head, now)
}

const httpError = (head: Head, now: number): NewsRefusal =>
  new NewsRefusal('http_error', `${head.url.host}: ${head.status}`, retryAfter(head, now))

/** Retry-After in milliseconds; it comes as seconds or as a date. Null when it does not say. */
function retryAfter(head: Head, now: number): number | null {
  const [value] = head.values('retry-after')
  if (value === undefined) return null
  const wait = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), RETRY_AFTER_MAX_MS)
}
