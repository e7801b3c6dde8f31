/**
 * The page for visitors while the server is overloaded or the database is away. It depends on
 * nothing else: no script, no style sheet, no picture.
 */
import { messages } from '@shinobi/contract/messages'

/** The `content-security-policy` header of this page. */
export const BUSY_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

export const BUSY_PAGE = `<!doctype html>
<html lang="ja">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>ただいま、つながりません｜忍板</title>
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
      <h1>ただいま、つながりません</h1>
      <p>${messages.unavailable}</p>
      <p><a href="">もう一度開く</a></p>
    </main>
  </body>
</html>
`
