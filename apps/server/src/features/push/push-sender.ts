/**
 * Sends one message to a push service: encrypted for the browser (RFC 8291), signed by the board
 * (VAPID, RFC 8292), delivered by RFC 8030.
 */
import { createECDH, createPrivateKey, ECDH, hkdfSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import ece from 'http_ece'
import type { PushMessage, PushSubscriptionKeys } from '@shinobi/contract/push'
import type { Door } from '@shinobi/newsroom/outbound/addresses'
import { createClient, type Client, type Head, type Resolve } from '@shinobi/newsroom/outbound/client'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Config } from '../../config.ts'
import { createLru } from '../../lib/lru.ts'
import { doorOf } from './push-services.ts'

/** What a push service made of a message. */
export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The subscription ended: the browser or its push service dropped it. */
  | { readonly kind: 'gone' }
  /** The service will not take this message, however often it is sent. */
  | { readonly kind: 'refused'; readonly why: string }
  /**
   * The service is unreachable or broken, or (429) has had too many messages for this browser;
   * `retryAfterMs` is what it asks for.
   */
  | {
      readonly kind: 'away'
      readonly who: 'service' | 'browser'
      readonly why: string
      readonly retryAfterMs: number | null
    }

export interface PushSender {
  /** The public key of the board, by which browsers subscribe (applicationServerKey). */
  readonly key: string
  /** Whether messages may be sent to an endpoint. */
  accepts(endpoint: string): boolean
  /** @param topic a message replaces an undelivered one with the same topic */
  send(to: PushSubscriptionKeys, message: PushMessage, topic: string): Promise<PushOutcome>
  close(): Promise<void>
}

/** How long a push service keeps a message for a browser that is offline. */
const TTL_S = 12 * 3_600
/** Push services accept tokens of at most 24 hours. A token is used for half of its life. */
const TOKEN_LIFE_MS = 12 * 3_600_000
const TOKENS_KEPT = 100
const TIMES = { timeoutMs: 10_000, idleMs: 5_000 }
/** A second's worth of messages over one round trip each. */
const CONNECTIONS = 8
const ANSWER_BYTES = 4_000
/** Limits of what a Retry-After may ask for. */
const RETRY_MIN_MS = 10_000
const RETRY_MAX_MS = 6 * 3_600_000

const CURVE = 'prime256v1'

/**
 * The contact that push services require of a sender. Null without one, and where browsers have no
 * service workers: then the board sends nothing.
 */
function contactOf({ publicUrl, contactEmail }: Pick<Config, 'publicUrl' | 'contactEmail'>): string | null {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' && hostname !== 'localhost') return null
  if (contactEmail !== null) return `mailto:${contactEmail}`
  return protocol === 'https:' ? publicUrl : null
}

/** Whether a subscription has the keys of a browser. */
export function isUsable({ keys }: PushSubscriptionKeys): boolean {
  try {
    return ECDH.convertKey(keys.p256dh, CURVE, 'base64url').length > 0
  } catch {
    return false
  }
}

export interface PushSenderOptions {
  readonly config: Pick<Config, 'publicUrl' | 'contactEmail' | 'pushServices'>
  readonly secret: string
  readonly now: () => number
  readonly resolve?: Resolve
  /** For tests of services that never end their answer. */
  readonly times?: { readonly timeoutMs: number; readonly idleMs: number }
}

/** Null where the board cannot send (contactOf). */
export function createPushSender({
  config,
  secret,
  now,
  resolve,
  times = TIMES,
}: PushSenderOptions): PushSender | null {
  const contact = contactOf(config)
  if (contact === null) return null
  const { key, privateKey } = deriveKeys(secret)
  const tokens = createLru<string, { readonly token: Promise<string>; readonly until: number }>(TOKENS_KEPT)
  const clients = new Map<Door, Client>()

  function clientOf(door: Door): Client {
    const known = clients.get(door)
    if (known !== undefined) return known
    const userAgent = `ShinobiIta (+${config.publicUrl})`
    const client = createClient({ userAgent, door, ...times, connections: CONNECTIONS, ...(resolve && { resolve }) })
    clients.set(door, client)
    return client
  }

  /** One token for all messages to a service: a signature costs more than the encryption. */
  function tokenFor(audience: string): Promise<string> {
    const known = tokens.get(audience)
    if (known !== undefined && known.until > now()) return known.token
    const token = new SignJWT({ aud: audience, sub: contact!, exp: Math.floor((now() + TOKEN_LIFE_MS) / 1_000) })
      .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
      .sign(privateKey)
    tokens.set(audience, { token, until: now() + TOKEN_LIFE_MS / 2 })
    return token
  }

  return {
    key,
    accepts: (endpoint) => doorOf(endpoint, config.pushServices) !== null,
    async send({ endpoint, keys }, message, topic) {
      const door = doorOf(endpoint, config.pushServices)
      // It was accepted by settings that have changed since.
      if (door === null) return { kind: 'gone' }
      const url = new URL(endpoint)
      const body = encrypt(keys, message)
      const headers = {
        ...{ ttl: String(TTL_S), topic, urgency: 'normal' },
        ...{ 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm' },
        authorization: `vapid t=${await tokenFor(url.origin)}, k=${key}`,
      }
      try {
        const asked = { headers, maxBytes: ANSWER_BYTES, wants: () => false }
        const { head } = await clientOf(door).post(url, body, asked)
        return outcomeOf(head, now())
      } catch (error) {
        if (!(error instanceof NewsRefusal)) throw error
        // Also an address that is not public: a name may lead elsewhere again later.
        return { kind: 'away', who: 'service', why: error.problem, retryAfterMs: null }
      }
    },
    async close() {
      await Promise.all(Array.from(clients.values(), (client) => client.close()))
    },
  }
}

/**
 * The keys follow from the secret, so all servers of a board have the same ones. With another
 * secret browsers subscribe again when they next open a page.
 */
function deriveKeys(secret: string): { readonly key: string; readonly privateKey: KeyObject } {
  const pair = createECDH(CURVE)
  pair.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'push', 32)))
  const point = pair.getPublicKey()
  const coordinate = (from: number): string => point.subarray(from, from + 32).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: pair.getPrivateKey('base64url') }
  return { key: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

function encrypt({ p256dh, auth }: PushSubscriptionKeys['keys'], message: PushMessage): Buffer {
  const privateKey = createECDH(CURVE)
  privateKey.generateKeys()
  const text = Buffer.from(JSON.stringify(message))
  return ece.encrypt(text, { version: 'aes128gcm', dh: p256dh, privateKey, authSecret: auth })
}

function outcomeOf({ status, values }: Head, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const why = `http ${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', why }
  const who = status === 429 ? 'browser' : 'service'
  return { kind: 'away', who, why, retryAfterMs: readRetryAfter(values('retry-after')[0], now) }
}

/** Seconds or a date; null for none, or one that cannot be read. */
function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, RETRY_MIN_MS), RETRY_MAX_MS) : null
}
