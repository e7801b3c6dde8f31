/** What is sent to push services, and what is not sent anywhere. */
import { createECDH } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PushMessage } from '@shinobi/contract/push'
import { decrypt, openPushService, type PushService } from '../../testing/outside/push-service.ts'
import { createPushSender, type PushSender } from './push-sender.ts'
import { TEST_MESSAGE } from './push.rules.ts'
import { doorOf } from './push-services.ts'

const SECRET = 'a secret for tests that is long enough'
const NOW = Date.parse('2026-11-21T04:03:00Z')

let service: PushService<PushMessage>
const opened: PushSender[] = []

function openSender(more: Partial<Parameters<typeof createPushSender>[0]> = {}): PushSender {
  const config = { publicUrl: 'https://board.example.jp', contactEmail: null, pushServices: [service.url] }
  const sender = createPushSender({ config, secret: SECRET, now: () => NOW, ...more })!
  opened.push(sender)
  return sender
}

beforeEach(async () => {
  service = await openPushService(() => NOW)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((sender) => sender.close()))
  await service.close()
})

it('the push service of these tests decrypts the example of RFC 8291', () => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'))
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  expect(decrypt(Buffer.from(body, 'base64url'), { pair, auth })).toBe('When I grow up, I want to be a watermelon')
})

describe('a message', () => {
  it('is encrypted for one browser, signed by the board, and replaces an undelivered one', async () => {
    const browser = service.subscribe()
    expect(await openSender().send(browser, TEST_MESSAGE, 'topic')).toEqual({ kind: 'sent' })
    const [delivery] = service.deliveries
    expect(delivery).toMatchObject({ endpoint: browser.endpoint, message: TEST_MESSAGE })
    expect(delivery!.headers).toMatchObject({ topic: 'topic', ttl: '43200', urgency: 'normal' })
  })

  it('is signed with the same key by all servers of a board, and with another one by other boards', () => {
    expect(openSender().key).toBe(openSender().key)
    expect(openSender({ secret: `${SECRET}!` }).key).not.toBe(openSender().key)
  })

  it.each([
    [{ status: 201 }, { kind: 'sent' }],
    [{ status: 404 }, { kind: 'gone' }],
    [{ status: 410 }, { kind: 'gone' }],
    [{ status: 413 }, { kind: 'refused', why: 'http 413' }],
    [{ status: 500 }, { kind: 'away', who: 'service', why: 'http 500', retryAfterMs: null }],
    [
      { status: 429, headers: { 'retry-after': '120' } },
      { kind: 'away', who: 'browser', why: 'http 429', retryAfterMs: 120_000 },
    ],
    [
      { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 04:05:00 GMT' } },
      { kind: 'away', who: 'service', why: 'http 503', retryAfterMs: 120_000 },
    ],
    [
      { status: 429, headers: { 'retry-after': '99999999' } },
      { kind: 'away', who: 'browser', why: 'http 429', retryAfterMs: 21_600_000 },
    ],
    [
      { status: 429, headers: { 'retry-after': 'soon' } },
      { kind: 'away', who: 'browser', why: 'http 429', retryAfterMs: null },
    ],
  ] as const)('that is answered with %j has the outcome %j', async (behaviour, outcome) => {
    service.behave(behaviour)
    expect(await openSender().send(service.subscribe(), TEST_MESSAGE, 'topic')).toEqual(outcome)
  })

  it('follows no redirect', async () => {
    service.behave({ status: 307, headers: { location: `${service.url}/elsewhere` } })
    const outcome = await openSender().send(service.subscribe(), TEST_MESSAGE, 'topic')
    expect(outcome).toEqual({ kind: 'refused', why: 'http 307' })
    expect(service.asked).toBe(1)
  })

  it('is not waited for without end, whether the service is silent or never stops answering', async () => {
    const hasty = openSender({ times: { timeoutMs: 300, idleMs: 200 } })
    service.behave({ pace: 'hang' })
    expect(await hasty.send(service.subscribe(), TEST_MESSAGE, 'topic')).toMatchObject({
      kind: 'away',
      why: 'timeout',
    })
    // A busy machine takes longer for a connection.
    const sender = openSender()
    service.behave({ pace: 'endless' })
    expect(await sender.send(service.subscribe(), TEST_MESSAGE, 'topic')).toEqual({ kind: 'sent' })
  })

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'])(
    'does not reach %s, wherever the name of a known service leads',
    async (address) => {
      const sender = openSender({ resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }] })
      const { keys } = service.subscribe()
      const endpoint = 'https://fcm.googleapis.com/fcm/send/a'
      expect(await sender.send({ endpoint, keys }, TEST_MESSAGE, 'topic')).toEqual({
        ...{ kind: 'away', who: 'service', why: 'refused_address', retryAfterMs: null },
      })
    },
  )

  it('goes nowhere once its service is accepted no longer', async () => {
    const config = { publicUrl: 'https://board.example.jp', contactEmail: null, pushServices: [] }
    expect(await openSender({ config }).send(service.subscribe(), TEST_MESSAGE, 'topic')).toEqual({ kind: 'gone' })
    expect(service.asked).toBe(0)
  })
})

describe('a push service', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/a:b',
    'https://updates.push.services.mozilla.com/wpush/v2/a',
    'https://web.push.apple.com/a',
    'https://wns2-by3p.notify.windows.com/w/?token=a',
  ])('is accepted if a browser has it: %s', (endpoint) => {
    expect(doorOf(endpoint, [])?.address('127.0.0.1')).toBe(false)
  })

  it.each([
    ...[
      'http://fcm.googleapis.com/a',
      'https://fcm.googleapis.com:8443/a',
      'https://fcm.googleapis.com.evil.example/a',
    ],
    ...['https://evilnotify.windows.com/', 'https://push.apple.com/', 'https://fcm.googleapis.com@evil.example/'],
    ...['https://user:pass@fcm.googleapis.com/a', 'https://127.0.0.1/', 'https://[::1]/', 'https://localhost/'],
    ...['https://169.254.169.254/', 'https://2130706433/', 'https://board.example.jp/', 'file:///etc/passwd', 'a'],
    ...['https://intranet.example:8443.evil.example/', 'http://intranet.example:8443/'],
  ])('is refused otherwise: %s', (endpoint) => {
    expect(doorOf(endpoint, ['https://intranet.example:8443'])).toBeNull()
  })

  it('is accepted where the operator names it, also on a private address', () => {
    expect(doorOf('https://intranet.example:8443/a', ['https://intranet.example:8443'])?.address('10.0.0.1')).toBe(true)
  })
})

describe('a board', () => {
  const config = { contactEmail: 'shinobi@example.jp', pushServices: [] }
  const isOn = (publicUrl: string, contactEmail: string | null = config.contactEmail) =>
    createPushSender({ config: { ...config, publicUrl, contactEmail }, secret: SECRET, now: () => NOW }) !== null

  it('sends where browsers have service workers, and has a contact to show', () => {
    expect(isOn('https://board.example.jp')).toBe(true)
    expect(isOn('https://board.example.jp', null)).toBe(true)
    expect(isOn('http://localhost:3000')).toBe(true)
    expect(isOn('http://localhost:3000', null)).toBe(false)
    expect(isOn('http://board.example.jp')).toBe(false)
  })
})
