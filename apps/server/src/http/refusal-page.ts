/**
 * The page for visitors when a page fails, the server is overloaded or the database is away. It
 * depends on nothing else: no script, no style sheet, no picture.
 */
import type { ApiError } from '../lib/api-error.ts'

/** The `content-security-policy` header of this page. */
export const REFUSAL_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** A message contains nothing that a visitor wrote, so that nothing has to be escaped. */
export function toRefusalPage({ code, message }: ApiError): string {
  const title = code === 'unavailable' ? 'ただいま、つながりません' : 'ページを開けませんでした'
  return `<!doctype html>
<html lang="ja">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}｜忍板</title>
    <style>
      :root { color-scheme: dark light }
      body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: #070d10; color: #e6f1ee;
             font: 1rem/1.8 'Hiragino Sans', 'Yu Gothic Medium', Meiryo, 'Noto Sans JP', sans-serif }
      main { max-width: 32rem; padding: 2rem 1.5rem }
      h1 { font-size: 1.625rem; line-height: 1.35 }
      a { color: #3fd0c0 }
      @media (prefers-color-scheme: light) {
        body { background: #f4efe4; color: #1d2a2c }
        a { color: #0b6b64 }
      }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${message}</p>
      <p><a href="">もう一度開く</a></p>
    </main>
  </body>
</html>
`
}
