/**
 * Answers of a process while the app waits for the database or Redis: alive, not ready, and 503 to
 * visitors.
 */
import type { RequestListener, Server } from 'node:http'
import { refuse } from '../lib/api-error.ts'
import { VERSION } from '../version.ts'
import { REFUSAL_PAGE_POLICY, toRefusalPage } from './refusal-page.ts'

/** Seconds in Retry-After. */
const RETRY_AFTER = 5

export type Away = 'PostgreSQL' | 'Redis'

/** Answers every request from now on, until the app takes over. */
export function answerWhileWaiting(server: Server, away: Away): void {
  server.removeAllListeners('request')
  server.on('request', answerAs(away))
}

const answerAs =
  (away: Away): RequestListener =>
  (request, response) => {
    const { status, type, body } = answerTo(request.url ?? '/', request.headers.accept ?? '', away)
    if (status === 503) response.setHeader('retry-after', RETRY_AFTER)
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': REFUSAL_PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      // A body that is still being sent is not read.
      connection: 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

function answerTo(url: string, accept: string, away: Away): { status: number; type: string; body: string } {
  const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) })
  const [path] = url.split('?', 1)
  if (path === '/healthz') return json(200, { status: 'ok', version: VERSION })
  if (path === '/readyz') return json(503, { status: away === 'PostgreSQL' ? 'database away' : 'redis away' })
  const refusal = refuse('unavailable', 'unavailable')
  if (accept.includes('text/html')) return { status: 503, type: 'text/html', body: toRefusalPage(refusal) }
  return json(503, refusal.toAnswer())
}
