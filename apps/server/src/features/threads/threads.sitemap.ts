/**
 * /robots.txt and the sitemaps that it names (sitemaps.org): an index, the pages that list threads,
 * and all visible threads by age.
 */
import { z } from 'zod'
import type { App } from '../../http/fastify.ts'
import { refuse } from '../../lib/api-error.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'
import { askerOf } from '../../http/visitor.ts'
import { selectCategories } from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import type { ThreadsDeps } from './threads.deps.ts'
import { selectSitemapFiles, selectSitemapThreads } from './threads-sitemap.queries.ts'
import { threadTags } from './threads.tags.ts'

/** Writing a sitemap takes about as long as a page of results. */
const AT_ONCE = 2
const WAITING = 40
const WAITING_OF_ONE = 10

const xml = { produces: ['application/xml'], response: { 200: z.string() } } as const

/**
 * Personal pages and search results are useless in a search engine, and a page contains what its
 * script would ask the API for.
 */
const robots = (publicUrl: string): string => `# 忍板: threads, categories and feeds are for everybody.
User-agent: *
Disallow: /admin
Disallow: /api/
Disallow: /auth/
Disallow: /docs
Disallow: /login
Disallow: /notebook
Disallow: /profile
Disallow: /register
Disallow: /source.tar.gz
Disallow: /*?*search=

Sitemap: ${publicUrl}/sitemap.xml
`

/** Lists and texts; a page for each category follows. */
const PAGES = ['/', '/categories', '/past', '/about', '/senbura', '/terms', '/moderation-log']

export function registerSitemaps(app: App, deps: ThreadsDeps): void {
  const { dbFor } = deps
  const { publicUrl } = deps.config
  const semaphore = createFairSemaphore({ places: AT_ONCE, waitingMax: WAITING, waitingMaxOfOne: WAITING_OF_ONE })

  app.route({
    method: 'GET',
    url: '/robots.txt',
    config: { cache: { maxStaleMs: 0 } },
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400')
        .type('text/plain; charset=utf-8')
        .send(robots(publicUrl)),
  })

  app.route({
    method: 'GET',
    url: '/sitemap.xml',
    config: { cache: { maxStaleMs: 0 } },
    schema: { summary: 'Index of the sitemaps', tags: ['threads'], ...xml },
    serializerCompiler: () => String,
    handler: async (request, reply) => {
      request.tagAnswer(threadTags.sitemaps)
      const files = await semaphore(async () => selectSitemapFiles(dbFor(request)), askerOf(request.ip))
      reply.type('application/xml; charset=utf-8')
      return write('sitemapindex', [
        entry('sitemap', `${publicUrl}/sitemaps/pages.xml`, null),
        ...files.map(({ page, lastPostAt }) =>
          entry('sitemap', `${publicUrl}/sitemaps/threads-${page}.xml`, lastPostAt),
        ),
      ])
    },
  })

  app.route({
    method: 'GET',
    url: '/sitemaps/pages.xml',
    config: { cache: { maxStaleMs: 0 } },
    schema: { summary: 'Sitemap of the lists of threads', tags: ['threads'], ...xml },
    serializerCompiler: () => String,
    handler: async (request, reply) => {
      request.tagAnswer(CATEGORIES_TAG)
      const categories = await selectCategories(dbFor(request))
      reply.type('application/xml; charset=utf-8')
      const paths = [...PAGES, ...categories.map(({ name }) => `/categories/${encodeURIComponent(name)}`)]
      return write(
        'urlset',
        paths.map((path) => entry('url', publicUrl + path, null)),
      )
    },
  })

  app.route({
    method: 'GET',
    url: '/sitemaps/threads-:page.xml',
    config: { cache: { maxStaleMs: 0 } },
    schema: {
      summary: 'Sitemap of some thousand threads, the oldest ones in the file with the lowest number',
      tags: ['threads'],
      params: z.object({ page: z.string() }),
      ...xml,
    },
    serializerCompiler: () => String,
    handler: async (request, reply) => {
      request.tagAnswer(threadTags.sitemaps)
      const { page } = request.params
      if (!/^(0|-?[1-9]\d{0,6})$/.test(page)) throw refuse('not_found', 'not_found')
      const threads = await semaphore(
        async () => selectSitemapThreads(dbFor(request), Number(page)),
        askerOf(request.ip),
      )
      if (threads === null) throw refuse('not_found', 'not_found')
      reply.type('application/xml; charset=utf-8')
      return write(
        'urlset',
        threads.map(({ id, lastPostAt }) => entry('url', `${publicUrl}/thread/${id}`, lastPostAt)),
      )
    },
  })
}

const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const entry = (name: 'url' | 'sitemap', address: string, changed: Date | null): string =>
  `<${name}><loc>${escapeXml(address)}</loc>${changed === null ? '' : `<lastmod>${changed.toISOString()}</lastmod>`}</${name}>`

const write = (name: 'urlset' | 'sitemapindex', entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${name}>\n`
