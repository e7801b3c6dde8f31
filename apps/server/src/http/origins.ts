import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { refuse } from '../lib/api-error.ts'
import { hasBearer } from './session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Programs call it that send cookies and no Origin. It may read no cookie of the web's: every
     * browser names the origin of a page that sends a form to another site.
     */
    isForPrograms?: boolean
  }
}

/** Methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a page of this origin may act. @param host as the request names the server */
export type OriginCheck = (origin: string, host: string | undefined) => boolean

/**
 * Origins that may make changes: that of PUBLIC_URL, those the operator listed, and this host under
 * another of its addresses. Other names are refused: a foreign name can be made to resolve to this
 * server (DNS rebinding), and its pages would pass for ours.
 */
export function createOriginCheck(config: Config): OriginCheck {
  const publicUrl = new URL(config.publicUrl)
  const listed = new Set([publicUrl.origin, ...config.corsOrigins])
  return (origin, host) => {
    if (listed.has(origin)) return true
    if (host === undefined || !URL.canParse(origin)) return false
    const page = new URL(origin)
    // Where the board uses https, a page of the same host over http may come from anybody on the
    // network.
    if (page.host === publicUrl.host && publicUrl.protocol === 'https:') return false
    return page.host === host && isOwnName(page.hostname)
  }
}

const OWN_NAMES = new Set(['localhost', hostname().toLowerCase(), `${hostname().toLowerCase().split('.')[0]}.local`])

/**
 * Names that only this machine can have: its own host name, and IP addresses, which DNS cannot
 * redirect.
 */
const isOwnName = (name: string): boolean =>
  OWN_NAMES.has(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0

/**
 * Requests that change something need a matching Origin or a bearer token, so that no other site
 * can act with a visitor's cookies. Programs that send neither an Origin nor cookies cannot be
 * abused this way, and pass; so do programs with cookies of their own (`isForPrograms`).
 */
export function guardOrigins(
  app: FastifyInstance,
  isAllowed: (origin: string, host: string | undefined) => boolean,
  config: Config,
): void {
  const listed = new Set(config.corsOrigins)
  app.addHook('onRequest', async (request, reply) => {
    const { origin, cookie } = request.headers
    // On every answer, so that no cache serves an answer without these headers, or with those of
    // another origin, to a listed site.
    if (listed.size > 0) reply.header('vary', 'origin')
    if (origin !== undefined && listed.has(origin)) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        // The next page of a list, and when to come back: browsers hide both from other sites.
        'access-control-expose-headers': 'etag, link, retry-after',
      })
      if (request.method === 'OPTIONS') {
        reply.headers({
          'access-control-allow-methods': 'GET, POST, PUT, DELETE',
          'access-control-allow-headers': 'content-type, authorization',
          'access-control-max-age': '600',
        })
        return reply.code(204).send()
      }
    }
    if (SAFE_METHODS.has(request.method) || hasBearer(request.headers)) return
    const isAlone = cookie === undefined || request.routeOptions.config.isForPrograms === true
    if (origin === undefined ? !isAlone : !isAllowed(origin, request.host)) throw refuse('bad_origin', 'bad_origin')
  })
}
