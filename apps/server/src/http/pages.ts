/**
 * Pages rendered on the server by the web app's own routes and queries. Its API client is answered in-process, mostly from the
 * response cache; a page carries the tags of every answer it was made of, so it is dropped exactly when one of them is.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SOURCE_ARCHIVE, type SiteInfo } from '@shinobi/contract/site'
import type { RenderInput, RenderOutput } from '@shinobi/contract/render'
import { ApiError, refuse } from '../lib/api-error.ts'
import { locate } from '../lib/locate.ts'
import { BUSY_PAGE, BUSY_PAGE_POLICY } from './busy-page.ts'
import { answerError, beginRefusal } from './errors.ts'
import { createTurns } from '../lib/turns.ts'
import { hasSessionHint } from './session.ts'
import { PATIENCE_MS, type PeekedAnswer, type ResponseCache } from './response-cache.ts'
import { askerOf } from './visitor.ts'

/** The built web app. */
export interface WebBundle {
  readonly folder: string
  readonly render: (input: RenderInput) => Promise<RenderOutput>
  /** Names of the query that the page of a path depends on. */
  readonly parametersOf: (path: string) => readonly string[]
  /** index.html with its placeholders. */
  readonly template: string
  /** From the source modules of a page to the built files it needs beside those of index.html, in the order of their loading. */
  readonly filesOf: (modules: readonly string[]) => PageFiles
  /** What all of it was built from (scripts/source-archive.mjs). */
  readonly source: Buffer
}

interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

const DIST = join(dirname(locate('@shinobi/web/package.json')), 'dist')

interface ManifestChunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
  readonly isEntry?: boolean
}

/** Loads the built web app; null when it was not built (API only, as in the server's own tests). */
export async function loadWebBundle(): Promise<WebBundle | null> {
  const entry = join(DIST, 'server/entry-server.js')
  if (!existsSync(entry)) return null
  const { render, parametersOf } = (await import(pathToFileURL(entry).href)) as Pick<
    WebBundle,
    'render' | 'parametersOf'
  >
  // Every screen now rather than at its first visit: a new build beside a running server must not take them away.
  const chunks = readdirSync(join(DIST, 'server/assets')).filter((file) => file.endsWith('.js'))
  await Promise.all(chunks.map((file) => import(pathToFileURL(join(DIST, 'server/assets', file)).href)))
  const folder = join(DIST, 'client')
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const read = <T>(name: string): Record<string, T> =>
    JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')) as Record<string, T>
  const manifest = read<ManifestChunk>('manifest.json')
  const chunkOf = new Map(Object.entries(manifest).map(([key, { file }]) => [`/${file}`, key]))
  // A module that several screens share stands in a chunk of another name: this tells in which.
  const keyOf = new Map(
    Object.entries(read<readonly string[]>('ssr-manifest.json')).map(([module, [file = '']]) => [
      module,
      chunkOf.get(file) ?? '',
    ]),
  )
  /** What is imported stands first: later rules win, and they are those of the importing module. */
  const collect = (key: string, chunks: Set<ManifestChunk>): Set<ManifestChunk> => {
    const chunk = manifest[key]
    if (chunk === undefined || chunk.isEntry === true || chunks.has(chunk)) return chunks
    for (const imported of chunk.imports ?? []) collect(imported, chunks)
    return chunks.add(chunk)
  }
  // What index.html loads itself needs no second mention.
  const urlsOf = (files: Iterable<string>): string[] =>
    [...new Set(files)].map((file) => `/${file}`).filter((url) => !template.includes(url))
  return {
    folder,
    render,
    parametersOf,
    template,
    source: readFileSync(join(DIST, 'source.tar.gz')),
    filesOf: (modules) => {
      const chunks = new Set<ManifestChunk>()
      for (const module of modules) collect(keyOf.get(module) ?? '', chunks)
      const all = [...chunks]
      return { scripts: urlsOf(all.map(({ file }) => file)), styles: urlsOf(all.flatMap(({ css }) => css ?? [])) }
    },
  }
}

/**
 * Making a page holds the event loop for milliseconds. The others wait, and those whom it would take seconds are sent away at
 * once; whoever asks for pages that nobody has made yet waits behind themselves, and not in front of everybody.
 */
const RENDERS_AT_ONCE = 2
const RENDERS_WAITING = 60
const RENDERS_WAITING_OF_ONE = 12

export interface PagesOptions {
  readonly bundle: WebBundle
  readonly cache: ResponseCache
  readonly site: SiteInfo
  readonly now: () => number
}

export function registerPages(app: FastifyInstance, { bundle, cache, site, now }: PagesOptions): void {
  serveBuiltFiles(app, bundle.folder)
  if (site.sourceUrl === null) offerSource(app, bundle.source, site.version)
  const turns = createTurns({
    places: RENDERS_AT_ONCE,
    waitingMax: RENDERS_WAITING,
    waitingMaxOfOne: RENDERS_WAITING_OF_ONE,
  })

  app.route({
    method: 'GET',
    url: '/*',
    config: { cache: { patience: PATIENCE_MS, parametersOf: bundle.parametersOf } },
    schema: { hide: true },
    handler: async (request, reply) => {
      const path = request.url
      if (isApiPath(path)) return answerError(reply, refuse('not_found', 'not_found'))
      return answerPage(request, reply)
    },
    errorHandler: answerBusy,
  })

  // What these show depends on who asks: whether there seems to be a session decides between the page and the way to /login,
  // so that nobody sees the wrong one first. The browser then asks who it really is.
  for (const url of PERSONAL_PAGES) {
    app.route({
      method: 'GET',
      url,
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return answerPage(request, reply, hasSessionHint(request))
      },
      errorHandler: answerBusy,
    })
  }

  async function answerPage(
    request: FastifyRequest,
    reply: FastifyReply,
    session: boolean | null = null,
  ): Promise<FastifyReply> {
    // What is kept under an address is of that address.
    const url = request.cacheLoad?.key ?? request.url
    const page = await turns(
      () => bundle.render({ url, site, session, now: new Date(now()), api: (path) => answerInProcess(request, path) }),
      askerOf(request.ip),
    )
    if (page.redirect !== undefined) return reply.redirect(page.redirect)
    const { scripts, styles } = bundle.filesOf(page.preload)
    const html = fill(bundle.template, {
      styles: styles.map((file) => `<link rel="stylesheet" crossorigin href="${file}">`).join(''),
      head: page.head,
      preload: scripts.map((file) => `<link rel="modulepreload" href="${file}">`).join(''),
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
      // What it costs is counted for whoever asked for the page.
      remoteAddress: request.ip,
    })
    const { link } = answer.headers
    // The tags of what was just loaded; were it dropped again already, the page must not be kept either.
    const loaded = cache.peek(path)
    if (loaded !== undefined) inherit(request, loaded)
    else if (request.cacheLoad !== null) request.cacheLoad.until = 0
    return { status: answer.statusCode, body: answer.json<unknown>(), link: typeof link === 'string' ? link : null }
  }
}

/** Who asked for a page gets one, also where it says that there are too many to be served now. */
function answerBusy(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof ApiError) || error.retryAfter === null) throw error
  void beginRefusal(reply, error)
    .header('content-security-policy', BUSY_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(BUSY_PAGE)
}

/** A page shows what its parts show, and lives no longer than the first of them to end. */
function inherit(request: FastifyRequest, part: PeekedAnswer): void {
  request.tagAnswer(...part.tags)
  if (request.cacheLoad !== null) request.cacheLoad.until = Math.min(request.cacheLoad.until, part.expiresAt)
}

/** Pages behind a login guard, or only for guests (docs/product.md#guards). Never cached. */
const PERSONAL_PAGES = ['/login', '/register', '/profile', '/admin', '/admin/*']

const isApiPath = (path: string): boolean => /^\/(api|auth|socket\.io|assets|images|docs)(\/|\?|$)/.test(path)

/** Fills the placeholders in one pass, so that nothing a visitor wrote is taken for one. */
const fill = (
  template: string,
  parts: Readonly<Record<'styles' | 'head' | 'preload' | 'app' | 'state', string>>,
): string => template.replace(/<!--(styles|head|preload|app|state)-->/g, (_, name: keyof typeof parts) => parts[name])

function offerSource(app: FastifyInstance, archive: Buffer, version: string | null): void {
  const headers = {
    'content-type': 'application/gzip',
    'content-disposition': `attachment; filename="shinobi-ita-${version}.tar.gz"`,
  }
  app.route({
    method: 'GET',
    url: SOURCE_ARCHIVE,
    config: { cache: { patience: 0 } },
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

/** The built files are few and small: each is read once, and is a route of its own that the response cache keeps with its compressed copies. */
function serveBuiltFiles(app: FastifyInstance, folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    const url = path.slice(folder.length)
    const type = CONTENT_TYPES[file.name.slice(file.name.lastIndexOf('.') + 1)]
    if (!file.isFile() || type === undefined || url.startsWith('/.vite/')) continue
    // Names under /assets/ carry a hash of their content; the others (favicon, default avatar) may change.
    const cacheControl = url.startsWith('/assets/')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=3600, stale-while-revalidate=86400'
    const bytes = readFileSync(path)
    app.route({
      method: 'GET',
      url,
      config: { cache: { patience: 0 } },
      schema: { hide: true },
      handler: async (_request, reply) => reply.header('cache-control', cacheControl).type(type).send(bytes),
    })
  }
}
