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

interface Link {
  readonly href?: string
  readonly rel?: string
  readonly type?: string
}

/** An item of any of the four kinds; what has one name in two of them means the same. */
interface Item {
  readonly link?: string
  readonly url?: string
  readonly external_url?: string
  readonly guid?: { readonly value?: string; readonly isPermaLink?: boolean }
  readonly links?: readonly Link[]
  readonly id?: string
  readonly rdf?: { readonly about?: string }
  readonly title?: string | { readonly value?: string }
  readonly description?: string
  readonly summary?: string | { readonly value?: string }
  readonly content_text?: string
  readonly pubDate?: string
  readonly published?: string
  readonly updated?: string
  readonly date_published?: string
  readonly date_modified?: string
  readonly dc?: { readonly titles?: readonly string[]; readonly dates?: readonly string[] }
  readonly dcterms?: { readonly issued?: readonly string[]; readonly created?: readonly string[] }
  readonly atom?: { readonly links?: readonly Link[]; readonly published?: string; readonly updated?: string }
  readonly xml?: { readonly base?: string }
}

/** The addresses of the article itself, pages before other kinds of files. */
const alternates = (links: readonly Link[] = []): (string | undefined)[] =>
  links
    .filter(({ rel }) => rel === undefined || rel.toLowerCase() === 'alternate')
    .toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)))
    .map(({ href }) => href)
const isPage = ({ type }: Link): boolean => type === undefined || type.includes('html')

/** An id is an address only where it is written as one. */
const ifAddress = (name = ''): string | undefined => (/^https?:/i.test(name) ? name : undefined)

function readUrl({ link, url, external_url: external, guid, id, rdf, ...item }: Item, base: string): string | null {
  const found = [
    ...[link, url, external, guid?.isPermaLink === false ? undefined : ifAddress(guid?.value)],
    ...[...alternates(item.links ?? item.atom?.links), ifAddress(id), ifAddress(rdf?.about)],
  ]
  return found.map((address) => webUrl(address, base)).find((address) => address !== null) ?? null
}

function readTitle({ title, dc, description, summary, content_text: content }: Item): string {
  const named = plainLine(textOf(title), TITLE_MAX)
  if (named !== '') return named
  const texts = [dc?.titles?.[0], description, textOf(summary), content]
  return texts.map((text) => plainLine(text ?? '', TITLE_OF_TEXT)).find((text) => text !== '') ?? ''
}
const textOf = (text: Item['title']): string => (typeof text === 'string' ? text : (text?.value ?? ''))

function readPublishedAt({ dc, dcterms, atom, ...item }: Item, now: number): Date | null {
  const dates = [
    ...[item.pubDate, item.published, item.date_published, dc?.dates?.[0], dcterms?.issued?.[0]],
    ...[dcterms?.created?.[0], atom?.published, atom?.updated, item.updated, item.date_modified],
  ]
  return dates.map((date) => readDate(date, now)).find((date) => date !== null) ?? null
}

function readItem(item: Item, feedBase: string, now: number): FeedItem | null {
  const url = readUrl(item, webUrl(item.xml?.base, feedBase) ?? feedBase)
  const title = readTitle(item)
  return url === null || title === '' ? null : { url, title, publishedAt: readPublishedAt(item, now) }
}

function itemsOf({ format, feed }: AnyFeed): { items: readonly Item[]; base: string | undefined } {
  if (format === 'json') return { items: feed.items ?? [], base: undefined }
  return { items: (format === 'atom' ? feed.entries : feed.items) ?? [], base: feed.xml?.base }
}

/** Each article once, at its first place. */
const withoutRepeats = (items: readonly FeedItem[]): FeedItem[] =>
  [...Map.groupBy(items, ({ url }) => plainUrl(url)).values()].map(([first]) => first!)

const timeOf = ({ publishedAt }: FeedItem): number => publishedAt?.getTime() ?? 0

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
    const { items, base } = itemsOf(parseFeed(plain, { maxItems: ITEMS_READ }))
    const feedBase = webUrl(base, url) ?? url
    const read = items.map((item) => readItem(item, feedBase, now)).filter((item) => item !== null)
    return withoutRepeats(read)
      .toSorted((a, b) => timeOf(b) - timeOf(a))
      .slice(0, ITEMS_MAX)
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
