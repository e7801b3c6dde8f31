/**
 * Reads feeds of all four kinds (RSS, Atom, RDF, JSON Feed), as far as the board needs them: which
 * articles they list.
 */
import { parseFeed, type AnyFeed } from 'feedsmith'
import { NewsRefusal } from '../news-refusal.ts'
import { readDate } from './dates.ts'
import { plainLine } from './plain-text.ts'
import { plainUrl, webUrl } from './urls.ts'

export interface FeedItem {
  readonly url: string
  readonly title: string
  readonly publishedAt: Date | null
}

/** More than any publisher adds between two requests. */
const ITEMS_MAX = 100
/** Some feeds list their newest items last; only this many items are read to find them. */
const ITEMS_READ = 1_000
/**
 * In graphemes. Titles of threads are shorter, but the rest of a title may distinguish two
 * articles.
 */
const TITLE_MAX = 300
/** An item without a title gets the first words of its text. */
const TITLE_OF_TEXT = 60
/** Feeds with whole articles stay well below this, in characters and in tags. */
const LENGTH_MAX = 5_000_000
const TAGS_MAX = 150_000
/** The first element of a feed must begin within this many characters. */
const HEAD = 20_000

/**
 * The common form of an item of all four kinds: the candidates for its address, title and date,
 * best first.
 */
interface Entry {
  readonly links: readonly (string | undefined)[]
  readonly titles: readonly (string | undefined)[]
  readonly dates: readonly (string | undefined)[]
  readonly base: string | undefined
}

type Kind<Format extends AnyFeed['format']> = Extract<AnyFeed, { format: Format }>['feed']
interface AtomLink {
  readonly href?: string
  readonly rel?: string
  readonly type?: string
}

/** The addresses of the article itself, pages before other kinds of files. */
const alternates = (links: readonly AtomLink[] = []): (string | undefined)[] =>
  links
    .filter(({ rel }) => rel === undefined || rel.toLowerCase() === 'alternate')
    .toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)))
    .map(({ href }) => href)
const isPage = ({ type }: AtomLink): boolean => type === undefined || type.includes('html')

/** An id is an address only where it is written as one. */
const ifAddress = (name: string | undefined): string | undefined =>
  name !== undefined && /^https?:/i.test(name) ? name : undefined

const rssEntries = (feed: Kind<'rss'>): Entry[] =>
  (feed.items ?? []).map(({ title, link, guid, pubDate, description, dc, dcterms, atom, xml }) => ({
    links: [link, guid?.isPermaLink === false ? undefined : ifAddress(guid?.value), ...alternates(atom?.links)],
    titles: [title, dc?.titles?.[0], description?.slice(0, 2_000)],
    dates: [pubDate, dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0], atom?.published, atom?.updated],
    base: xml?.base,
  }))

const atomEntries = (feed: Kind<'atom'>): Entry[] =>
  (feed.entries ?? []).map(({ title, links, id, published, updated, summary, dc, xml }) => ({
    links: [...alternates(links), ifAddress(id)],
    titles: [title?.value, summary?.value.slice(0, 2_000)],
    dates: [published, dc?.dates?.[0], updated],
    base: xml?.base,
  }))

const rdfEntries = (feed: Kind<'rdf'>): Entry[] =>
  (feed.items ?? []).map(({ title, link, rdf, description, dc, dcterms, xml }) => ({
    links: [link, ifAddress(rdf?.about)],
    titles: [title, dc?.titles?.[0], description?.slice(0, 2_000)],
    dates: [dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0]],
    base: xml?.base,
  }))

const jsonEntries = (feed: Kind<'json'>): Entry[] =>
  (feed.items ?? []).map(({ title, url, external_url: external, id, summary, content_text: text, ...item }) => ({
    links: [url, external, ifAddress(id)],
    titles: [title, summary, text?.slice(0, 2_000)],
    dates: [item.date_published, item.date_modified],
    base: undefined,
  }))

function entriesOf({ format, feed }: AnyFeed): { entries: Entry[]; base: string | undefined } {
  if (format === 'json') return { entries: jsonEntries(feed), base: undefined }
  if (format === 'atom') return { entries: atomEntries(feed), base: feed.xml?.base }
  if (format === 'rdf') return { entries: rdfEntries(feed), base: feed.xml?.base }
  return { entries: rssEntries(feed), base: feed.xml?.base }
}

function firstTitle([title, ...texts]: readonly (string | undefined)[]): string {
  const named = plainLine(title ?? '', TITLE_MAX)
  if (named !== '') return named
  return texts.map((text) => plainLine(text ?? '', TITLE_OF_TEXT)).find((text) => text !== '') ?? ''
}

function readEntry(entry: Entry, feedBase: string, now: number): FeedItem | null {
  const base = webUrl(entry.base, feedBase) ?? feedBase
  const url = entry.links.map((link) => webUrl(link, base)).find((link) => link !== null)
  const title = firstTitle(entry.titles)
  if (url === undefined || title === '') return null
  const publishedAt = entry.dates.map((date) => readDate(date, now)).find((date) => date !== null) ?? null
  return { url, title, publishedAt }
}

/** Each article once, at its first place. */
function withoutRepeats(items: readonly FeedItem[]): FeedItem[] {
  const seen = new Set<string>()
  return items.filter(({ url }) => {
    const plain = plainUrl(url)
    return !seen.has(plain) && seen.add(plain)
  })
}

const timeOf = ({ publishedAt }: FeedItem): number => publishedAt?.getTime() ?? -Infinity
const newestFirst = (a: FeedItem, b: FeedItem): number => Math.sign(timeOf(b) - timeOf(a)) || 0

/**
 * The text without its doctype, which old RSS has and which can declare entities that expand
 * without bounds. Feeds need no entities of their own, so a feed that declares some is refused.
 */
export function withoutDoctype(text: string): string {
  const head = text.slice(0, HEAD)
  if (/<!(?:ENTITY|ELEMENT|ATTLIST)/i.test(head)) throw new NewsRefusal('not_a_feed', 'it declares entities')
  return head.replace(/^\ufeff/, '').replace(/<!DOCTYPE[^[<>]*>/i, '') + text.slice(HEAD)
}

const FIRST_ELEMENT = /^(?:\s|<\?[^>]*>|<!--(?:(?!-->)[^])*-->)*<(?:\w{1,20}:)?(?:rss|feed|rdf)[\s>]/i
/** An element with thousands of attributes; the parser would compare each with all others. */
const ENDLESS_TAG = /<[a-z][^<>]{20000}/i

/** Whether the text is worth parsing: a quick test for text that is no feed at all. */
function looksLikeFeed(text: string): boolean {
  const head = text.slice(0, HEAD).trimStart()
  return !text.includes('\0') && (head.startsWith('{') || (FIRST_ELEMENT.test(head) && !ENDLESS_TAG.test(text)))
}

function hasTooMuch(text: string): boolean {
  if (text.length > LENGTH_MAX) return true
  let tags = 0
  for (let at = text.indexOf('<'); at !== -1 && tags <= TAGS_MAX; at = text.indexOf('<', at + 1)) tags += 1
  return tags > TAGS_MAX
}

/**
 * The articles of a feed, newest first; undated ones come last, in the feed's order. `url` is where
 * the feed was found; its addresses are relative to it unless it names another base. Text that is
 * no feed, and a malicious feed, are refused (not_a_feed, too_large).
 */
export function readFeed(text: string, url: string, now: number): FeedItem[] {
  if (hasTooMuch(text)) throw new NewsRefusal('too_large', 'the feed has too much in it')
  const plain = withoutDoctype(text)
  if (!looksLikeFeed(plain)) throw new NewsRefusal('not_a_feed')
  return orNoFeed(() => {
    const { entries, base } = entriesOf(parseFeed(plain, { maxItems: ITEMS_READ }))
    const feedBase = webUrl(base, url) ?? url
    const items = entries.map((entry) => readEntry(entry, feedBase, now)).filter((item) => item !== null)
    return withoutRepeats(items).toSorted(newestFirst).slice(0, ITEMS_MAX)
  })
}

/** What is parsed; any error of the parser means that there is no feed. @throws NewsRefusal */
export function orNoFeed<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new NewsRefusal('not_a_feed', error instanceof Error ? error.message : String(error))
  }
}
