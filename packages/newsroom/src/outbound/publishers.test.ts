import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { listen } from '../testing/outside/listen.ts'
import { bombPage, largePage, redirectTo, startPublisher } from '../testing/outside/publishers.ts'
import type { Publisher, Route, RouteOrAnswer } from '../testing/outside/publishers.ts'
import type { Door } from './addresses.ts'
import { createPublishers, type PublishersOptions } from './publishers.ts'

const START = Date.parse('2026-11-21T04:03:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than any test. */
const NEVER_MS = 10 * MINUTE
const NO_VALIDATORS = { etag: null, lastModified: null }
const USER_AGENT = 'ShinobiItaBot/1.0 (+https://board.example/contact)'

async function openSite(routes: Readonly<Record<string, RouteOrAnswer>> = {}): Promise<Publisher> {
  const site = await startPublisher(routes)
  onTestFinished(site.close)
  return site
}

type Kind = 'page' | 'image' | 'feed'

/**
 * Publishers that may reach the loopback address, with a clock that only the test moves, and their
 * problems with addresses. Paths are those of the site.
 */
function reach(site: { readonly url: string } = { url: '' }, options: Partial<PublishersOptions> = {}) {
  const clock = { now: START }
  const now = (): number => clock.now
  const publishers = createPublishers({ userAgent: USER_AGENT, allowPrivate: true, now, hostDelayMs: 0, ...options })
  onTestFinished(publishers.close)
  const at = (address: string): string => (address.startsWith('/') ? site.url + address : address)
  const page = (address = '/a') => publishers.page(at(address))
  const image = (address = '/a') => publishers.image(at(address))
  const feed = (address = '/feed', validators: Parameters<typeof publishers.feed>[1] = NO_VALIDATORS) =>
    publishers.feed(at(address), validators)
  return {
    ...{ clock, page, image, feed, close: publishers.close },
    problem: (address?: string, kind: Kind = 'page') => problemOf(() => ({ page, image, feed })[kind](address)),
  }
}

/** A site, and publishers that reach it. */
async function visit(routes: Readonly<Record<string, RouteOrAnswer>>, options: Partial<PublishersOptions> = {}) {
  const site = await openSite(routes)
  return { site, ...reach(site, options) }
}

const PAGE: Route = { body: '<!doctype html><p>忍者が東京に現れた。</p>' }
const FEED: Route = { body: '<?xml version="1.0"?><rss version="2.0"></rss>', etag: '"one"' }
const robotsOf = (text: string): Route => ({ body: text, headers: { 'content-type': 'text/plain' } })
/** A page with headers. */
const pageWith = (headers: Route['headers']): Route => ({
  ...PAGE,
  headers: { 'content-type': 'text/html', ...headers },
})

describe('a page', () => {
  it('is requested under our name, after robots.txt and the reservations, without cookies', async () => {
    const cookie = { 'set-cookie': 'id=1; Path=/', 'content-type': 'text/html' }
    const { site, page } = await visit({ '/a': pageWith(cookie), '/robots.txt': { ...robotsOf(''), headers: cookie } })
    const first = await page('/a?b=1#c')
    expect(first).toMatchObject({ url: `${site.url}/a?b=1`, status: 200, text: PAGE.body, permanentUrl: null })
    await page('/a?b=2')
    const paths = ['/robots.txt', '/.well-known/tdmrep.json', '/a?b=1', '/a?b=2']
    expect(site.requests.map(({ path }) => path)).toEqual(paths)
    for (const { headers } of site.requests) {
      expect(headers['user-agent']).toBe(USER_AGENT)
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).not.toHaveProperty('referer')
    }
  })

  it('is decoded by its declarations and its bytes', async () => {
    const charset = 'shift_jis'
    const { page } = await visit({ '/declared': { ...PAGE, charset }, '/undeclared': { ...pageWith({}), charset } })
    expect((await page('/declared')).text).toBe(PAGE.body)
    expect((await page('/undeclared')).text).toBe(PAGE.body)
  })

  it.each([
    ...['text/html', 'application/xhtml+xml;charset=utf-8', 'TEXT/HTML ; charset=utf-8'].map((type) => [type, null]),
    ...['application/pdf', 'image/png', 'text/plain', 'text/html-fragment'].map((type) => [type, 'not_html']),
  ])('with the content type %s has the problem %s, and is not downloaded with one', async (type, expected) => {
    const pace = expected === null ? 'whole' : 'endless'
    const route: Route = { body: 'x', pace, headers: { 'content-type': String(type) } }
    const { problem } = await visit({ '/a': route }, { timeoutMs: NEVER_MS })
    expect(await problem()).toBe(expected)
  })

  it.each([
    ...[404, 410].map((status) => [status, 'gone']),
    ...[401, 403, 451, 500, 204, 304, 300].map((status) => [status, 'http_error']),
  ])('that answers %d is %s', async (status, expected) => {
    const { problem } = await visit({ '/a': { status: Number(status) } })
    expect(await problem()).toBe(expected)
  })
})

describe('a feed', () => {
  const lastModified = 'Sat, 21 Nov 2026 04:00:00 GMT'

  it('that has not changed is not downloaded again, and one that has comes with new validators', async () => {
    const { site, feed } = await visit({ '/feed': { ...FEED, lastModified } })
    const first = await feed()
    expect(first).toMatchObject({ status: 200, text: FEED.body, etag: '"one"', lastModified })
    const second = await feed('/feed', first)
    expect(second).toMatchObject({ status: 304, text: '', etag: '"one"', lastModified })
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'if-none-match': '"one"', 'if-modified-since': lastModified })
    site.set('/feed', { ...FEED, etag: '"two"' })
    const third = await feed('/feed', second)
    expect(third).toMatchObject({ status: 200, text: FEED.body, etag: '"two"', lastModified: null })
  })

  it('may be requested by its date alone, and keeps its validators where the answer has none', async () => {
    const { feed, problem } = await visit({ '/feed': { body: 'x', lastModified }, '/silent': { status: 304 } })
    expect((await feed('/feed', { etag: null, lastModified })).status).toBe(304)
    const kept = { etag: '"x"', lastModified }
    expect(await feed('/silent', kept)).toMatchObject({ ...kept, status: 304 })
    expect(await problem('/silent', 'feed')).toBe('http_error')
  })

  it('is accepted with any content type, and even if its pages are not to be indexed', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'x-robots-tag': 'noindex, follow' }
    const { site, feed } = await visit({ '/feed': { ...FEED, headers } })
    expect((await feed()).text).toBe(FEED.body)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(0)
  })

  it('that moved permanently answers with its new address, and one that moved temporarily does not', async () => {
    const { site, feed } = await visit({
      '/old': redirectTo('/older', 301),
      '/older': redirectTo('/feed', 308),
      '/today': redirectTo('/old', 302),
      '/feed': FEED,
    })
    const url = `${site.url}/feed`
    expect(await feed('/old')).toMatchObject({ url, status: 200, permanentUrl: url })
    expect(await feed('/today')).toMatchObject({ url, status: 200, permanentUrl: null })
    expect(await feed('/feed')).toMatchObject({ url, status: 200, permanentUrl: null })
    expect(await feed('/old', { etag: '"one"', lastModified: null })).toMatchObject({ status: 304, permanentUrl: url })
  })
})

it('a picture is returned as its bytes, up to 10 MB', async () => {
  const body = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])
  const larger = largePage(10_000_001, { chunked: true })
  const { image, problem } = await visit({ '/a': { body }, '/large': largePage(10_000_000), '/larger': larger })
  expect(await image()).toEqual(body)
  expect((await image('/large')).length).toBe(10_000_000)
  expect(await problem('/larger', 'image')).toBe('too_large')
})

describe('the limit to public addresses', () => {
  const NOT_CALLED: PublishersOptions['resolve'] = () =>
    Promise.reject(new Error('nobody should have asked for a name'))

  /** Expects that nothing reads any of these addresses. */
  async function expectRefused(addresses: readonly string[], { problem }: ReturnType<typeof reach>): Promise<void> {
    for (const address of addresses) {
      for (const kind of ['page', 'image', 'feed'] as const) {
        expect([address, await problem(address, kind)]).toEqual([address, 'refused_address'])
      }
    }
  }

  it('refuses loopback, in any spelling, before any request', async () => {
    const site = await openSite({ '/a': PAGE })
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']
    const addresses = hosts.flatMap((host) => [`http://${host}/a`, `http://${host}:${site.port}/a`])
    await expectRefused(addresses, reach(site, { allowPrivate: false, resolve: NOT_CALLED }))
    expect(site.requests).toEqual([])
    expect(await reach().problem(`http://2130706433:${site.port}/a`)).toBeNull()
  })

  it('refuses names that resolve to private addresses, even if only one address is private', async () => {
    expect(await reach(undefined, { allowPrivate: false }).problem('http://localhost/')).toBe('refused_address')
    for (const inside of ['10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1']) {
      const found = ['93.184.215.14', inside].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const { problem } = reach(undefined, { allowPrivate: false, resolve: async () => found })
      expect(await problem('http://news.example/')).toBe('refused_address')
      expect(await problem('https://news.example/')).toBe('refused_address')
    }
  })

  it('refuses redirects to addresses that may not be requested directly', async () => {
    const inside = await openSite({ '/secret': PAGE })
    const site = await openSite({
      '/port': redirectTo(`${inside.url}/secret`),
      '/detour': redirectTo('/port', 307),
      '/address': redirectTo('http://127.0.0.2/secret'),
      '/metadata': redirectTo('http://169.254.169.254/latest/meta-data/'),
      '/name': redirectTo('http://inside.example/secret'),
    })
    // As on the public network: the site can be reached, and nothing else on this machine or around
    // it.
    const door: Door = {
      address: (address) => address === '127.0.0.1',
      port: (port) => port === site.port || port === 80,
    }
    const publishers = reach(site, { door, resolve: async () => [{ address: '10.0.0.7', family: 4 }] })
    await expectRefused(['/port', '/detour', '/address', '/metadata', '/name'], publishers)
    expect(inside.requests).toEqual([])
    expect((await reach(site).page('/detour')).url).toBe(`${inside.url}/secret`)
  })

  it('refuses private addresses for robots.txt and reservations as well', async () => {
    const inside = await openSite({ '/robots.txt': robotsOf('') })
    const site = await openSite({ '/a': PAGE, '/robots.txt': redirectTo(`${inside.url}/robots.txt`) })
    const door: Door = { address: () => true, port: (port) => port === site.port }
    expect(await reach(site, { door }).problem()).toBe('refused_address')
    site.set('/robots.txt', null)
    site.set('/.well-known/tdmrep.json', redirectTo(`${inside.url}/tdmrep.json`))
    expect(await reach(site, { door }).problem()).toBe('refused_address')
    expect(inside.requests).toEqual([])
  })

  it.each([
    [2, null, ['/robots.txt', '/feed']],
    [1, 'refused_address', ['/robots.txt']],
  ])(
    'holds for a name that leads to another address after %d connections (DNS rebinding): %s',
    async (timesOutside, expected, paths) => {
      // Every request needs a connection of its own.
      const once = (route: Route): Route => ({ ...route, headers: { ...route.headers, connection: 'close' } })
      const site = await openSite({ '/robots.txt': once(robotsOf('')), '/feed': once(FEED) })
      let asked = 0
      const resolve: PublishersOptions['resolve'] = async () => {
        asked += 1
        return [{ address: asked <= timesOutside ? '127.0.0.1' : '127.0.0.2', family: 4 }]
      }
      const door: Door = { address: (address) => address === '127.0.0.1', port: () => true }
      const { problem } = reach({ url: `http://news.example:${site.port}` }, { door, resolve })
      expect(await problem('/feed', 'feed')).toBe(expected)
      expect(site.requests.map(({ path }) => path)).toEqual(paths)
      // One for robots.txt, one for the feed. A client that checks first and connects later would
      // resolve twice as often, and would have reached the private address.
      expect(asked).toBe(2)
    },
  )
})

describe('redirects', () => {
  it('are followed up to five times', async () => {
    const steps = Object.fromEntries([1, 2, 3, 4, 5, 6].map((step) => [`/${step}`, redirectTo(`/${step - 1}`, 303)]))
    const { site, page, problem } = await visit({ ...steps, '/0': PAGE })
    expect((await page('/5')).url).toBe(`${site.url}/0`)
    expect(await problem('/6')).toBe('redirects')
  })

  it('in a circle are refused', async () => {
    const routes = { '/a': redirectTo('/b'), '/b': redirectTo('/a'), '/self': redirectTo('/self#x') }
    const { site, problem } = await visit(routes)
    expect(await problem('/a')).toBe('redirects')
    expect(await problem('/self')).toBe('redirects')
    expect(site.asked('/a')).toBe(1)
  })

  it('to another host read the robots.txt of that host as well', async () => {
    const other = await openSite({ '/a': PAGE, '/robots.txt': robotsOf('User-agent: *\nDisallow: /a') })
    const { problem } = await visit({ '/a': redirectTo(`${other.url}/a`) })
    expect(await problem()).toBe('robots')
    expect(other.asked('/a')).toBe(0)
  })
})

describe('robots.txt', () => {
  const NOTHING = robotsOf('User-agent: *\nDisallow: /')

  it('is obeyed for feeds, pages and pictures', async () => {
    const robots = robotsOf('User-agent: *\nDisallow: /private')
    const { site, problem } = await visit({ '/robots.txt': robots, '/private': PAGE, '/a': PAGE })
    expect(await problem('/private')).toBe('robots')
    expect(await problem('/private', 'image')).toBe('robots')
    expect(await problem('/private', 'feed')).toBe('robots')
    expect(await problem('/a')).toBeNull()
    expect(site.asked('/private')).toBe(0)
  })

  it('is requested once a day', async () => {
    const { site, clock, page, problem } = await visit({ '/a': PAGE })
    await Promise.all([page(), page(), page()])
    clock.now += 24 * HOUR - 1
    await page()
    expect(site.asked('/robots.txt')).toBe(1)
    site.set('/robots.txt', NOTHING)
    clock.now += 1
    expect(await problem()).toBe('robots')
    expect(site.asked('/robots.txt')).toBe(2)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(1)
  })

  it.each([401, 403, 404, 410])('that answers %d allows everything', async (status) => {
    const { problem } = await visit({ '/robots.txt': { ...NOTHING, status }, '/a': PAGE })
    expect(await problem()).toBeNull()
  })

  it.each([429, 500, 503])('that answers %d allows nothing until it is requested again', async (status) => {
    const { site, clock, page, problem } = await visit({ '/robots.txt': { status }, '/a': PAGE })
    await expect(page()).rejects.toMatchObject({ problem: 'http_error', passes: true })
    site.set('/robots.txt', null)
    clock.now += 5 * MINUTE - 1
    expect(await problem()).toBe('http_error')
    expect(site.asked('/robots.txt')).toBe(1)
    clock.now += 1
    expect(await problem()).toBeNull()
    expect(site.asked('/a')).toBe(1)
  })

  it('that never arrives, or breaks off, allows nothing', async () => {
    const { site, problem } = await visit({ '/robots.txt': { pace: 'hang' }, '/a': PAGE }, { timeoutMs: 50 })
    expect(await problem()).toBe('timeout')
    site.set('/robots.txt', { ...NOTHING, pace: 'drop' })
    expect(await reach(site).problem()).toBe('unreachable')
    expect(site.asked('/a')).toBe(0)
  })

  it('may be behind a redirect, and counts as missing in a circle of redirects', async () => {
    const routes = { '/robots.txt': redirectTo('/real.txt'), '/real.txt': NOTHING, '/a': PAGE }
    const { site, problem } = await visit(routes)
    expect(await problem()).toBe('robots')
    site.set('/real.txt', redirectTo('/robots.txt'))
    expect(await reach(site).problem()).toBeNull()
  })

  it('is read up to 500 kB, in whole lines', async () => {
    const filler = `# ${'x'.repeat(997)}\n`
    const rules = (before: number): Route =>
      robotsOf(`User-agent: *\n${filler.repeat(before)}Disallow: /a\n${filler.repeat(1_000)}`)
    const { site, problem } = await visit({ '/robots.txt': rules(400), '/a': PAGE })
    expect(await problem()).toBe('robots')
    site.set('/robots.txt', rules(600))
    expect(await reach(site).problem()).toBeNull()
    const [start, end] = ['User-agent: *\n#', '\nDisallow: /']
    const cutAtEnd = `${start}${'x'.repeat(500_000 - start.length - end.length)}${end}somewhere/else\n`
    site.set('/robots.txt', robotsOf(cutAtEnd))
    expect(await reach(site).problem()).toBeNull()
  })
})

describe('opt-outs', () => {
  it('by X-Robots-Tag are obeyed before the page is read', async () => {
    const headers = { 'content-type': 'text/html', 'x-robots-tag': ['googlebot: noindex', 'ShinobiItaBot: none'] }
    const { problem } = await visit({ '/a': { body: 'x', pace: 'endless', headers } }, { timeoutMs: NEVER_MS })
    expect(await problem()).toBe('opt_out')
  })

  it.each([
    { 'tdm-reservation': '1' },
    { 'content-usage': 'train-ai=n' },
    { link: '<https://news.example/license.xml>; rel="license"; type="application/rsl+xml"' },
  ])('by a reservation, usage or a licence in a header apply to pages and pictures: %j', async (header) => {
    const { problem } = await visit({ '/a': pageWith(header) })
    expect(await problem()).toBe('opt_out')
    expect(await problem('/a', 'image')).toBe('opt_out')
  })

  it('for pictures have directives of their own, also in the headers of a page', async () => {
    const { page, problem } = await visit({ '/a': pageWith({ 'x-robots-tag': 'noimageai' }), '/b': PAGE })
    expect(await problem('/a', 'image')).toBe('opt_out')
    expect(await page()).toMatchObject({ text: PAGE.body, allowsPicture: false })
    expect(await page('/b')).toMatchObject({ text: PAGE.body, allowsPicture: true })
  })

  it('by a content signal apply to pages, also at the end of a redirect, and to nothing else', async () => {
    const robots = robotsOf('User-agent: *\nContent-Signal: search=yes, ai-input=no\nAllow: /\n')
    const { site, problem, feed } = await visit({ '/robots.txt': robots, '/a': PAGE, '/feed': FEED })
    expect(await problem()).toBe('opt_out')
    expect(await (await visit({ '/a': redirectTo(`${site.url}/a`) })).problem()).toBe('opt_out')
    expect(site.asked('/a')).toBe(0)
    expect((await feed()).text).toBe(FEED.body)
  })

  it('by tdmrep.json are obeyed without a request for what is reserved, also at the end of a redirect', async () => {
    const rules = [{ location: '/reserved/*', 'tdm-reservation': 1 }]
    const { site, problem } = await visit({
      '/.well-known/tdmrep.json': { body: JSON.stringify(rules) },
      '/reserved/a': PAGE,
      '/open': redirectTo('/reserved/a'),
      '/a': PAGE,
    })
    expect(await problem('/reserved/a')).toBe('opt_out')
    expect(await problem('/reserved/a', 'image')).toBe('opt_out')
    expect(await problem('/open')).toBe('opt_out')
    expect(await problem('/a')).toBeNull()
    expect(site.asked('/reserved/a')).toBe(0)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(1)
  })

  it.each([
    ['are too long to read', largePage(500_001), 'too_large'],
    ['cannot be read at the moment', { status: 503 }, 'http_error'],
  ])('that %s do not count as missing', async (_, route, expected) => {
    const { site, problem } = await visit({ '/.well-known/tdmrep.json': route, '/a': PAGE })
    expect(await problem()).toBe(expected)
    expect(site.asked('/a')).toBe(0)
  })
})

describe('a server that is slow, broken or endless', () => {
  it.each(['hang', 'stall', 'trickle'] as const)(
    'does not hold a request longer than the time limit: %s',
    async (pace) => {
      const route = { body: '<p>忍</p>'.repeat(10_000), pace }
      const { page } = await visit({ '/a': route }, { timeoutMs: 150, idleMs: NEVER_MS })
      await expect(page()).rejects.toMatchObject({ problem: 'timeout', passes: true })
    },
  )

  it.each(['hang', 'stall'] as const)('is abandoned when it sends nothing for too long: %s', async (pace) => {
    const { problem } = await visit({ '/a': { ...PAGE, pace } }, { timeoutMs: NEVER_MS, idleMs: 100 })
    expect(await problem()).toBe('timeout')
  })

  it('that breaks off is unreachable, and so is a missing one', async () => {
    const { site, page } = await visit({ '/a': { ...PAGE, pace: 'drop' } })
    await expect(page()).rejects.toMatchObject({ problem: 'unreachable', passes: true })
    await site.close()
    expect(await reach(site).problem()).toBe('unreachable')
    const unknown = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    for (const resolve of [async () => [], unknown]) {
      expect(await reach(undefined, { resolve }).problem('http://news.example/')).toBe('unreachable')
    }
  })

  const packed = { headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' } }
  it.each([
    ['50 MB, as it says', largePage(50_000_000)],
    ['50 MB without saying so', largePage(50_000_000, { chunked: true })],
    ['without an end', { body: '<p>忍</p>', pace: 'endless' }],
    ['100 MB in 100 kB (gzip)', bombPage(100)],
    ['100 MB in 20 kB (brotli)', bombPage(100, 'br')],
    ['nothing without an end, packed', { ...packed, body: gzipSync(''), pace: 'endless' }],
    ['a little more than 5 MB', largePage(5_000_001, { chunked: true })],
  ] satisfies [string, Route][])('that sends %s is cut off', async (_title, route) => {
    const { page, problem } = await visit({ '/a': route }, { timeoutMs: NEVER_MS })
    await expect(page()).rejects.toMatchObject({ problem: 'too_large', passes: false })
    expect(await problem('/a', 'feed')).toBe('too_large')
  })

  it('may send 5 MB, compressed or not', async () => {
    const { page } = await visit({ '/a': largePage(5_000_000), '/gzip': bombPage(5), '/br': bombPage(5, 'br') })
    const pages = await Promise.all(['/a', '/gzip', '/br'].map((path) => page(path)))
    expect(pages.map(({ text }) => Buffer.byteLength(text))).toEqual([5_000_000, 5_000_000, 5_000_000])
  })

  it.each(['gzip', 'br', 'deflate', 'compress', 'gzip, br'])(
    'that sends a badly compressed body is refused: %s',
    async (encoding) => {
      const { problem } = await visit({ '/a': pageWith({ 'content-encoding': encoding }) })
      expect(await problem()).toBe('http_error')
    },
  )

  it.each(['Content-Length: -5', 'Content-Length: many', 'Content-Length: 1\r\nContent-Length: 2'])(
    'that sends malformed HTTP is refused: %s',
    async (header) => {
      const site = createServer(({ socket }) =>
        socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${header}\r\n\r\nx`),
      )
      const { port, close } = await listen(site)
      onTestFinished(close)
      expect(await reach().problem(`http://127.0.0.1:${port}/a`)).toBe('http_error')
    },
  )

  it('that sends endless headers is refused', async () => {
    const headers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, 'x'.repeat(1_000)]))
    const { problem } = await visit({ '/a': { ...PAGE, headers } })
    expect(await problem()).toBe('http_error')
  })
})

describe('politeness', () => {
  it.each([
    ['no other delay', '', 2_000],
    ['a Crawl-delay', 'Crawl-delay: 7', 7_000],
  ])('sends requests to one host one by one, robots.txt included, with %s', async (_, rule, delayMs) => {
    const waits: number[] = []
    const wait = async (ms: number): Promise<void> => void waits.push(ms)
    const robots = robotsOf(`User-agent: *\n${rule}`)
    const site = await openSite({ '/robots.txt': robots, '/1': PAGE, '/2': PAGE, '/3': PAGE })
    const publishers = createPublishers({ userAgent: USER_AGENT, allowPrivate: true, now: () => START, wait })
    onTestFinished(publishers.close)
    await Promise.all(['/1', '/2', '/3'].map((path) => publishers.page(site.url + path)))
    expect(site.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/.well-known/tdmrep.json', '/1', '/2', '/3'])
    expect(waits).toEqual([delayMs, delayMs, delayMs, delayMs])
  })

  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 04:05:00 GMT', 120_000],
    ['999999999', 24 * HOUR],
  ])('pauses a host whose Retry-After asks for it: %s', async (value, retryAfterMs) => {
    const busy = { status: 429, headers: { 'retry-after': value } }
    const { site, clock, page, problem } = await visit({ '/a': busy, '/b': PAGE })
    await expect(page()).rejects.toMatchObject({ problem: 'http_error', retryAfterMs })
    clock.now += 1_000
    await expect(page('/b')).rejects.toMatchObject({ retryAfterMs: retryAfterMs - 1_000 })
    expect(site.asked('/b')).toBe(0)
    clock.now += retryAfterMs - 1_000
    expect(await problem('/b')).toBeNull()
  })
})

describe('closing', () => {
  it('ends requests under way, and refuses new ones', async () => {
    const options = { timeoutMs: NEVER_MS, idleMs: NEVER_MS }
    const { site, problem, close } = await visit({ '/a': { ...PAGE, pace: 'stall' } }, options)
    const begun = ['/a', '/b'].map((path) => problem(path))
    await expect.poll(() => site.asked('/a')).toBe(1)
    await close()
    expect(await Promise.all(begun)).toEqual(['unreachable', 'unreachable'])
    expect(await problem('/b')).toBe('unreachable')
    expect(site.asked('/b')).toBe(0)
  })
})
