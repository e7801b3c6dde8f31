import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { bombPage, largePage, redirectTo, startPublisher } from '../testing/outside/publishers.ts'
import type { Charset, Publisher, Route, RouteOrAnswer } from '../testing/outside/publishers.ts'
import type { Door } from './addresses.ts'
import { createPublishers, type Publishers, type PublishersOptions } from './publishers.ts'

const START = Date.parse('2026-11-21T04:03:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longer than any test. */
const NEVER_MS = 10 * MINUTE
const NO_VALIDATORS = { etag: null, lastModified: null }
const USER_AGENT = 'ShinobiItaBot/1.0 (+https://board.example/contact)'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openSite(routes: Readonly<Record<string, RouteOrAnswer>> = {}): Promise<Publisher> {
  const site = await startPublisher(routes)
  closing.push(() => site.close())
  return site
}

/** Publishers that may reach the loopback address, with a clock that only the test moves. */
function reach(options: Partial<PublishersOptions> = {}): Publishers & { readonly clock: { now: number } } {
  const clock = { now: START }
  const now = (): number => clock.now
  const publishers = createPublishers({ userAgent: USER_AGENT, allowPrivate: true, now, hostDelayMs: 0, ...options })
  closing.push(() => publishers.close())
  return { ...publishers, clock }
}

/** The problem of each address, in a form that a failing test shows. */
const problemsOf = (addresses: readonly string[], ask: (address: string) => Promise<unknown>): Promise<string[]> =>
  Promise.all(addresses.map(async (address) => `${address} ${await problemOf(() => ask(address))}`))
const all = (addresses: readonly string[], problem: string): string[] =>
  addresses.map((address) => `${address} ${problem}`)

const PAGE: Route = { body: '<!doctype html><p>忍者が東京に現れた。</p>' }
const FEED: Route = { body: '<?xml version="1.0"?><rss version="2.0"></rss>', etag: '"one"' }
const robotsOf = (text: string): Route => ({ body: text, headers: { 'content-type': 'text/plain' } })

describe('a page', () => {
  it('is requested under our name, after robots.txt and the reservations, without cookies', async () => {
    const cookie = { 'set-cookie': 'id=1; Path=/', 'content-type': 'text/html' }
    const site = await openSite({
      '/a': { ...PAGE, headers: cookie },
      '/robots.txt': { ...robotsOf(''), headers: cookie },
    })
    const publishers = reach()
    const page = await publishers.page(`${site.url}/a?b=1#c`)
    expect(page).toMatchObject({ url: `${site.url}/a?b=1`, status: 200, text: PAGE.body, permanentUrl: null })
    await publishers.page(`${site.url}/a?b=2`)
    const paths = ['/robots.txt', '/.well-known/tdmrep.json', '/a?b=1', '/a?b=2']
    expect(site.requests.map(({ path }) => path)).toEqual(paths)
    for (const { headers } of site.requests) {
      expect(headers['user-agent']).toBe(USER_AGENT)
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).not.toHaveProperty('referer')
    }
  })

  it.each(['utf-8', 'shift_jis', 'euc-jp', 'iso-2022-jp'] satisfies Charset[])(
    'is decoded from %s',
    async (charset) => {
      const undeclared = { ...PAGE, charset, headers: { 'content-type': 'text/html' } }
      const site = await openSite({ '/declared': { ...PAGE, charset }, '/undeclared': undeclared })
      const publishers = reach()
      expect((await publishers.page(`${site.url}/declared`)).text).toBe(PAGE.body)
      expect((await publishers.page(`${site.url}/undeclared`)).text).toBe(PAGE.body)
    },
  )

  it.each(['text/html', 'application/xhtml+xml;charset=utf-8', 'TEXT/HTML ; charset=utf-8'])(
    'is accepted with the content type %s',
    async (type) => {
      const site = await openSite({ '/a': { ...PAGE, headers: { 'content-type': type } } })
      expect(await problemOf(() => reach().page(`${site.url}/a`))).toBeNull()
    },
  )

  it.each(['application/pdf', 'application/json', 'image/png', 'text/plain', 'text/html-fragment'])(
    'is refused with the content type %s, and not downloaded',
    async (type) => {
      const site = await openSite({ '/a': { body: 'x', pace: 'endless', headers: { 'content-type': type } } })
      expect(await problemOf(() => reach({ timeoutMs: NEVER_MS }).page(`${site.url}/a`))).toBe('not_html')
    },
  )

  it.each([
    [404, 'gone'],
    [410, 'gone'],
    [401, 'http_error'],
    [403, 'http_error'],
    [451, 'http_error'],
    [500, 'http_error'],
    [204, 'http_error'],
    [304, 'http_error'],
    [300, 'http_error'],
  ])('that answers %d is %s', async (status, problem) => {
    const site = await openSite({ '/a': { status } })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe(problem)
  })
})

describe('a feed', () => {
  it('that has not changed is not downloaded again, and one that has comes with new validators', async () => {
    const lastModified = 'Sat, 21 Nov 2026 04:00:00 GMT'
    const site = await openSite({ '/feed': { ...FEED, lastModified } })
    const publishers = reach()
    const first = await publishers.feed(`${site.url}/feed`, NO_VALIDATORS)
    expect(first).toMatchObject({ status: 200, text: FEED.body, etag: '"one"', lastModified })
    const second = await publishers.feed(`${site.url}/feed`, first)
    expect(second).toMatchObject({ status: 304, text: '', etag: '"one"', lastModified })
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'if-none-match': '"one"', 'if-modified-since': lastModified })
    site.set('/feed', { ...FEED, etag: '"two"' })
    const third = await publishers.feed(`${site.url}/feed`, second)
    expect(third).toMatchObject({ status: 200, text: FEED.body, etag: '"two"', lastModified: null })
  })

  it('may be requested by its date alone, and keeps its validators where the answer has none', async () => {
    const lastModified = 'Sat, 21 Nov 2026 04:00:00 GMT'
    const site = await openSite({ '/feed': { body: 'x', lastModified }, '/silent': { status: 304 } })
    const publishers = reach()
    const validators = { etag: null, lastModified }
    expect((await publishers.feed(`${site.url}/feed`, validators)).status).toBe(304)
    expect(await publishers.feed(`${site.url}/silent`, { ...validators, etag: '"x"' })).toMatchObject({
      ...validators,
      status: 304,
      etag: '"x"',
    })
    expect(await problemOf(() => publishers.feed(`${site.url}/silent`, NO_VALIDATORS))).toBe('http_error')
  })

  it('is accepted with any content type, and even if its pages are not to be indexed', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'x-robots-tag': 'noindex, follow' }
    const site = await openSite({ '/feed': { ...FEED, headers } })
    expect((await reach().feed(`${site.url}/feed`, NO_VALIDATORS)).text).toBe(FEED.body)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(0)
  })

  it('that moved permanently answers with its new address, and one that moved temporarily does not', async () => {
    const site = await openSite({
      '/old': redirectTo('/older', 301),
      '/older': redirectTo('/feed', 308),
      '/today': redirectTo('/old', 302),
      '/feed': FEED,
    })
    const publishers = reach()
    const moved = { url: `${site.url}/feed`, status: 200 }
    const feed = (path: string) => publishers.feed(site.url + path, NO_VALIDATORS)
    expect(await feed('/old')).toMatchObject({ ...moved, permanentUrl: `${site.url}/feed` })
    expect(await feed('/today')).toMatchObject({ ...moved, permanentUrl: null })
    expect(await feed('/feed')).toMatchObject({ ...moved, permanentUrl: null })
    const unchanged = await publishers.feed(`${site.url}/old`, { etag: '"one"', lastModified: null })
    expect(unchanged).toMatchObject({ status: 304, permanentUrl: `${site.url}/feed` })
  })
})

describe('a picture', () => {
  it('is returned as its bytes', async () => {
    const body = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])
    const site = await openSite({ '/a.png': { body, headers: { 'content-type': 'image/png' } } })
    expect(await reach().image(`${site.url}/a.png`)).toEqual(body)
  })

  it('may have up to 10 MB', async () => {
    const site = await openSite({
      '/large.png': largePage(10_000_000),
      '/larger.png': largePage(10_000_001, { chunked: true }),
    })
    const publishers = reach()
    expect((await publishers.image(`${site.url}/large.png`)).length).toBe(10_000_000)
    expect(await problemOf(() => publishers.image(`${site.url}/larger.png`))).toBe('too_large')
  })
})

describe('the limit to public addresses', () => {
  const NOT_CALLED: PublishersOptions['resolve'] = () =>
    Promise.reject(new Error('nobody should have asked for a name'))

  it('refuses loopback, in any spelling, before any request', async () => {
    const site = await openSite({ '/a': PAGE })
    const closed = reach({ allowPrivate: false, resolve: NOT_CALLED })
    const hosts = [
      ...['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]'],
      '0.0.0.0',
    ]
    const addresses = hosts.flatMap((host) => [`http://${host}/a`, `http://${host}:${site.port}/a`])
    const refused = all(addresses, 'refused_address')
    expect(await problemsOf(addresses, closed.page)).toEqual(refused)
    expect(await problemsOf(addresses, (address) => closed.feed(address, NO_VALIDATORS))).toEqual(refused)
    expect(await problemsOf(addresses, closed.image)).toEqual(refused)
    expect(site.requests).toEqual([])
    expect(await problemOf(() => reach().page(`http://2130706433:${site.port}/a`))).toBeNull()
  })

  it('refuses names that resolve to private addresses, even if only one address is private', async () => {
    expect(await problemOf(() => reach({ allowPrivate: false }).page('http://localhost/'))).toBe('refused_address')
    for (const inside of ['10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1']) {
      const found = ['93.184.215.14', inside].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const publishers = reach({ allowPrivate: false, resolve: async () => found })
      expect(await problemOf(() => publishers.page('http://news.example/'))).toBe('refused_address')
      expect(await problemOf(() => publishers.page('https://news.example/'))).toBe('refused_address')
    }
  })

  it('opens nothing but addresses and ports', async () => {
    const site = await openSite({
      '/file': redirectTo('file:///etc/passwd'),
      '/secret': redirectTo('http://kaede:pass@127.0.0.1/'),
    })
    const secret = `http://kaede:pass@127.0.0.1:${site.port}/a`
    const redirects = [`${site.url}/file`, `${site.url}/secret`]
    const addresses = ['file:///etc/passwd', secret, 'ftp://127.0.0.1/', 'nonsense', ...redirects]
    expect(await problemsOf(addresses, reach().page)).toEqual(all(addresses, 'refused_address'))
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
    const publishers = reach({ door, resolve: async () => [{ address: '10.0.0.7', family: 4 }] })
    const addresses = ['/port', '/detour', '/address', '/metadata', '/name'].map((path) => site.url + path)
    const refused = all(addresses, 'refused_address')
    expect(await problemsOf(addresses, publishers.page)).toEqual(refused)
    expect(await problemsOf(addresses, (address) => publishers.feed(address, NO_VALIDATORS))).toEqual(refused)
    expect(await problemsOf(addresses, publishers.image)).toEqual(refused)
    expect(inside.requests).toEqual([])
    expect((await reach().page(`${site.url}/detour`)).url).toBe(`${inside.url}/secret`)
  })

  it('refuses private addresses for robots.txt and reservations as well', async () => {
    const inside = await openSite({ '/robots.txt': robotsOf('') })
    const site = await openSite({ '/a': PAGE, '/robots.txt': redirectTo(`${inside.url}/robots.txt`) })
    const door: Door = { address: () => true, port: (port) => port === site.port }
    expect(await problemOf(() => reach({ door }).page(`${site.url}/a`))).toBe('refused_address')
    site.set('/robots.txt', null)
    site.set('/.well-known/tdmrep.json', redirectTo(`${inside.url}/tdmrep.json`))
    expect(await problemOf(() => reach({ door }).page(`${site.url}/a`))).toBe('refused_address')
    expect(inside.requests).toEqual([])
  })

  describe('and a name that resolves differently each time (DNS rebinding)', () => {
    const door: Door = { address: (address) => address === '127.0.0.1', port: () => true }

    /**
     * A name that resolves to a public address so many times, and to a private one from then on.
     */
    function rebinding(timesOutside: number) {
      const asked: string[] = []
      const resolve: PublishersOptions['resolve'] = async (hostname) => {
        asked.push(hostname)
        return [{ address: asked.length <= timesOutside ? '127.0.0.1' : '127.0.0.2', family: 4 }]
      }
      return { asked, resolve }
    }
    /** Every request needs a connection of its own. */
    const once = (route: Route): Route => ({ ...route, headers: { ...route.headers, connection: 'close' } })

    it('resolves once per connection, which goes to the address that was checked', async () => {
      const site = await openSite({ '/robots.txt': once(robotsOf('')), '/feed': once(FEED) })
      const { asked, resolve } = rebinding(2)
      const feed = await reach({ door, resolve }).feed(`http://news.example:${site.port}/feed`, NO_VALIDATORS)
      expect(feed.text).toBe(FEED.body)
      // One for robots.txt, one for the feed. A client that checks first and connects later would
      // resolve twice as often, and would have reached the private address.
      expect(asked).toEqual(['news.example', 'news.example'])
    })

    it('is refused at the connection for which it resolves to a private address', async () => {
      const site = await openSite({ '/robots.txt': once(robotsOf('')), '/feed': once(FEED) })
      const { asked, resolve } = rebinding(1)
      const publishers = reach({ door, resolve })
      const address = `http://news.example:${site.port}/feed`
      expect(await problemOf(() => publishers.feed(address, NO_VALIDATORS))).toBe('refused_address')
      expect(asked).toHaveLength(2)
      expect(site.requests.map(({ path }) => path)).toEqual(['/robots.txt'])
    })
  })
})

describe('redirects', () => {
  it('are followed up to five times', async () => {
    const steps = Object.fromEntries([1, 2, 3, 4, 5, 6].map((step) => [`/${step}`, redirectTo(`/${step - 1}`, 303)]))
    const site = await openSite({ ...steps, '/0': PAGE })
    const publishers = reach()
    expect((await publishers.page(`${site.url}/5`)).url).toBe(`${site.url}/0`)
    expect(await problemOf(() => publishers.page(`${site.url}/6`))).toBe('redirects')
  })

  it('in a circle or without a target are refused', async () => {
    const site = await openSite({
      '/a': redirectTo('/b'),
      '/b': redirectTo('/a'),
      '/self': redirectTo('/self#x'),
      '/nowhere': { status: 302 },
    })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('redirects')
    const addresses = [`${site.url}/self`, `${site.url}/nowhere`]
    expect(await problemsOf(addresses, publishers.page)).toEqual(all(addresses, 'redirects'))
    expect(site.asked('/a')).toBe(1)
  })

  it('to another host read the robots.txt of that host as well', async () => {
    const other = await openSite({ '/a': PAGE, '/robots.txt': robotsOf('User-agent: *\nDisallow: /a') })
    const site = await openSite({ '/a': redirectTo(`${other.url}/a`) })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('robots')
    expect(other.asked('/a')).toBe(0)
  })
})

describe('robots.txt', () => {
  it('is obeyed for feeds, pages and pictures, for all robots and for this one by name', async () => {
    const site = await openSite({
      '/robots.txt': robotsOf('User-agent: *\nDisallow: /private'),
      '/private': PAGE,
      '/a': PAGE,
    })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${site.url}/private`))).toBe('robots')
    expect(await problemOf(() => publishers.image(`${site.url}/private`))).toBe('robots')
    expect(await problemOf(() => publishers.feed(`${site.url}/private`, NO_VALIDATORS))).toBe('robots')
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBeNull()
    site.set('/robots.txt', robotsOf('User-agent: *\nAllow: /\n\nUser-agent: ShinobiItaBot\nDisallow: /a'))
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('robots')
    expect(site.asked('/private')).toBe(0)
    expect(site.asked('/a')).toBe(1)
  })

  it('is requested once a day', async () => {
    const site = await openSite({ '/a': PAGE })
    const publishers = reach()
    await Promise.all([1, 2, 3].map(() => publishers.page(`${site.url}/a`)))
    publishers.clock.now += 24 * HOUR - 1
    await publishers.page(`${site.url}/a`)
    expect(site.asked('/robots.txt')).toBe(1)
    site.set('/robots.txt', robotsOf('User-agent: *\nDisallow: /'))
    publishers.clock.now += 1
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('robots')
    expect(site.asked('/robots.txt')).toBe(2)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(1)
  })

  it.each([401, 403, 404, 410])('that answers %d allows everything', async (status) => {
    const site = await openSite({ '/robots.txt': { status, body: 'User-agent: *\nDisallow: /' }, '/a': PAGE })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBeNull()
  })

  it.each([429, 500, 503])('that answers %d allows nothing until it is requested again', async (status) => {
    const site = await openSite({ '/robots.txt': { status }, '/a': PAGE })
    const publishers = reach()
    await expect(publishers.page(`${site.url}/a`)).rejects.toMatchObject({ problem: 'http_error', passes: true })
    site.set('/robots.txt', null)
    publishers.clock.now += 5 * MINUTE - 1
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('http_error')
    expect(site.asked('/robots.txt')).toBe(1)
    publishers.clock.now += 1
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBeNull()
    expect(site.asked('/a')).toBe(1)
  })

  it('that never arrives, or breaks off, allows nothing', async () => {
    const site = await openSite({ '/robots.txt': { pace: 'hang' }, '/a': PAGE })
    expect(await problemOf(() => reach({ timeoutMs: 50 }).page(`${site.url}/a`))).toBe('timeout')
    site.set('/robots.txt', { ...robotsOf('User-agent: *\nDisallow: /'), pace: 'drop' })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('unreachable')
    expect(site.asked('/a')).toBe(0)
  })

  it('may be behind a redirect, and counts as missing in a circle of redirects', async () => {
    const site = await openSite({
      '/robots.txt': redirectTo('/real.txt'),
      '/real.txt': robotsOf('User-agent: *\nDisallow: /'),
      '/a': PAGE,
    })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('robots')
    site.set('/real.txt', redirectTo('/robots.txt'))
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBeNull()
  })

  it('is read up to 500 kB, in whole lines', async () => {
    const filler = `# ${'x'.repeat(997)}\n`
    const rules = (before: number): string =>
      `User-agent: *\n${filler.repeat(before)}Disallow: /a\n${filler.repeat(1_000)}`
    const site = await openSite({ '/robots.txt': robotsOf(rules(400)), '/a': PAGE })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('robots')
    site.set('/robots.txt', robotsOf(rules(600)))
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBeNull()
    const start = 'User-agent: *\n#'
    const end = '\nDisallow: /'
    const cutAtEnd = `${start}${'x'.repeat(500_000 - start.length - end.length)}${end}somewhere/else\n`
    site.set('/robots.txt', robotsOf(cutAtEnd))
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBeNull()
  })
})

describe('opt-outs', () => {
  it.each(['noindex', 'noai', 'ShinobiItaBot: none', 'max-snippet:0', 'unavailable_after: 21 Nov 2026 04:02:00 GMT'])(
    'by X-Robots-Tag: %s are obeyed before the page is read',
    async (tag) => {
      const headers = { 'content-type': 'text/html', 'x-robots-tag': ['googlebot: noindex', tag] }
      const site = await openSite({ '/a': { body: 'x', pace: 'endless', headers } })
      expect(await problemOf(() => reach({ timeoutMs: NEVER_MS }).page(`${site.url}/a`))).toBe('opt_out')
    },
  )

  it('by a TDM reservation in a header apply to pages and pictures', async () => {
    const site = await openSite({ '/a': { ...PAGE, headers: { 'content-type': 'text/html', 'tdm-reservation': '1' } } })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.image(`${site.url}/a`))).toBe('opt_out')
  })

  it.each([
    { 'content-usage': 'train-ai=n' },
    { link: '<https://news.example/license.xml>; rel="license"; type="application/rsl+xml"' },
  ])('by usage or a licence in a header apply to pages and pictures: %j', async (header) => {
    const site = await openSite({ '/a': { ...PAGE, headers: { 'content-type': 'text/html', ...header } } })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.image(`${site.url}/a`))).toBe('opt_out')
  })

  it('for pictures have directives of their own', async () => {
    const headers = { 'content-type': 'text/html', 'x-robots-tag': 'noimageai' }
    const site = await openSite({ '/a': { ...PAGE, headers } })
    const publishers = reach()
    expect(await problemOf(() => publishers.image(`${site.url}/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBeNull()
  })

  it.each(['noimageai', 'ShinobiItaBot: noimageindex', 'max-image-preview: none'])(
    'for pictures in the headers of a page are obeyed: %s',
    async (tag) => {
      const headers = { 'content-type': 'text/html', 'x-robots-tag': tag }
      const site = await openSite({ '/a': { ...PAGE, headers }, '/b': PAGE })
      const publishers = reach()
      expect(await publishers.page(`${site.url}/a`)).toMatchObject({ text: PAGE.body, allowsPicture: false })
      expect(await publishers.page(`${site.url}/b`)).toMatchObject({ text: PAGE.body, allowsPicture: true })
    },
  )

  it('by a content signal apply to pages, also at the end of a redirect, and to nothing else', async () => {
    const reserved = await openSite({
      '/robots.txt': robotsOf('User-agent: *\nContent-Signal: search=yes, ai-input=no\nAllow: /\n'),
      '/a': PAGE,
      '/feed': FEED,
    })
    const site = await openSite({ '/a': redirectTo(`${reserved.url}/a`) })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${reserved.url}/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('opt_out')
    expect(reserved.asked('/a')).toBe(0)
    expect((await publishers.feed(`${reserved.url}/feed`, NO_VALIDATORS)).text).toBe(FEED.body)
  })

  it('by tdmrep.json are obeyed without a request for what is reserved, also at the end of a redirect', async () => {
    const rules = [{ location: '/reserved/*', 'tdm-reservation': 1 }]
    const site = await openSite({
      '/.well-known/tdmrep.json': { body: JSON.stringify(rules) },
      '/reserved/a': PAGE,
      '/open': redirectTo('/reserved/a'),
      '/a': PAGE,
    })
    const publishers = reach()
    expect(await problemOf(() => publishers.page(`${site.url}/reserved/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.image(`${site.url}/reserved/a`))).toBe('opt_out')
    expect(await problemOf(() => publishers.page(`${site.url}/open`))).toBe('opt_out')
    expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBeNull()
    expect(site.asked('/reserved/a')).toBe(0)
    expect(site.asked('/.well-known/tdmrep.json')).toBe(1)
  })

  it('that are too long to read do not count as missing', async () => {
    const site = await openSite({ '/.well-known/tdmrep.json': largePage(500_001), '/a': PAGE })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('too_large')
  })

  it('that cannot be read at the moment do not count as missing', async () => {
    const site = await openSite({ '/.well-known/tdmrep.json': { status: 503 }, '/a': PAGE })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('http_error')
    expect(site.asked('/a')).toBe(0)
  })
})

describe('a server that is slow, broken or endless', () => {
  it.each(['hang', 'stall', 'trickle'] as const)(
    'does not hold a request longer than the time limit: %s',
    async (pace) => {
      const site = await openSite({ '/a': { body: '<p>忍</p>'.repeat(10_000), pace } })
      const publishers = reach({ timeoutMs: 150, idleMs: NEVER_MS })
      await expect(publishers.page(`${site.url}/a`)).rejects.toMatchObject({ problem: 'timeout', passes: true })
    },
  )

  it.each(['hang', 'stall'] as const)('is abandoned when it sends nothing for too long: %s', async (pace) => {
    const site = await openSite({ '/a': { ...PAGE, pace } })
    expect(await problemOf(() => reach({ timeoutMs: NEVER_MS, idleMs: 100 }).page(`${site.url}/a`))).toBe('timeout')
  })

  it('that breaks off is unreachable, and so is a missing one', async () => {
    const site = await openSite({ '/a': { ...PAGE, pace: 'drop' } })
    const publishers = reach()
    await expect(publishers.page(`${site.url}/a`)).rejects.toMatchObject({ problem: 'unreachable', passes: true })
    await site.close()
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('unreachable')
    const nowhere = reach({ resolve: async () => [] })
    expect(await problemOf(() => nowhere.page('http://news.example/'))).toBe('unreachable')
    const unknown = reach({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) })
    expect(await problemOf(() => unknown.page('http://news.example/'))).toBe('unreachable')
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
    const site = await openSite({ '/a': route })
    const publishers = reach({ timeoutMs: NEVER_MS })
    await expect(publishers.page(`${site.url}/a`)).rejects.toMatchObject({ problem: 'too_large', passes: false })
    expect(await problemOf(() => publishers.feed(`${site.url}/a`, NO_VALIDATORS))).toBe('too_large')
  })

  it('may send 5 MB, compressed or not', async () => {
    const site = await openSite({ '/a': largePage(5_000_000), '/gzip': bombPage(5), '/br': bombPage(5, 'br') })
    const publishers = reach()
    const pages = await Promise.all(['/a', '/gzip', '/br'].map((path) => publishers.page(site.url + path)))
    expect(pages.map(({ text }) => Buffer.byteLength(text))).toEqual([5_000_000, 5_000_000, 5_000_000])
  })

  it.each(['gzip', 'br', 'deflate', 'compress', 'gzip, br'])(
    'that sends a badly compressed body is refused: %s',
    async (encoding) => {
      const headers = { 'content-type': 'text/html', 'content-encoding': encoding }
      const site = await openSite({ '/a': { body: 'not packed at all', headers } })
      expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('http_error')
    },
  )

  it.each(['Content-Length: -5', 'Content-Length: many', 'Content-Length: 1\r\nContent-Length: 2'])(
    'that sends malformed HTTP is refused: %s',
    async (header) => {
      const site = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${header}\r\n\r\nx`))
      }).listen(0, '127.0.0.1')
      await once(site, 'listening')
      closing.push(async () => void site.close())
      const { port } = site.address() as AddressInfo
      expect(await problemOf(() => reach().page(`http://127.0.0.1:${port}/a`))).toBe('http_error')
    },
  )

  it('that sends endless headers is refused', async () => {
    const headers = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}`, 'x'.repeat(1_000)]))
    const site = await openSite({ '/a': { ...PAGE, headers } })
    expect(await problemOf(() => reach().page(`${site.url}/a`))).toBe('http_error')
  })
})

describe('politeness', () => {
  it('sends requests to one host one by one with two seconds between, robots.txt included', async () => {
    const clock = { now: START }
    const waits: number[] = []
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms)
      clock.now += ms
    }
    const site = await openSite({ '/1': PAGE, '/2': PAGE, '/3': PAGE })
    const publishers = createPublishers({ userAgent: USER_AGENT, allowPrivate: true, now: () => clock.now, wait })
    closing.push(() => publishers.close())
    await Promise.all(['/1', '/2', '/3'].map((path) => publishers.page(site.url + path)))
    expect(site.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/.well-known/tdmrep.json', '/1', '/2', '/3'])
    expect(site.mostAtOnce).toBe(1)
    expect(waits).toEqual([2_000, 2_000, 2_000, 2_000])
  })

  it('obeys Crawl-delay', async () => {
    const waits: number[] = []
    const wait = async (ms: number): Promise<void> => void waits.push(ms)
    const site = await openSite({ '/robots.txt': robotsOf('User-agent: *\nCrawl-delay: 7'), '/a': PAGE })
    await reach({ wait, hostDelayMs: 2_000 }).page(`${site.url}/a`)
    expect(waits).toEqual([7_000, 7_000])
  })

  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 04:05:00 GMT', 120_000],
    ['999999999', 24 * HOUR],
  ])('pauses a host whose Retry-After asks for it: %s', async (value, retryAfterMs) => {
    const site = await openSite({ '/a': { status: 429, headers: { 'retry-after': value } }, '/b': PAGE })
    const publishers = reach()
    await expect(publishers.page(`${site.url}/a`)).rejects.toMatchObject({ problem: 'http_error', retryAfterMs })
    publishers.clock.now += 1_000
    await expect(publishers.page(`${site.url}/b`)).rejects.toMatchObject({ retryAfterMs: retryAfterMs - 1_000 })
    expect(site.asked('/b')).toBe(0)
    publishers.clock.now += retryAfterMs - 1_000
    expect(await problemOf(() => publishers.page(`${site.url}/b`))).toBeNull()
  })

  it.each([undefined, 'later', '-5', 'Sat, 21 Nov 2026 04:00:00 GMT'])(
    'allows a retry at once where Retry-After is %s',
    async (value) => {
      const site = await openSite({
        '/a': { status: 503, headers: value === undefined ? {} : { 'retry-after': value } },
      })
      const publishers = reach()
      expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBe('http_error')
      site.set('/a', PAGE)
      expect(await problemOf(() => publishers.page(`${site.url}/a`))).toBeNull()
    },
  )
})

describe('closing', () => {
  it('ends requests that wait for their turn', async () => {
    const site = await openSite({ '/a': PAGE })
    const publishers = reach({ hostDelayMs: HOUR })
    const waiting = ['/a', '/b'].map((path) => problemOf(() => publishers.page(site.url + path)))
    await vi.waitFor(() => expect(site.asked('/robots.txt')).toBe(1))
    await publishers.close()
    expect(await Promise.all(waiting)).toEqual(['unreachable', 'unreachable'])
    expect(site.requests).toHaveLength(1)
  })

  it('ends requests under way, and refuses new ones', async () => {
    const site = await openSite({ '/a': { ...PAGE, pace: 'stall' } })
    const publishers = reach({ timeoutMs: NEVER_MS, idleMs: NEVER_MS })
    const underWay = problemOf(() => publishers.page(`${site.url}/a`))
    await vi.waitFor(() => expect(site.asked('/a')).toBe(1))
    await publishers.close()
    expect(await underWay).toBe('unreachable')
    expect(await problemOf(() => publishers.page(`${site.url}/b`))).toBe('unreachable')
    expect(site.asked('/b')).toBe(0)
  })
})
