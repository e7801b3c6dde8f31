import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import type { RenderOutput } from '@shinobi/contract/render'
import { temporary } from '../../../../scripts/temporary.mjs'
import { cacheRoutes } from './cached-routes.ts'
import { registerPages, type WebBundle } from './pages.ts'
import { ResponseCache } from './response-cache.ts'

it('renders a page of another sender while pages of one wait for their searches', async () => {
  const folder = mkdtempSync(join(temporary, 'shinobi-pages-'))
  const found = Promise.withResolvers<void>()
  const page = { status: 200, head: '', app: '', state: '', preload: [] } satisfies RenderOutput
  const bundle: WebBundle = {
    folder,
    render: async ({ url }) => {
      if (url.startsWith('/search')) await found.promise
      return page
    },
    parametersOf: () => [],
    template: '<!--app-->',
    filesOf: () => ({ scripts: [], styles: [] }),
    source: Buffer.alloc(0),
  }
  const cache = new ResponseCache({ maxBytes: 1e6, now: () => 0 })
  const app = Fastify({ trustProxy: true })
  cacheRoutes(app, cache)
  const site = { sourceUrl: 'https://source.example' } as Parameters<typeof registerPages>[1]['site']
  registerPages(app, { bundle, cache, site, now: () => 0 })
  const ask = async (url: string, address: string) => app.inject({ url, headers: { 'x-forwarded-for': address } })
  const searches = ['/search/1', '/search/2', '/search/3'].map(async (url) => ask(url, '198.51.100.1'))
  expect((await ask('/about', '198.51.100.2')).statusCode).toBe(200)
  found.resolve()
  expect((await Promise.all(searches)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  await app.close()
  rmSync(folder, { recursive: true })
})
