/** A publisher for a board: a feed, and articles that each stand on a host of their own, so that no politeness makes a test wait. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PublishedArticle {
  readonly title: string
  /** A paragraph each. */
  readonly text: readonly string[]
  /** Within the page's head. */
  readonly head?: string
}

export interface NewsPublisher {
  /** For a board that may read it: NEWS_PRIVATE_ADDRESSES. */
  readonly feedUrl: string
  close(): Promise<void>
}

/** What a board needs to read a publisher of this machine as soon as it is told to. */
export const NEWS_SETTINGS = { NEWS_SCHEDULE: 'true', NEWS_PRIVATE_ADDRESSES: 'true' } as const

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Serves one page at one path; everything else, robots.txt too, is not there. */
async function serve(path: string, type: string, body: string) {
  const server = createServer((request, answer) => {
    if (request.url === path) answer.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
    else answer.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, server }
}

export async function openPublisher(articles: readonly PublishedArticle[]): Promise<NewsPublisher> {
  const pages = await Promise.all(
    articles.map(({ title, text, head = '' }, index) =>
      serve(
        `/articles/${index + 1}.html`,
        'text/html',
        `<!doctype html><html lang="ja"><head><title>${escape(title)}</title>${head}</head><body><article><h1>${escape(title)}</h1>
        ${text.map((paragraph) => `<p>${escape(paragraph)}</p>`).join('\n')}</article></body></html>`,
      ),
    ),
  )
  const now = new Date().toUTCString()
  const items = pages.map(
    ({ url }, index) =>
      `<item><title>${escape(articles[index]!.title)}</title><link>${url}</link><pubDate>${now}</pubDate></item>`,
  )
  const feed = await serve(
    '/feed.xml',
    'application/rss+xml',
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>月影新聞</title><link>http://127.0.0.1/</link>
    <description>里の出来事</description>${items.join('')}</channel></rss>`,
  )
  const servers = [feed, ...pages].map(({ server }) => server)
  return {
    feedUrl: feed.url,
    async close() {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
