/**
 * A newspaper for tests: a publisher with a dozen articles on different matters, and feeds of all
 * four kinds that list them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPublisher, type Charset, type Publisher } from './publishers.ts'

/** An event, as a reporter describes it. */
export interface Matter {
  readonly slug: string
  readonly title: string
  readonly paragraphs: readonly string[]
}

/** An article of a list. */
export interface Listed {
  readonly name: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Lines that begin with + or -: what may be said of it, and what may not. */
  readonly claims: readonly string[]
}

/** The articles of a file: `# name`, the title, paragraphs and claims, one a line. */
export const readList = (file: string): Listed[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n\n')
    .map((article) => {
      const [name = '', title = '', ...lines] = article.split('\n')
      const isClaim = (line: string): boolean => /^[+-] /.test(line)
      const paragraphs = lines.filter((line) => !isClaim(line))
      return { name: name.slice('# '.length), title, paragraphs, claims: lines.filter(isClaim) }
    })

/** Matters that have nothing in common. */
export const MATTERS: readonly Matter[] = readList(join(import.meta.dirname, 'matters.txt')).map(
  ({ name, title, paragraphs }) => ({ slug: name, title, paragraphs }),
)

/** An article in a feed. */
export interface Item {
  readonly url: string
  readonly title: string
  readonly at: Date | null
}

export type FeedKind = 'rss' | 'atom' | 'rdf' | 'json'

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const tag = (name: string, text = ''): string => (text === '' ? '' : `<${name}>${text}</${name}>`)

/** An entry of a feed, and the feed around its entries. The date of an entry may be missing. */
const ENTRIES: Readonly<Record<Exclude<FeedKind, 'json'>, (item: Item) => string>> = {
  rss: ({ title, url, at }) =>
    `<item><title>${title}</title><link>${url}</link>${tag('pubDate', at?.toUTCString())}</item>`,
  atom: ({ title, url, at }) =>
    `<entry><title>${title}</title><id>${url}</id><link href="${url}"/>${tag('published', at?.toISOString())}${tag('updated', at?.toISOString())}</entry>`,
  rdf: ({ title, url, at }) =>
    `<item rdf:about="${url}"><title>${title}</title><link>${url}</link>${tag('dc:date', at?.toISOString())}</item>`,
}
const CHANNEL = '<title>新着</title><link>http://example.jp/</link><description>-</description>'
const FEEDS: Readonly<Record<keyof typeof ENTRIES, (entries: string) => string>> = {
  rss: (entries) => `<rss version="2.0"><channel>${CHANNEL}${entries}</channel></rss>`,
  atom: (entries) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>新着</title><id>urn:1</id><updated>2026-11-21T00:00:00Z</updated>${entries}</feed>`,
  rdf: (entries) =>
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="http://example.jp/">${CHANNEL}</channel>${entries}</rdf:RDF>`,
}

/** A feed of a kind, newest article first. */
export function feedOf(kind: FeedKind, items: readonly Item[], charset: Charset = 'utf-8'): string {
  if (kind === 'json') {
    const listed = items.map(({ url, title, at }) => ({ id: url, url, title, date_published: at?.toISOString() }))
    return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: '新着', items: listed })
  }
  const entries = items.map(({ url, title, at }) => ENTRIES[kind]({ url: escape(url), title: escape(title), at }))
  return `<?xml version="1.0" encoding="${charset}"?>\n${FEEDS[kind](entries.join(''))}`
}

/** How an article's page differs from the default. */
export interface PageFields {
  readonly head?: string
  readonly charset?: Charset
}

/** The page of an article, with the furniture of a newspaper's site. */
export const pageOf = (
  { title, paragraphs }: Omit<Matter, 'slug'>,
  { head = '', charset = 'utf-8' }: PageFields = {},
): string => `<!doctype html>
<html lang="ja"><head><meta charset="${charset}"><title>${escape(title)} | 忍日報</title><meta property="og:title" content="${escape(title)}">${head}</head>
<body><header><nav><a href="/">トップ</a> <a href="/sports">スポーツ</a></nav></header>
<main><article><h1>${escape(title)}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('\n')}</article></main>
<footer><a href="/company">会社案内</a></footer></body></html>`

/** A newspaper's site. */
export interface Newspaper extends Publisher {
  /** Publishes the page of a matter. @returns its address */
  print(matter: Matter, fields?: PageFields): string
  /** Publishes a feed with these matters, newest first, ten minutes apart. @returns its address */
  announce(path: string, matters: readonly Matter[], fields: FeedFields): string
}

export interface FeedFields {
  /** When the newest one was published; null for a feed without times. */
  readonly newest: number | null
  readonly kind?: FeedKind
  readonly charset?: Charset
  readonly etag?: string
}

const BETWEEN_MS = 600_000

export async function startNewspaper(): Promise<Newspaper> {
  const publisher = await startPublisher()
  const addressOf = ({ slug }: Matter): string => `${publisher.url}/articles/${slug}`
  return {
    ...publisher,
    print(told, fields = {}) {
      publisher.set(`/articles/${told.slug}`, { body: pageOf(told, fields), charset: fields.charset ?? 'utf-8' })
      return addressOf(told)
    },
    announce(path, matters, { newest, kind = 'rss', charset = 'utf-8', etag }) {
      const items = matters.map((told, index) => ({
        ...{ url: addressOf(told), title: told.title },
        at: newest === null ? null : new Date(newest - index * BETWEEN_MS),
      }))
      publisher.set(path, { body: feedOf(kind, items, charset), charset, ...(etag === undefined ? {} : { etag }) })
      return `${publisher.url}${path}`
    },
  }
}
