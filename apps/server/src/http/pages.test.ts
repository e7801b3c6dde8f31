import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { RenderOutput } from '@shinobi/contract/render'
import { temporary } from '../../../../scripts/temporary.mjs'
import { refuse } from '../lib/api-error.ts'
import { cacheRoutes } from './cached-routes.ts'
import { handleErrors } from './errors.ts'
import { guardFloods } from './floods.ts'
import { registerPages, type WebBundle } from './pages.ts'
import { ResponseCache } from './response-cache.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(temporary, 'shinobi-pages-')), 'client')
  mkdirSync(join(folder, 'assets'), { recursive: true })
})
afterEach(() => rmSync(dirname(folder), { recursive: true }))

const page = { status: 200, head: '', app: '', state: '', preload: [] } satisfies RenderOutput

/** Under which the log has a failure. */
const REQUEST_ID = 'a1b2c3d4e5f6'

const failing = async (): Promise<never> => {
  throw new Error('no page')
}

function openPages(render: WebBundle['render'] = async () => page): FastifyInstance {
  const bundle: WebBundle = {
    folder,
    render,
    addressOf: (path) => path,
    template: '<!--app-->',
    filesOf: () => ({ scripts: [], styles: [] }),
    source: Buffer.alloc(0),
  }
  const cache = new ResponseCache({ maxBytes: 1e6, now: () => 0 })
  const app = Fastify({ trustProxy: true, genReqId: () => REQUEST_ID })
  handleErrors(app)
  guardFloods(app, () => 0)
  cacheRoutes(app, cache)
  const site = { sourceUrl: 'https://source.example' } as Parameters<typeof registerPages>[1]['site']
  registerPages(app, { bundle, cache, site, now: () => 0 })
  return app
}

it('renders a page of another sender while pages of many senders wait for their searches', async () => {
  const found = Promise.withResolvers<void>()
  const app = openPages(async ({ url, inTurn }) => {
    if (url.startsWith('/search')) await found.promise
    return inTurn(() => page)
  })
  const ask = async (url: string, address: string) => app.inject({ url, headers: { 'x-forwarded-for': address } })
  const searches = Array.from({ length: 80 }, async (_, index) =>
    ask(`/search/${index}`, `198.51.100.${1 + (index % 20)}`),
  )
  expect((await ask('/about', '198.51.100.90')).statusCode).toBe(200)
  found.resolve()
  // All get their data at once, and more than the short queue in front of the renders has room for.
  const statuses = (await Promise.all(searches)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(62)
  expect(statuses.filter((status) => status === 503)).toHaveLength(18)
  await app.close()
})

it('serves the scripts and styles of the build before its own, and of the one after', async () => {
  const write = (path: string): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, path)
  }
  write(join(folder, 'assets/own-1.js'))
  const app = openPages()
  await app.ready()
  rmSync(join(folder, 'assets/own-1.js'))
  write(join(folder, 'assets/later-2.js'))
  write(join(`${folder}-before`, 'assets/earlier-0.css'))
  write(join(`${folder}-before`, 'secret.js'))
  for (const [name, type] of [
    ['own-1.js', 'text/javascript; charset=utf-8'],
    ['later-2.js', 'text/javascript; charset=utf-8'],
    ['earlier-0.css', 'text/css; charset=utf-8'],
  ] as const) {
    const { statusCode, headers, body } = await app.inject(`/assets/${name}`)
    expect([statusCode, headers['cache-control'], headers['content-type'], body]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      type,
      expect.stringContaining(`assets/${name}`),
    ])
  }
  for (const path of ['none.js', '..%2Fsecret.js', '.js', 'none'])
    expect([path, (await app.inject(`/assets/${path}`)).statusCode]).toEqual([path, 404])
  await app.close()
})

it('answers people with a page and programs with JSON, when rendering fails and in a flood', async () => {
  const app = openPages(failing)
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { 'x-forwarded-for': '198.51.100.1' } })
    return [statusCode, headers['content-type'], headers['retry-after'], body]
  }
  const failed = expect.stringContaining(`<p>${messages.unexpected}（受付番号 ${REQUEST_ID}）</p>`)
  expect(await ask('/')).toEqual([500, 'text/html; charset=utf-8', undefined, failed])
  let count = 0
  while ((await ask('/api/none'))[0] === 404) count += 1
  expect(count).toBeGreaterThan(1_000)
  const tooMany = expect.stringContaining(messages.too_many_requests)
  for (const url of ['/', '/login']) expect(await ask(url)).toEqual([429, 'text/html; charset=utf-8', '5', tooMany])
  for (const url of ['/api/none', '/assets/none.js'])
    expect(await ask(url)).toEqual([429, 'application/json; charset=utf-8', '5', tooMany])
  await app.close()
})

it('says that the board is not reached where the server is too busy', async () => {
  const app = openPages(async () => {
    throw refuse('unavailable', 'unavailable', 5)
  })
  const { statusCode, body } = await app.inject('/')
  expect(statusCode).toBe(503)
  expect(body).toContain('<h1>ただいま、つながりません</h1>')
  expect(body).toContain(messages.unavailable)
  await app.close()
})
