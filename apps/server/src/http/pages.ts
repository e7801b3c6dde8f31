/**
 * Pages rendered on the server by the web app's own routes and queries. Its API calls are answered
 * in-process, mostly from the response cache. A page gets the tags of every answer it was made of,
 * so it is dropped exactly when one of them is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OFFLINE_PAGE, SOURCE_ARCHIVE, type SiteInfo } from '@shinobi/contract/site'
import type { RenderInput, RenderOutput } from '@shinobi/contract/render'
import { refuse } from '../lib/api-error.ts'
import { locate } from '../lib/locate.ts'
import { withImports, type ManifestChunk } from './chunks.ts'
import { answerError, beginRefusal, refusalOf } from './errors.ts'
import { REFUSAL_PAGE_POLICY, toRefusalPage } from './refusal-page.ts'
import { createRenders } from './renders.ts'
import { hasSessionHint } from './session.ts'
import { MAX_STALE_MS, type PeekedAnswer, type ResponseCache } from './response-cache.ts'
import { askerOf } from './visitor.ts'

/** The built web app. */
export interface WebBundle {
  readonly folder: string
  readonly render: (input: RenderInput) => Promise<RenderOutput>
  /** The one address of each page. */
  readonly addressOf: (path: string, query: URLSearchParams) => string
  /** index.html with its placeholders. */
  readonly template: string
  /**
   * Maps the source modules of a page to the built files it needs besides those of index.html, in
   * loading order.
   */
  readonly filesOf: (modules: readonly string[]) => PageFiles
  /** The source of the build (scripts/source-archive.mjs). */
  readonly source: Buffer
}

interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

const DIST = join(dirname(locate('@shinobi/web/package.json')), 'dist')

/** Loads the built web app; null when it was not built (API only, as in the server's own tests). */
export async function loadWebBundle(): Promise<WebBundle | null> {
  const entry = join(DIST, 'server/entry-server.js')
  if (!existsSync(entry)) return null
  const { render, addressOf } = (await import(pathToFileURL(entry).href)) as Pick<WebBundle, 'render' | 'addressOf'>
  // Load every screen now: a new build next to a running server replaces these files.
  const chunks = readdirSync(join(DIST, 'server/assets')).filter((file) => file.endsWith('.js'))
  await Promise.all(chunks.map((file) => import(pathToFileURL(join(DIST, 'server/assets', file)).href)))
  const folder = join(DIST, 'client')
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const read = <T>(name: string): Record<string, T> =>
    JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')) as Record<string, T>
  const manifest = read<ManifestChunk>('manifest.json')
  const chunkOf = new Map(Object.entries(manifest).map(([key, { file }]) => [`/${file}`, key]))
  // A module that several screens share is in a chunk of another name; this maps it to its chunk.
  const keyOf = new Map(
    Object.entries(read<readonly string[]>('ssr-manifest.json')).map(([module, [file = '']]) => [
      module,
      chunkOf.get(file) ?? '',
    ]),
  )
  // Without the files that index.html loads itself.
  const urlsOf = (files: Iterable<string>): string[] =>
    [...new Set(files)].map((file) => `/${file}`).filter((url) => !template.includes(url))
  return {
    folder,
    render,
    addressOf,
    template,
    source: readFileSync(join(DIST, 'source.tar.gz')),
    filesOf: (modules) => {
      const needed = withImports(
        manifest,
        modules.map((module) => keyOf.get(module) ?? ''),
      )
      return { scripts: urlsOf(needed.map(({ file }) => file)), styles: urlsOf(needed.flatMap(({ css }) => css ?? [])) }
    },
  }
}

export interface PagesOptions {
  readonly bundle: WebBundle
  readonly cache: ResponseCache
  readonly site: SiteInfo
  readonly now: () => number
}

export function registerPages(app: FastifyInstance, { bundle, cache, site, now }: PagesOptions): void {
  serveBuiltFiles(app, bundle.folder)
  offerOfflinePage(app, bundle.template)
  if (site.sourceUrl === null) offerSource(app, bundle.source, site.version)
  const renders = createRenders()

  app.route({
    method: 'GET',
    url: '/*',
    config: { cache: { maxStaleMs: MAX_STALE_MS, addressOf: bundle.addressOf } },
    schema: { hide: true },
    handler: async (request, reply) => {
      const file = await readOtherBuild(bundle.folder, request.url)
      if (file !== null) return reply.header('cache-control', IMMUTABLE).type(file.type).send(file.bytes)
      if (belongsToNoPage(request.url)) return answerError(reply, refuse('not_found', 'not_found'))
      return answerPage(request, reply)
    },
    errorHandler: answerFailedPage,
  })

  // These pages depend on the session cookie: it decides between the page and a redirect to /login,
  // so that nobody sees the wrong one first. The browser then verifies the session.
  for (const url of PERSONAL_PAGES) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return answerPage(request, reply, hasSessionHint(request))
      },
      errorHandler: answerFailedPage,
    })
  }

  async function answerPage(
    request: FastifyRequest,
    reply: FastifyReply,
    session: boolean | null = null,
  ): Promise<FastifyReply> {
    // The page is rendered for the canonical address under which it is cached.
    const url = request.cacheLoad?.key ?? request.url
    const asker = askerOf(request.ip)
    const page = await renders.run(asker, async (inTurn) => {
      const api: RenderInput['api'] = (path) => answerInProcess(request, path)
      return bundle.render({ url, site, session, now: new Date(now()), api, inTurn })
    })
    if (page.status === 404) await renders.countMissing(asker)
    if (page.redirect !== undefined) return reply.redirect(page.redirect)
    const { scripts, styles } = bundle.filesOf(page.preload)
    const html = fill(bundle.template, {
      styles: styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`).join(''),
      head: page.head,
      preload: scripts.map((file) => `<link rel="modulepreload" fetchpriority="low" href="${file}">`).join(''),
      app: page.app,
      state: page.state,
    })
    if (page.status !== 200 && page.status !== 404) reply.header('cache-control', 'no-store')
    return reply.code(page.status).type('text/html; charset=utf-8').send(html)
  }

  async function answerInProcess(
    request: FastifyRequest,
    path: string,
  ): Promise<{ status: number; body: unknown; link: string | null }> {
    const known = cache.peek(path)
    if (known !== undefined) {
      inherit(request, known)
      return { status: known.status, body: JSON.parse(known.body.toString()), link: known.link }
    }
    const answer = await app.inject({
      ...{ method: 'GET', url: path, headers: { host: request.host } },
      // In-process calls count against the limits of the client that requested the page.
      remoteAddress: request.ip,
    })
    const { link } = answer.headers
    const { cacheLoad } = request
    // The tags of the answer just loaded. If it was dropped meanwhile, the page must not be cached
    // either.
    const loaded = cacheLoad === null ? undefined : cache.peekMade(path, cacheLoad.startedAt)
    if (loaded !== undefined) inherit(request, loaded)
    else if (cacheLoad !== null) Object.assign(cacheLoad, { until: 0, lastResortUntil: 0 })
    return { status: answer.statusCode, body: answer.json<unknown>(), link: typeof link === 'string' ? link : null }
  }
}

/** Sends a page also when the server is too busy to render, refuses to, or fails to. */
function answerFailedPage(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error, request)
  const isForPeople = (refusal.status === 429 || refusal.status >= 500) && !belongsToNoPage(request.url)
  if (!isForPeople) return void answerError(reply, refusal)
  void beginRefusal(reply, refusal)
    .header('content-security-policy', REFUSAL_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(toRefusalPage(refusal))
}

/** A page has the tags of its parts, and expires with the first of them. */
function inherit(request: FastifyRequest, part: PeekedAnswer): void {
  request.tagAnswer(...part.tags)
  const { cacheLoad: load } = request
  if (load === null) return
  load.until = Math.min(load.until, part.expiresAt)
  // A part that must never lag behind is as fresh as the page when the page is made.
  if (part.lastResortUntil > 0) load.lastResortUntil = Math.min(load.lastResortUntil, part.lastResortUntil)
}

/** Pages behind a log-in guard, or only for guests (docs/product.md#guards). Never cached. */
const PERSONAL_PAGES = ['/login', '/register', '/profile', '/admin', '/admin/*']

/** Paths of calls and files: an unknown one is answered by an error, not by a page. */
const belongsToNoPage = (path: string): boolean => /^\/(api|auth|socket\.io|assets|images|docs)(\/|\?|$)/.test(path)

/** Replaces all placeholders in one pass, so that text of a visitor is never taken for one. */
const fill = (
  template: string,
  parts: Readonly<Record<'styles' | 'head' | 'preload' | 'app' | 'state', string>>,
): string => template.replace(/<!--(styles|head|preload|app|state)-->/g, (_, name: keyof typeof parts) => parts[name])

function offerOfflinePage(app: FastifyInstance, template: string): void {
  const html = fill(template, { styles: '', head: '', preload: '', app: '', state: '' })
  app.route({
    method: 'GET',
    url: OFFLINE_PAGE,
    config: { cache: { maxStaleMs: 0 } },
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply.header('x-robots-tag', 'noindex').type('text/html; charset=utf-8').send(html),
  })
}

function offerSource(app: FastifyInstance, archive: Buffer, version: string | null): void {
  const headers = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="shinobi-ita-${version}.tar.gz"`,
  }
  app.route({
    method: 'GET',
    url: SOURCE_ARCHIVE,
    config: { cache: { maxStaleMs: 0 } },
    schema: { hide: true },
    handler: async (_request, reply) => reply.headers(headers).send(archive),
  })
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * The built files are few and small. Each is read once and gets its own route, which the response
 * cache stores with its compressed variants.
 */
function serveBuiltFiles(app: FastifyInstance, folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    const url = path.slice(folder.length)
    const type = CONTENT_TYPES[file.name.slice(file.name.lastIndexOf('.') + 1)]
    if (!file.isFile() || type === undefined || url.startsWith('/.vite/')) continue
    // Names under /assets/ contain a hash of the content; the others (favicon, default avatar) may
    // change.
    const cacheControl = url.startsWith('/assets/') ? IMMUTABLE : 'public, max-age=3600, stale-while-revalidate=86400'
    const bytes = readFileSync(path)
    app.route({
      method: 'GET',
      url,
      config: { cache: { maxStaleMs: 0 } },
      schema: { hide: true },
      handler: async (_request, reply) => reply.header('cache-control', cacheControl).type(type).send(bytes),
    })
  }
}

/**
 * Reads a script or style that this server's own build does not have. While servers are replaced
 * one after another, pages of the new build ask old servers for its files; open pages of the old
 * one ask new servers, whose build keeps the one before (scripts/build.mjs).
 */
async function readOtherBuild(folder: string, url: string): Promise<{ type: string; bytes: Buffer } | null> {
  const [, name, extension = ''] = /^\/assets\/([\w-][\w.-]*\.(\w+))(?:\?|$)/.exec(url) ?? []
  const type = CONTENT_TYPES[extension]
  if (name === undefined || type === undefined) return null
  for (const build of [folder, `${folder}-before`]) {
    const bytes = await readFile(join(build, 'assets', name)).catch(() => null)
    if (bytes !== null) return { type, bytes }
  }
  return null
}
