/**
 * Fetches from publishers politely: reads robots.txt and opt-outs first, sends one request to a
 * host at a time, downloads nothing unchanged, and never leaves the public network. Every request
 * of the newsroom to a publisher goes through here.
 */
import { NewsRefusal, readRetryAfter } from '../news-refusal.ts'
import { OPEN_DOOR, parseAddress, PUBLIC_DOOR } from './addresses.ts'
import { decodeText } from './charset.ts'
import { createClient, type Answer, type Asked, type ClientOptions, type Head } from './client.ts'
import { createHosts, type HostsOptions } from './hosts.ts'
import {
  findOptOut,
  isForbiddenByTag,
  namesLicence,
  readReservations,
  RESERVATIONS_BYTES,
  type Use,
} from './opt-outs.ts'
import { createOriginFiles } from './origin-files.ts'
import { follow, isRedirect, type Arrived } from './redirects.ts'
import { readRobots, ROBOTS_BYTES } from './robots.ts'

/** A fetched feed or page. */
export interface Fetched {
  /** After redirects. */
  readonly url: string
  readonly status: 200 | 304
  /** Decoded; empty when nothing changed (304). */
  readonly text: string
  /** Validators for the next request; the previous ones where an unchanged answer has none. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** The new address, if all redirects were permanent. */
  readonly permanentUrl: string | null
}

export interface FetchedPage extends Fetched {
  /** False where its headers forbid the use of its pictures. */
  readonly allowsPicture: boolean
}

/** Validators of the previous answer of a feed. */
type Validators = Pick<Fetched, 'etag' | 'lastModified'>
const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

/** All methods throw NewsRefusal with the problem. */
export interface Publishers {
  /**
   * A feed, if it changed. Robots tags concern the indexing of pages, so they are ignored for
   * feeds.
   */
  feed(url: string, validators: Validators): Promise<Fetched>
  page(url: string): Promise<FetchedPage>
  image(url: string): Promise<Buffer>
  /** Ends requests under way and waiting ones. */
  close(): Promise<void>
}

export interface PublishersOptions
  extends Pick<ClientOptions, 'userAgent'>, Partial<Pick<ClientOptions, 'timeoutMs' | 'idleMs' | 'resolve' | 'door'>> {
  /** Allows private addresses and all ports, and nothing else; tests give a `door` instead. */
  readonly allowPrivate: boolean
  readonly now: () => number
  /** Delay between two requests to one host. */
  readonly hostDelayMs?: number
  readonly wait?: HostsOptions['wait']
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

/** Longest pause that a Retry-After can ask for. */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000

export function createPublishers(options: PublishersOptions): Publishers {
  const { now, timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = options
  const door = options.door ?? (options.allowPrivate ? OPEN_DOOR : PUBLIC_DOOR)
  const client = createClient({ userAgent: options.userAgent, door, resolve: options.resolve, timeoutMs, idleMs })
  const hosts = createHosts({ delayMs: options.hostDelayMs ?? HOST_DELAY_MS, now, wait: options.wait })
  const robots = createOriginFiles({
    path: '/robots.txt',
    ask: (url) => askForFile(url, { maxBytes: ROBOTS_BYTES, cut: true }, async () => 0),
    read: readRobots,
    now,
  })
  const reservations = createOriginFiles({
    path: '/.well-known/tdmrep.json',
    ask: (url) => askForFile(url, { maxBytes: RESERVATIONS_BYTES }, async (step) => (await robots(step)).delayMs),
    read: readReservations,
    now,
  })

  /** Requests when it is the host's turn, and pauses a host that asks for it. */
  const askInTurn = (url: URL, gapMs: number, asked: Asked): Promise<Answer> =>
    hosts.turn(url.host, gapMs, async () => {
      try {
        return await client.get(url, asked)
      } catch (error) {
        if (error instanceof NewsRefusal && error.retryAfterMs !== null) hosts.leaveAlone(url.host, error.retryAfterMs)
        throw error
      }
    })

  /**
   * Null where the file does not exist. A server that cannot answer now has not allowed anything,
   * so its refusal is passed on.
   */
  async function askForFile(
    start: URL,
    limit: Pick<Asked, 'maxBytes' | 'cut'>,
    gapOf: (url: URL) => Promise<number>,
  ): Promise<string | null> {
    const wants = (head: Head): boolean => {
      if (head.status === 429 || head.status >= 500) throw httpError(head, now())
      return head.status === 200
    }
    const asked: Asked = { headers: {}, ...limit, wants }
    try {
      const { head, bytes } = await follow(start, door, async (url) => askInTurn(url, await gapOf(url), asked))
      if (head.status !== 200) return null
      // A truncated last line could state something else.
      const isCut = limit.cut === true && bytes.length === limit.maxBytes
      return new TextDecoder().decode(isCut ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes)
    } catch (error) {
      // A file behind a circle of redirects counts as missing (RFC 9309, 2.3.1.2).
      if (error instanceof NewsRefusal && error.problem === 'redirects') return null
      throw error
    }
  }

  const arriveAt = (address: string, use: Use | 'feed', asked: Asked): Promise<Arrived> =>
    follow(parseAddress(address, door), door, async (url) => {
      const rules = await robots(url)
      if (!rules.allows(url)) throw new NewsRefusal('robots', `${url.host}: robots.txt disallows it`)
      if (use === 'page' && !rules.allowsSummaries) {
        throw new NewsRefusal('opt_out', `${url.host}: robots.txt refuses the use by AI`)
      }
      if (use !== 'feed' && (await reservations(url)).covers(url)) {
        throw new NewsRefusal('opt_out', `${url.host}: tdmrep.json reserves it`)
      }
      return askInTurn(url, rules.delayMs, asked)
    })

  /** Reads the body of a page that exists and may be used. */
  const wantsFor =
    (use: Use) =>
    (head: Head): boolean => {
      if (isRedirect(head)) return false
      mustBeOk(head, now())
      const optOut = findOptOut(head.values('x-robots-tag'), head.values, use, now())
      if (optOut !== null || namesLicence(head.values('link'))) {
        throw new NewsRefusal('opt_out', `${head.url.host}: ${optOut ?? 'an RSL licence'}`)
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
      return toFetched(arrived, validators)
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

/** @param known the validators that an unchanged answer may leave out */
function toFetched({ head, bytes, isMoved }: Arrived, known: Validators = NO_VALIDATORS): Fetched {
  const isUnchanged = head.status === 304
  const { etag, lastModified } = isUnchanged ? known : NO_VALIDATORS
  return {
    url: head.url.href,
    status: isUnchanged ? 304 : 200,
    text: decodeText(bytes, head.values('content-type')[0] ?? null),
    etag: validator(head, 'etag') ?? etag,
    lastModified: validator(head, 'last-modified') ?? lastModified,
    permanentUrl: isMoved ? head.url.href : null,
  }
}

/** A longer validator is neither a date nor a hash, and not worth storing. */
const VALIDATOR_CHARS = 300

function validator(head: Head, name: string): string | null {
  const [value = ''] = head.values(name)
  return value === '' || value.length > VALIDATOR_CHARS ? null : value
}

/** A page without a content type is assumed to be HTML. */
const isHtml = (head: Head): boolean =>
  /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(head.values('content-type')[0] ?? 'text/html')

function mustBeOk(head: Head, now: number): void {
  if (head.status === 200) return
  if (head.status === 404 || head.status === 410) throw new NewsRefusal('gone', `${head.url.host}: ${head.status}`)
  throw httpError(head, now)
}

const httpError = (head: Head, now: number): NewsRefusal => {
  const wait = readRetryAfter(head.values('retry-after')[0], now)
  const paused = wait === null ? null : Math.min(wait, RETRY_AFTER_MAX_MS)
  return new NewsRefusal('http_error', `${head.url.host}: ${head.status}`, paused)
}
