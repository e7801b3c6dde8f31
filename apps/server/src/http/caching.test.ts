/**
 * Caching headers of every registered GET, including the pages and files of the web app (if it was
 * built). New routes are covered automatically.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBoard, signUp, startThread, type Board, type MemberGuest } from '../testing/board.ts'
import { threadTags } from '../features/threads/threads.tags.ts'
import { addSource, addStory } from '../testing/stories.ts'
import { ask, type WireAnswer } from '../testing/wire.ts'
import { PUBLIC_CACHING } from './cached-routes.ts'
import { loadWebBundle } from './pages.ts'

interface Route {
  readonly url: string
  readonly isShared: boolean
}

const METRICS_TOKEN = 'a-token-for-the-metrics'
/** Static files, which are not made by a handler and depend on nobody. */
const FILES: Readonly<Record<string, RegExp>> = {
  '/images/*': /^public, max-age=31536000, immutable, s-maxage=1$/,
  '/docs/static/*': /^public, max-age=0$/,
}

let board: Board
let kaede: MemberGuest
let params: Readonly<Record<string, string>>
const routes: Route[] = []

beforeAll(async () => {
  const bundle = await loadWebBundle()
  const registered: RouteOptions[] = []
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route: RouteOptions) => {
      if ([route.method].flat().includes('GET')) registered.push(route)
    })
  }
  subscribe('fastify.initialization', listen)
  board = await openBoard({ METRICS_TOKEN, CORS_ORIGINS: 'https://friend.example' }, undefined, undefined, bundle)
  unsubscribe('fastify.initialization', listen)
  // Hooks of a plugin may have changed them since.
  for (const { url, config } of registered) routes.push({ url, isShared: config?.cache !== undefined })

  kaede = await signUp(board, '楓', { isAdmin: true })
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#0c1518' } })
    .png()
    .toBuffer()
  const thread = await startThread(kaede, { image: new Blob([new Uint8Array(picture)]) })
  const sourceId = await addSource(board)
  await addStory(board, { sourceId, threadId: thread._id })
  const withdrawn = await startThread(kaede)
  const storyId = await addStory(board, { sourceId, threadId: withdrawn._id })
  await kaede.post(`/api/admin/news/stories/${storyId}/withdraw`, { reason: '誤報でした' })
  await board.settle()
  const picturePath = /\/images\/(.+)/.exec(JSON.stringify(thread))![1]!.split('"')[0]!
  const { db } = board.database
  const { key } = await db.selectFrom('threadKeys').select('key').executeTakeFirstOrThrow()
  params = {
    ...{ threadId: thread._id, withdrawnId: withdrawn._id, categoryId: 'general', page: '1', '*': picturePath },
    ...{ board: 'general', file: `${key}.dat`, four: key.slice(0, 4), five: key.slice(0, 5), form: 'json' },
  }
})
afterAll(() => board.close())

const fill = (url: string): string =>
  url
    .replace('/:threadId/withdrawal', '/:withdrawnId/withdrawal')
    .replace('/docs/static/*', '/docs/static/swagger-ui.css')
    // A page of the web without the slash.
    .replace(/^\/:board$/, '/:board/')
    .replaceAll(/:(\w+)|\*/g, (whole, name: string | undefined) => params[name ?? whole] ?? 'none')

const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<WireAnswer> =>
  ask((await board.listen()) + path, { method, headers })

const cookieOf = ({ cookies }: MemberGuest): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/**
 * Header fields that must be the same however the answer is made, without the date and fields of
 * the connection.
 */
const lasting = ({ headers }: WireAnswer): IncomingHttpHeaders => {
  const passing = new Set(['date', 'connection', 'keep-alive', 'x-request-id'])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name)))
}

const shared = (): Route[] => routes.filter(({ isShared }) => isShared)

/** Each test asks every route in many ways. */
const EVERY_ROUTE_MS = 120_000

describe('caches', { timeout: EVERY_ROUTE_MS }, () => {
  it('get every public answer with a lifetime and an ETag, the same with and without cookies', async () => {
    for (const { url } of shared()) {
      const path = fill(url)
      const answer = await get(path)
      expect([path, answer.status]).toSatisfy(([, status]) => status === 200 || (url === '/*' && status === 404))
      if (answer.status !== 200) continue
      const { 'cache-control': caching, etag, vary } = answer.headers
      expect([path, caching]).toSatisfy(([, text]) =>
        path.endsWith('.dat')
          ? text === 'private, no-cache'
          : /^public, .*(s-maxage=1|immutable|max-age=3600.*)$/.test(String(text)),
      )
      expect([path, etag]).toEqual([path, expect.stringMatching(/^"[\w-]{27}(-gzip|-br)?"$/)])
      expect([path, vary]).toEqual([path, 'origin, accept-encoding'])
      const asMember = await get(path, { cookie: cookieOf(kaede) })
      expect([path, lasting(asMember)]).toEqual([path, lasting(answer)])
      expect([path, asMember.headers['set-cookie'], answer.headers['set-cookie']]).toEqual([path, undefined, undefined])
      expect(asMember.bytes.equals(answer.bytes)).toBe(true)
    }
    expect(shared().length).toBeGreaterThan(12)
  })

  it('get 304 for an unchanged answer, with the caching headers of 200', async () => {
    for (const { url } of shared()) {
      const path = fill(url)
      const { status, headers } = await get(path)
      if (status !== 200) continue
      const again = await get(path, { 'if-none-match': headers['etag']! })
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0])
      for (const name of ['cache-control', 'cdn-cache-control', 'etag', 'vary'])
        expect([path, name, again.headers[name]]).toEqual([path, name, headers[name]])
    }
  })

  it('get 304 for every cacheable answer: by its own ETag, weak or strong, in a list, and by *', async () => {
    let kept = 0
    for (const { url } of routes) {
      const path = fill(url)
      for (const encoding of ['identity', 'gzip', 'br']) {
        const headers = { 'accept-encoding': encoding }
        const whole = await get(path, headers)
        const caching = String(whole.headers['cache-control'])
        if (whole.status !== 200 || !caching.startsWith('public')) continue
        kept += 1
        const etag = String(whole.headers['etag'])
        const strong = etag.replace(/^W\//, '')
        for (const known of [etag, strong, `W/${strong}`, `"another", ${etag} , W/"third"`, '*'])
          for (const method of ['GET', 'HEAD']) {
            const again = await get(path, { ...headers, 'if-none-match': known }, method)
            expect([path, method, known, again.status, again.bytes.length]).toEqual([path, method, known, 304, 0])
            for (const name of ['cache-control', 'etag', 'vary'])
              expect([path, name, again.headers[name]]).toEqual([path, name, whole.headers[name]])
          }
        const other = await get(path, { ...headers, 'if-none-match': '"another", W/"third"' })
        expect([path, other.status, other.bytes.equals(whole.bytes)]).toEqual([path, 200, true])
      }
    }
    expect(kept).toBeGreaterThan(50)
  })

  it('get Vary: origin with every answer, refusals too, and accept-encoding with compressed ones', async () => {
    for (const { url } of routes) {
      const path = fill(url)
      const packed = await get(path, { 'accept-encoding': 'br' })
      const isPacked = packed.headers['content-encoding'] === 'br'
      const answers = [
        packed,
        await get(path),
        await get(path, { 'if-none-match': '*' }),
        await get(path, { origin: 'https://friend.example', 'accept-encoding': 'br' }),
        await get(path, { origin: 'https://other.example', 'if-none-match': '*' }),
        await get(path, { authorization: 'Bearer none', 'accept-encoding': 'br' }),
      ]
      for (const { status, headers } of answers) {
        const vary = String(headers['vary']).split(', ')
        expect([path, status, vary]).toEqual([path, status, expect.arrayContaining(['origin'])])
        if (isPacked) expect([path, status, vary]).toEqual([path, status, expect.arrayContaining(['accept-encoding'])])
      }
    }
    for (const path of ['/api/none', '/images/none.webp', '/api/threads?limit=none', '/none'])
      expect([path, (await get(path)).headers['vary']]).toEqual([path, expect.stringContaining('origin')])
  })

  it('get the same headers for HEAD as for GET, whether or not it was requested before', async () => {
    for (const { url } of routes) {
      const path = fill(url)
      const headers = { cookie: cookieOf(kaede), 'accept-encoding': 'identity' }
      board.deps.cache.clear()
      const head = await get(path, headers, 'HEAD')
      const whole = await get(path, headers)
      const headAgain = await get(path, headers, 'HEAD')
      // Omits numbers that change with each request, and times of the request.
      const compared = (answer: WireAnswer) => {
        const { 'content-length': length, ...rest } = lasting(answer)
        return [path, answer.status, rest, ...(url.startsWith('/api/admin') || url === '/metrics' ? [] : [length])]
      }
      expect(compared(head)).toEqual(compared(whole))
      expect(compared(headAgain)).toEqual(compared(whole))
      expect([path, head.bytes.length, headAgain.bytes.length]).toEqual([path, 0, 0])
    }
  })

  it('may not store answers of any other address, for any client and any status', async () => {
    const others = routes.filter(({ isShared }) => !isShared)
    for (const { url } of others) {
      const path = fill(url)
      const expected = FILES[url] ?? /^(no-store|private)/
      for (const headers of [{}, { cookie: cookieOf(kaede) }, { authorization: `Bearer ${METRICS_TOKEN}` }]) {
        const answer = await get(path, headers)
        expect([path, answer.headers['cache-control'] ?? '']).toEqual([path, expect.stringMatching(expected)])
        expect([path, answer.headers['cdn-cache-control'] === undefined]).toEqual([path, url !== '/images/*'])
      }
    }
    expect(others.length).toBeGreaterThan(20)
    expect(others.map(({ url }) => url)).toEqual(expect.arrayContaining(Object.keys(FILES)))
  })

  it('get the same public answer for any token, and the board makes none for it', async () => {
    const access = kaede.cookies.get('access')!
    for (const { url } of shared()) {
      const path = fill(url)
      const whole = await get(path)
      const before = board.deps.cache.stats().hits
      const tokens = [`Bearer ${access}`, 'Bearer none', 'x']
      for (const authorization of tokens) {
        const answer = await get(path, { authorization })
        expect([path, answer.status, lasting(answer)]).toEqual([path, whole.status, lasting(whole)])
        expect(answer.bytes.equals(whole.bytes)).toBe(true)
      }
      expect([path, board.deps.cache.stats().hits]).toEqual([path, before + tokens.length])
    }
    const profile = await get('/auth/profile', { authorization: `Bearer ${access}` })
    expect([profile.status, profile.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(profile.bytes.toString()).toContain('楓')
    expect((await get('/auth/profile', { authorization: 'Bearer none' })).status).toBe(401)
  })

  it('may not store answers to a listed site, which gets its own', async () => {
    for (const { url } of shared()) {
      const path = fill(url)
      const whole = await get(path)
      // Static files are the same for everybody, and their headers say so.
      if (!(whole.headers['cache-control'] ?? '').includes('s-maxage')) continue
      const { headers } = await get(path, { origin: 'https://friend.example' })
      expect([path, headers['cache-control'], headers['cdn-cache-control']]).toEqual([path, 'no-store', undefined])
      expect([path, headers['vary']]).toEqual([path, expect.stringContaining('origin')])
      expect([path, headers['access-control-allow-origin']]).toEqual([path, 'https://friend.example'])
    }
  })

  it('never serve an answer for a listed site that a forged host caused', async () => {
    const path = '/api/categories'
    board.deps.cache.clear()
    const forged = await get(path, { origin: 'https://friend.example', host: 'friend.example' })
    expect(forged.headers['access-control-allow-origin']).toBe('https://friend.example')
    const answer = await get(path)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    for (const name of ['access-control-allow-credentials', 'access-control-expose-headers'])
      expect(answer.headers[name]).toBeUndefined()
  })

  it('replace removed content by “not found”, and store no other refusal', async () => {
    const gone = '/api/threads/01900000-0000-7000-8000-000000000000'
    for (const path of [gone, `${gone}/posts`, '/images/gone.webp', '/categories/none/feed.xml']) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.headers).toMatchObject(PUBLIC_CACHING)
    }
    for (const [path, status] of [
      ['/api/threads?limit=none', 400],
      ['/api/admin/users', 401],
      ['/api/none', 404],
    ] as const) {
      const answer = await get(path)
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([
        path,
        status,
        status === 404 ? expect.any(String) : 'no-store',
      ])
    }
  })

  it('get one answer under all spellings of an address, and the board makes it once', async () => {
    const thread = `/api/threads/${params['threadId']}`
    const page = `/thread/${params['threadId']}`
    for (const [path, others] of [
      [thread, [`${thread}?q=1`, `${thread}?q=2`, thread.replace('api', '%61pi'), `${thread}/`]],
      [
        `${thread}/posts?limit=5&after=1`,
        [`${thread}/posts?limit=5&after=1&q=1`, `${thread}/posts?limit=5&after=1&limit=7`],
      ],
      [page, [`${page}?after=z1`, `${page}?after=00`, `${page}?last=2`, `${page}//`, page.replace('thread', 'THREAD')]],
      [`${page}?after=1`, [`${page}?after=01`, `${page.toUpperCase()}?last=3&after=1`]],
      ['/', ['/?sort=z1', '/?sort=newest', '/?search=+&name=z1', '/?within=z1&search=']],
      ['/?search=a&image=1', ['/?image=1&search=%20a', '/?search=a&image=1&within=z1&sort=z1']],
      ['/notebook', ['/notebook?list=z1']],
      ['/not-found', ['/x1', '/x2?after=1', '/about/x', '/categories/x/y']],
      ['/api/threads?search=%E5%BF%8D', ['/api/threads?search=%e5%bf%8d', '/api/threads?search=%E5%BF%8D&page=2']],
      ['/api/threads/01900000-0000-7000-8000-000000000000', ['/api/threads/01900000-0000-7000-8000-000000000000?q=1']],
    ] as const) {
      const whole = await get(path)
      const before = board.deps.cache.stats()
      for (const other of [path, ...others]) {
        const answer = await get(other)
        expect([other, answer.status, answer.headers['etag']]).toEqual([other, whole.status, whole.headers['etag']])
        expect(answer.bytes.equals(whole.bytes)).toBe(true)
      }
      const { entries, hits } = board.deps.cache.stats()
      expect([path, entries, hits]).toEqual([path, before.entries, before.hits + others.length + 1])
    }
  })

  it('get a number in one spelling only, and any other is refused without an entry', async () => {
    const posts = `/api/threads/${params['threadId']}/posts`
    expect((await get(`${posts}?after=10`)).status).toBe(200)
    const before = board.deps.cache.stats().entries
    for (const value of ['010', '1e1', '0xa', '%2010', '10.0', '+10', 'z1', '']) {
      const answer = await get(`${posts}?after=${value}`)
      expect([value, answer.status, answer.headers['cache-control']]).toEqual([value, 400, 'no-store'])
    }
    expect(board.deps.cache.stats().entries).toBe(before)
  })

  it('are made once, also for targets with a fragment or a whole address', async () => {
    const path = `/api/threads/${params['threadId']}`
    const url = await board.listen()
    await ask(`${url}${path}`)
    const statusOf = (target: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        // The client sends the path as it is.
        httpGet(url, { path: target }, (answer) => resolve(answer.resume().statusCode)).on('error', reject)
      })
    const before = board.deps.cache.stats()
    const targets = [`${path}#1`, `${path}#2?q=1`, `http://one.example${path}`, `http://two.example${path}?q=1#3`]
    for (const target of targets) expect([target, await statusOf(target)]).toEqual([target, 200])
    const { entries, hits } = board.deps.cache.stats()
    expect([entries, hits]).toEqual([before.entries, before.hits + targets.length])
  })

  it('reach pages that go past copies in front of the board without the router, which counts requests', async () => {
    const path = `/api/threads/${params['threadId']}/posts?limit=7`
    const whole = await get(path)
    const before = board.deps.cache.stats()
    expect((await get(`${path}&changes=5`)).headers['etag']).toBe(whole.headers['etag'])
    const { hits, misses } = board.deps.cache.stats()
    expect([hits, misses]).toEqual([before.hits + 1, before.misses])
  })

  it('answer a page of a foreign origin as everybody, and one of a listed origin apart', async () => {
    const path = `/api/threads/${params['threadId']}/answers`
    const whole = await get(path)
    const before = board.deps.cache.stats()
    const foreign = await get(path, { origin: 'https://foreign.example' })
    expect([foreign.status, foreign.headers['etag'], foreign.headers['vary']]).toEqual([
      200,
      whole.headers['etag'],
      expect.stringContaining('origin'),
    ])
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
    expect(board.deps.cache.stats().hits).toBe(before.hits + 1)
    expect(foreign.headers['access-control-expose-headers']).toBeUndefined()
    const listed = await get(path, { origin: 'https://friend.example' })
    expect(listed.headers['access-control-expose-headers']).toBe('etag, link, retry-after')
    expect(listed.headers['access-control-allow-origin']).toBe('https://friend.example')
    expect(board.deps.cache.stats().hits).toBe(before.hits + 1)
  })

  it('get a restored thread at once', async () => {
    const path = `/api/threads/${params['threadId']}`
    const removed = (removedAt: Date | null) =>
      board.deps.db.updateTable('threads').set({ removedAt }).where('id', '=', params['threadId']!).execute()
    await removed(new Date())
    board.deps.cache.clear()
    expect((await get(path)).status).toBe(404)
    await removed(null)
    expect((await get(path)).status).toBe(404)
    board.deps.cache.drop([threadTags.thread(params['threadId']!)])
    expect((await get(path)).status).toBe(200)
  })

  it('store no failure', async () => {
    const path = `/api/threads/${params['threadId']}`
    await board.deps.db.schema.alterTable('threads').renameTo('lost').execute()
    board.deps.cache.clear()
    try {
      const answer = await get(path)
      expect([answer.status, answer.headers['cache-control']]).toEqual([500, 'no-store'])
      expect(answer.headers['cdn-cache-control']).toBeUndefined()
    } finally {
      await board.deps.db.schema.alterTable('lost').renameTo('threads').execute()
    }
  })

  it('lose a removed picture as fast as its post, and browsers keep pictures for good', async () => {
    const path = `/images/${params['*']}`
    const picture = await get(path)
    expect(picture.headers).toMatchObject({
      ...PUBLIC_CACHING,
      'cache-control': 'public, max-age=31536000, immutable, s-maxage=1',
    })
    expect((await get(path, { 'if-none-match': picture.headers['etag']! })).status).toBe(304)
  })
})
