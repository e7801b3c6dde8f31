/** What a process answers before the app is there, because the database or Redis is away: alive, not ready, and 503 to visitors. */
import type { RequestListener, Server } from 'node:http'
import { messages } from '@shinobi/contract/messages'
import { refuse } from '../lib/api-error.ts'
import { VERSION } from '../version.ts'

/** Seconds after which visitors may try again. */
const RETRY_AFTER = 5

export type Away = 'PostgreSQL' | 'Redis'

/** Answers every request from now on, until the app takes its place. */
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
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
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
  if (accept.includes('text/html')) return { status: 503, type: 'text/html', body: PAGE }
  return json(503, refuse('unavailable', 'unavailable').toAnswer())
}

const PAGE = `<!doctype html>
<html lang="ja">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>ただいま、つながりません｜忍板</title>
    <style>
      :root { color-scheme: dark }
      body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: #070d10; color: #e6f1ee;
             font: 1rem/1.8 'Hiragino Sans', 'Yu Gothic Medium', Meiryo, 'Noto Sans JP', sans-serif }
      main { max-width: 32rem; padding: 2rem 1.5rem }
      h1 { font-size: 1.625rem; line-height: 1.35 }
      a { color: #3fd0c0 }
    </style>
  </head>
  <body>
    <main>
      <h1>ただいま、つながりません</h1>
      <p>${messages.unavailable}</p>
      <p><a href="">もう一度開く</a></p>
    </main>
  </body>
</html>
`
