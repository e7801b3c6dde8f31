import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheRoutes } from './cached-routes.ts'
import { isNotModified, ResponseCache } from './response-cache.ts'

/**
 * A server with an exact route and one that may be stale, whose answers count how often they were
 * made; loads wait until they are released.
 */
/** An origin that CORS headers name. */
const LISTED = 'https://listed.example'

describe('the response cache', () => {
  let clock: { now: number }
  let cache: ResponseCache
  let app: FastifyInstance
  let url: string
  let made: number
  let gate: Promise<void>
  let isDatabaseAway: boolean
  let openGate: () => void
  const fetchText = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, { headers })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const shut = (): void => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate = promise
    openGate = resolve
  }
  /** Resolves when this many loads have begun. */
  const begun = async (count: number): Promise<void> => {
    while (made < count) await new Promise((resolve) => setImmediate(resolve))
  }

  beforeEach(async () => {
    clock = { now: 1_000_000 }
    made = 0
    isDatabaseAway = false
    gate = Promise.resolve()
    cache = new ResponseCache({ maxBytes: 10_000_000, corsOrigins: [LISTED], now: () => clock.now })
    app = Fastify<Server>({
      serverFactory: (handler): Server =>
        createServer((request, response) => cache.serve(request, response, () => handler(request, response))),
    })
    cacheRoutes(app, cache)
    for (const [path, maxStaleMs] of [
      ['/exact', 0],
      ['/patient', 1_000],
    ] as const) {
      app.get(path, { config: { cache: { maxStaleMs } } }, async (request, reply): Promise<unknown> => {
        request.tagAnswer('thing')
        made += 1
        if (isDatabaseAway) return reply.code(503).header('retry-after', '5').send({ made })
        const answer = `${path} ${made} ${'あ'.repeat(1_000)}`
        await gate
        return answer
      })
    }
    app.get('/broken', { config: { cache: { maxStaleMs: 0 } } }, async (_request, reply) =>
      reply.code(503).send({ made: (made += 1) }),
    )
    app.get('/nothing/*', { config: { cache: { maxStaleMs: 0 } } }, async (request, reply) => {
      request.tagAnswer(request.url)
      return reply.code(404).send({ made: (made += 1) })
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  afterEach(() => app.close())

  it('makes an answer once, and again after a change of what it shows', async () => {
    const first = await fetchText('/exact')
    expect((await fetchText('/exact')).text).toBe(first.text)
    cache.drop(['other'])
    expect(made).toBe(1)
    cache.drop(['thing'])
    expect((await fetchText('/exact')).text).toMatch(/^\/exact 2/)
  })

  it('makes an answer once for a hundred simultaneous requests', async () => {
    shut()
    const asked = Promise.all(Array.from({ length: 100 }, () => fetchText('/exact')))
    await begun(1)
    openGate()
    expect(new Set((await asked).map((answer) => answer.text)).size).toBe(1)
    expect(made).toBe(1)
  })

  it('gives no request after a change an answer from before it, even if that one was still loading', async () => {
    shut()
    const early = fetchText('/exact')
    await begun(1)
    cache.drop(['thing'])
    const late = fetchText('/exact')
    await begun(2)
    openGate()
    expect((await early).text).toMatch(/^\/exact 1/)
    expect((await late).text).toMatch(/^\/exact 2/)
    expect((await fetchText('/exact')).text).toMatch(/^\/exact 2/)
  })

  it('lets no shared cache keep what was removed while it was being made', async () => {
    for (const [index, path] of ['/exact', '/patient'].entries()) {
      shut()
      const early = fetchText(path)
      await begun(index + 1)
      cache.drop(['thing'], 'at once')
      openGate()
      expect((await early).headers.get('cache-control')).toBe('no-store')
    }
    expect((await fetchText('/patient')).headers.get('cache-control')).toMatch(/^public/)
  })

  it('serves an answer that may be stale until it is a second old, and no longer', async () => {
    await fetchText('/patient')
    clock.now += 400
    cache.drop(['thing'])
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 1/)
    clock.now += 600
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 2/)
    clock.now += 5_000
    cache.drop(['thing'])
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 3/)
    cache.drop(['thing'], 'at once')
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 4/)
  })

  it('serves the new answer at once after a calm drop, but only once a second', async () => {
    await fetchText('/patient')
    cache.drop(['thing'], 'throttled')
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 2/)
    clock.now += 999
    cache.drop(['thing'], 'throttled')
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 2/)
    clock.now += 1
    cache.drop(['thing'], 'throttled')
    expect((await fetchText('/patient')).text).toMatch(/^\/patient 3/)
  })

  it('answers 304 to a client that has the bytes, with an ETag per encoding', async () => {
    const plain = await fetchText('/exact', { 'accept-encoding': 'identity' })
    const zipped = await fetchText('/exact', { 'accept-encoding': 'gzip' })
    const tags = [plain.headers.get('etag')!, zipped.headers.get('etag')!]
    expect(tags[0]).not.toBe(tags[1])
    expect(zipped.text).toBe(plain.text)
    expect((await fetchText('/exact', { 'accept-encoding': 'gzip', 'if-none-match': tags[1]! })).status).toBe(304)
    expect((await fetchText('/exact', { 'accept-encoding': 'gzip', 'if-none-match': tags[0]! })).status).toBe(200)
    expect(zipped.headers.get('vary')).toBe('accept-encoding')
    expect(made).toBe(1)
  })

  it('sends compressed bytes only to clients that accept them', async () => {
    const raw = await app.inject({ url: '/exact', headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(raw.rawPayload).toString()).toMatch(/^\/exact 1/)
    expect(
      (await app.inject({ url: '/exact', headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } })).headers[
        'content-encoding'
      ],
    ).toBeUndefined()
  })

  describe('while the database is away', () => {
    /** An answer that is over, and no newer one can be made. */
    const over = async (path: string) => {
      const known = await fetchText(path)
      clock.now += 61_000
      isDatabaseAway = true
      return known
    }

    it('serves the last answer that may be stale as it was, and tries once a second to make a new one', async () => {
      const known = await over('/patient')
      const first = await fetchText('/patient', { 'accept-encoding': 'identity' })
      expect([first.status, first.text]).toEqual([200, known.text])
      expect(first.headers.get('retry-after')).toBeNull()
      expect(first.headers.get('cache-control')).toBe(known.headers.get('cache-control'))
      expect(first.headers.get('content-type')).toBe(known.headers.get('content-type'))
      expect((await fetchText('/patient')).text).toBe(known.text)
      expect(made).toBe(2)
      clock.now += 1_000
      expect((await fetchText('/patient')).text).toBe(known.text)
      expect(made).toBe(3)
      expect(cache.stats().lastResorts).toBe(2)
      isDatabaseAway = false
      clock.now += 1_000
      expect((await fetchText('/patient')).text).toMatch(/^\/patient 4/)
    })

    it('serves it to all who waited for the load that failed', async () => {
      const known = await over('/patient')
      shut()
      const asked = Promise.all([fetchText('/patient'), fetchText('/patient')])
      openGate()
      expect((await asked).map(({ text }) => text)).toEqual([known.text, known.text])
    })

    it('serves it for five minutes from when it was made, and no longer', async () => {
      const known = await over('/patient')
      clock.now += 238_000
      expect((await fetchText('/patient')).text).toBe(known.text)
      clock.now += 1_000
      expect((await fetchText('/patient')).status).toBe(503)
    })

    it('serves no answer that must never be stale', async () => {
      await over('/exact')
      expect((await fetchText('/exact')).status).toBe(503)
    })

    it.each(['throttled', 'superseded', 'once stale'] as const)(
      'serves an answer that only lacks something new (%s)',
      async (when) => {
        const known = await over('/patient')
        cache.drop(['thing'], when)
        expect((await fetchText('/patient')).text).toBe(known.text)
      },
    )

    /** The first answer, which a change meets while it is being made. */
    const changedMeanwhile = async (when: 'superseded' | 'once stale' | 'at once', more = 0) => {
      shut()
      const asked = fetchText('/patient')
      await begun(1)
      cache.drop(['thing'], when)
      clock.now += more
      openGate()
      const known = await asked
      isDatabaseAway = true
      clock.now += 1_000
      return known
    }

    it.each([
      ['superseded', 0],
      ['once stale', 2_000],
    ] as const)('serves an answer that was only behind when it was made (%s)', async (when, more) => {
      const known = await changedMeanwhile(when, more)
      expect((await fetchText('/patient')).text).toBe(known.text)
    })

    it('serves no answer of which something was removed while it was made', async () => {
      await changedMeanwhile('at once')
      expect((await fetchText('/patient')).status).toBe(503)
    })

    it('serves no answer that may show what was removed', async () => {
      await over('/patient')
      expect((await fetchText('/patient')).status).toBe(200)
      cache.drop(['thing'], 'at once')
      expect((await fetchText('/patient')).status).toBe(503)
    })

    it('serves nothing from before a removal that another server may have done unheard', async () => {
      await over('/patient')
      cache.trustDrops(false)
      expect((await fetchText('/patient')).status).toBe(503)
      cache.trustDrops(true)
      expect((await fetchText('/patient')).status).toBe(503)
    })

    it('serves nothing from before everything was dropped', async () => {
      await over('/patient')
      cache.clear()
      expect((await fetchText('/patient')).status).toBe(503)
    })
  })

  it('stores no errors', async () => {
    expect((await fetchText('/broken')).status).toBe(503)
    expect((await fetchText('/broken')).text).toBe('{"made":2}')
  })

  it('stores 404 until the content exists, and only for the newest of such addresses', async () => {
    for (let count = 0; count < 2; count += 1) {
      const { status, text } = await fetchText('/nothing/here')
      expect([status, text]).toEqual([404, '{"made":1}'])
    }
    cache.drop(['/nothing/here'])
    expect((await fetchText('/nothing/here')).text).toBe('{"made":2}')
    await fetchText('/exact')
    for (let count = 0; count < 200; count += 1) await fetchText(`/nothing/${count}`)
    expect(cache.stats().entries).toBe(101)
    expect((await fetchText('/exact')).text).toContain('/exact 3')
  })

  it('shares nothing with requests from a listed origin', async () => {
    await fetchText('/exact')
    await fetchText('/exact', { origin: LISTED })
    expect(made).toBe(2)
    await fetchText('/exact', { origin: 'https://elsewhere.example' })
    await fetchText('/exact', { origin: 'null' })
    expect(made).toBe(2)
  })

  it('shares answers with requests that carry a token of any kind', async () => {
    await fetchText('/exact', { authorization: 'Bearer x' })
    for (const authorization of ['Bearer x', 'x', '']) await fetchText('/exact', { authorization })
    await fetchText('/exact')
    expect(made).toBe(1)
  })

  it('shares answers with the board’s own pages, which send an Origin for scripts and styles', async () => {
    await fetchText('/exact')
    await fetchText('/exact', { origin: new URL(url).origin })
    expect(made).toBe(1)
  })
})

it('understands lists, weak tags and the star in If-None-Match', () => {
  expect(isNotModified(undefined, '"a"')).toBe(false)
  expect(isNotModified('"b", W/"a"', '"a"')).toBe(true)
  expect(isNotModified('*', '"a"')).toBe(true)
  expect(isNotModified('"b"', '"a"')).toBe(false)
})
