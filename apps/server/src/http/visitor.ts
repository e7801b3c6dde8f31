import { createHmac, randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type {} from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createLru } from '../lib/lru.ts'
import { UUID } from '../lib/uuid.ts'
import { hostCookie, type Member, type Sessions } from './session.ts'

/**
 * The visitor of a request: the member of a session, the browser by its signed cookie, and the
 * address only as a hash whose key changes daily.
 */
export interface Visitor {
  /** Null without a session. */
  readonly member: Member | null
  /** Random id of the browser (no UUIDv7); nicknames, limits and reports belong to it. */
  readonly visitorId: string
  /**
   * Keyed hash of the address prefix (IPv4 address, IPv6 /64). It distinguishes addresses for a day
   * and reveals none.
   */
  readonly addressHash: string
  /**
   * The same for the /48 of an IPv6 address, within which a customer can change the /64 at will;
   * null for IPv4.
   */
  readonly networkHash: string | null
  /**
   * Where the request came from, kept only for the duration of the request or socket. Never logged,
   * and never stored as it is.
   */
  readonly origin: Origin
}

/** Where a request came from, as hashes. */
export type AddressHashes = Pick<Visitor, 'addressHash' | 'networkHash'>

/** The hash of a source (`sourceOf`). */
export const hashSource = ({ addressHash, networkHash }: AddressHashes): string => networkHash ?? addressHash

export interface Origin {
  readonly address: string
  /** User agent. */
  readonly agent: string
}

/** The visitor of a socket. */
export interface SocketVisitor {
  readonly visitor: Visitor
  /**
   * Whether the handshake had a session or a visitor cookie. Otherwise the visitor lives as long as
   * the socket, and its posts cannot be tied to the browser later; so a browser posts over HTTP
   * first, which sets the cookie.
   */
  readonly recognised: boolean
}

/** Data of a socket's handshake. */
export interface Handshake {
  readonly cookieHeader: string | undefined
  readonly address: string
  readonly agent: string
}

/** The longest lifetime that browsers allow for a cookie. */
const MAX_AGE_S = 400 * 86_400
/** How often a browser gets its cookie anew, so that one in use never loses it. */
const RENEWED_EVERY_MS = 30 * 86_400_000
/** Browsers whose last renewal is remembered. Others get theirs somewhat earlier. */
const RENEWALS_KEPT = 10_000

/**
 * Reads and sets the visitor cookie. Public GETs never set it, so that their answers can be shared.
 */
export interface Visitors {
  /**
   * The visitor of a request. The answer sets the cookie, of a known one about once a month.
   * @throws ApiError unauthorized, see Sessions.identify
   */
  meet(request: FastifyRequest, reply: FastifyReply): Promise<Visitor>
  /**
   * The visitor of a request without setting a cookie; null for an unknown one. @throws ApiError
   * unauthorized
   */
  recognise(request: FastifyRequest): Promise<Visitor | null>
  /** Where a request came from, for calls that need not know who sends them. */
  hashAddress(request: FastifyRequest): AddressHashes
  /**
   * The hashes that the source of a visitor's address had on the days before today: of the IPv4
   * address, or of the /48 of an IPv6 one.
   */
  earlierSources(visitor: Pick<Visitor, 'origin'>, days: number): string[]
  /**
   * The visitor of a socket's handshake; without a cookie, a new one for the life of the socket.
   * @throws ApiError unauthorized
   */
  meetSocket(handshake: Handshake): Promise<SocketVisitor>
  /**
   * The visitor of a socket, with the current state of the member. @throws ApiError unauthorized
   * when the session has ended
   */
  meetAgain(visitor: Visitor): Promise<Visitor>
}

/** The key of limits: those of a member follow from browser to browser. */
export const actorId = ({ member, visitorId }: Visitor): string => member?.id ?? visitorId

export interface VisitorOptions {
  readonly sessions: Sessions
  readonly secret: string
  readonly now: () => number
  readonly secure: boolean
}

export function createVisitors(app: FastifyInstance, { sessions, secret, now, secure }: VisitorOptions): Visitors {
  const cookie = hostCookie('visitor', secure)
  const renewals = createLru<string, number>(RENEWALS_KEPT)

  function read(cookies: Readonly<Record<string, string | undefined>>): string | null {
    const value = cookies[cookie]
    if (value === undefined) return null
    const unsigned = app.unsignCookie(value)
    return unsigned.valid && unsigned.value !== null && UUID.test(unsigned.value) ? unsigned.value : null
  }

  function hashAddress(address: string, daysAgo = 0): AddressHashes {
    const day = Math.floor(now() / 86_400_000) - daysAgo
    const key = createHmac('sha256', secret).update(`address ${day}`).digest()
    const hash = (prefix: string): string => createHmac('sha256', key).update(prefix).digest('base64url').slice(0, 22)
    const prefix = addressPrefix(address)
    const site = sitePrefix(prefix)
    return { addressHash: hash(prefix), networkHash: site === null ? null : hash(site) }
  }

  return {
    async meet(request, reply) {
      const member = request.member ?? (await sessions.identify(request))
      const visitorId = read(request.cookies) ?? randomUUID()
      if (now() - (renewals.get(visitorId) ?? 0) >= RENEWED_EVERY_MS) {
        renewals.set(visitorId, now())
        reply.setCookie(cookie, visitorId, {
          signed: true,
          httpOnly: true,
          sameSite: 'lax',
          secure,
          path: '/',
          maxAge: MAX_AGE_S,
        })
      }
      const origin = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
      return { member, visitorId, ...hashAddress(request.ip), origin }
    },
    async recognise(request) {
      const member = request.member ?? (await sessions.identify(request))
      const visitorId = read(request.cookies)
      if (member === null && visitorId === null) return null
      const origin = { address: request.ip, agent: request.headers['user-agent'] ?? '' }
      return { member, visitorId: visitorId ?? randomUUID(), ...hashAddress(request.ip), origin }
    },
    hashAddress: ({ ip }) => hashAddress(ip),
    earlierSources: ({ origin }, days) =>
      Array.from({ length: days }, (_, index) => hashSource(hashAddress(origin.address, index + 1))),
    async meetSocket({ cookieHeader, address, agent }) {
      const cookies = cookieHeader === undefined ? {} : app.parseCookie(cookieHeader)
      const member = await sessions.identify({ headers: {}, cookies })
      const known = read(cookies)
      const visitorId = known ?? randomUUID()
      const visitor = { member, visitorId, ...hashAddress(address), origin: { address, agent } }
      return { visitor, recognised: member !== null || known !== null }
    },
    async meetAgain(visitor) {
      if (visitor.member === null) return visitor
      return { ...visitor, member: await sessions.loadMember(visitor.member.sessionId) }
    },
  }
}

/** One household or line: the IPv4 address, or the /64 of an IPv6 one. */
export function addressPrefix(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (isIPv4(address)) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle =
    tail === undefined ? [] : Array.from<string>({ length: Math.max(0, 8 - left.length - right.length) }).fill('0')
  return `${[...left, ...middle, ...right]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

/**
 * The likely owner of an address, for fairness between senders: the IPv4 address, or the /48 of an
 * IPv6 one, which one subscriber may have.
 */
export function sourceOf(address: string): string {
  const prefix = addressPrefix(address)
  return sitePrefix(prefix) ?? prefix
}

/**
 * The sender of a request, for queues that serve senders in turn (lib/fair-semaphore.ts): the
 * source of the address. Requests from loopback are the operator's, or everybody's behind a proxy
 * that TRUST_PROXY does not name; so each of them counts as a sender of its own.
 * @param address or its prefix (`addressPrefix`)
 */
export const askerOf = (address: string): string => (isLoopback(address) ? randomUUID() : sourceOf(address))

/** Whether an address is a loopback address. */
export const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/i.test(address)

/** The /48 of a /64 in the form of `addressPrefix`; null for an IPv4 address. */
export const sitePrefix = (prefix: string): string | null =>
  prefix.endsWith('::/64') ? `${prefix.split(':').slice(0, 3).join(':')}::/48` : null
