/**
 * A push service for tests (RFC 8030) on the loopback, with the browsers that subscribe to it. It
 * checks who sends (RFC 8292) and decrypts as a browser does (RFC 8291), by code of its own.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** How the service answers: a status, or something else that a server can do. */
export type Behaviour =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly pace: 'hang' | 'endless' }
  /** Takes everything, once the promise resolves. */
  | { readonly until: Promise<void> }

export interface Delivery<T> {
  readonly endpoint: string
  readonly headers: IncomingHttpHeaders
  readonly message: T
  /** Length of the encrypted body. */
  readonly bytes: number
}

export interface PushService<T = unknown> {
  /** Origin. */
  readonly url: string
  /** A new browser subscribes. */
  subscribe(): Subscription
  /** What was taken, in order. */
  readonly deliveries: readonly Delivery<T>[]
  /** Every request, also those that were not taken. */
  readonly asked: number
  /** From now on; null: it takes everything. */
  behave(behaviour: Behaviour | null): void
  /** Resolves when one request more has come, however it is answered. */
  nextRequest(): Promise<void>
  close(): Promise<void>
}

interface Browser {
  readonly pair: ECDH
  readonly auth: Buffer
}

/** Decrypts a message as the browser that it was encrypted for (RFC 8291, RFC 8188). */
export function decrypt(body: Buffer, { pair, auth }: Browser): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > recordSize) throw new Error('the message has more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const derive = (label: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${label}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12), { authTagLength: 16 })
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is wrong')
  return padded.subarray(0, end).toString()
}

/** @throws when the token is not signed by the key it names, for this service, and for now */
function checkSender(authorization: string | undefined, audience: string, now: number): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const point = Buffer.from(key, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  const raw = Buffer.from(signature, 'base64url')
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw))
    throw new Error('a wrong signature')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const seconds = now / 1_000
  if (aud !== audience) throw new Error(`a token for ${String(aud)}`)
  if (typeof exp !== 'number' || exp <= seconds || exp > seconds + 86_400) throw new Error('a token out of time')
  if (!/^(mailto|https):/.test(String(sub))) throw new Error('a token without a contact')
}

/** @param now the clock by which tokens end */
export async function openPushService<T>(now: () => number = Date.now): Promise<PushService<T>> {
  const browsers = new Map<string, Browser>()
  const deliveries: Delivery<T>[] = []
  let behaviour: Behaviour | null = null
  let asked = 0
  const waiting: (() => void)[] = []

  const server = createServer((request, response) => {
    void answer(request.url ?? '/', request.headers, request).then(
      (answered) => write(response, answered),
      (error: unknown) => write(response, { status: 403, body: String(error) }),
    )
    for (const resolve of waiting.splice(0)) resolve()
  })

  async function answer(
    path: string,
    headers: IncomingHttpHeaders,
    body: NodeJS.ReadableStream,
  ): Promise<Exclude<Behaviour, { until: unknown }>> {
    asked += 1
    const bytes = await buffer(body)
    if (behaviour !== null && !('until' in behaviour)) return behaviour
    await behaviour?.until
    const browser = browsers.get(path)
    if (browser === undefined) return { status: 404 }
    checkSender(headers.authorization, url(), now())
    if (!/^\d+$/.test(String(headers['ttl']))) return { status: 400, body: 'no TTL' }
    if (headers['content-encoding'] !== 'aes128gcm') return { status: 415 }
    const message = JSON.parse(decrypt(bytes, browser)) as T
    deliveries.push({ endpoint: url() + path, headers, message, bytes: bytes.length })
    return { status: 201, headers: { location: `${url()}/message/${deliveries.length}` } }
  }

  function write(response: ServerResponse, answered: Exclude<Behaviour, { until: unknown }>): void {
    if (!('pace' in answered)) {
      response.writeHead(answered.status, answered.headers).end(answered.body)
    } else if (answered.pace === 'endless') {
      response.writeHead(201)
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url(),
    subscribe() {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(16).toString('base64url')}`
      browsers.set(path, { pair, auth })
      return { endpoint: url() + path, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    deliveries,
    get asked() {
      return asked
    },
    behave: (next) => void (behaviour = next),
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
