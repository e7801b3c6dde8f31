/**
 * Reads what a page states about itself in its head: title, publisher, date, picture, address, and
 * whether it may be used at all.
 */
import { NewsRefusal } from '../news-refusal.ts'
import { readDate } from './dates.ts'
import type { Page } from './dom.ts'
import { plainLine } from './plain-text.ts'
import { findRefusal, mayShowPicture, type Metas } from './rights.ts'
import { webUrl } from './urls.ts'

const TITLE_MAX = 300
const SITE_MAX = 100

/** Contents of meta elements by name, property or http-equiv, in lower case. */
function readMetas(page: Page): Metas {
  const metas = [...page.querySelectorAll('meta')].flatMap((meta) => {
    const name = meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('http-equiv')
    const content = meta.getAttribute('content')?.trim() ?? ''
    return name === null || content === '' ? [] : [{ name: name.trim().toLowerCase(), content }]
  })
  return (...names) =>
    names.flatMap((asked) => metas.filter(({ name }) => name === asked).map(({ content }) => content))
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^(?:www|amp|m|sp)\./, '')

/** Whether two hosts appear to belong to one publisher. */
function isSameSite(a: string, b: string): boolean {
  const [one, other] = [hostOf(a), hostOf(b)]
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

const isFront = (url: string): boolean => new URL(url).pathname === '/' && new URL(url).search === ''

/**
 * The canonical address that the page states. One of another publisher is ignored as false, and
 * that of the front page as a common mistake.
 */
function readCanonical(page: Page, metas: Metas, url: string): string {
  const links = [...page.querySelectorAll('link[rel~=canonical]')].map((link) => link.getAttribute('href'))
  for (const written of [...links, ...metas('og:url')]) {
    const canonical = webUrl(written, url)
    if (canonical !== null && isSameSite(canonical, url) && (!isFront(canonical) || isFront(url))) return canonical
  }
  return url
}

const ARTICLE_TYPE = /article|blogposting|report/i
const PAGE_TYPE = /article|blogposting|report|webpage/i
const LINKED_DATA_MAX = 200_000
const THINGS_MAX = 200

type Thing = Readonly<Record<string, unknown>>
const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** The items of linked data, however they are nested. */
function thingsOf(data: unknown): Thing[] {
  const open: unknown[] = [data]
  const things: Thing[] = []
  for (let at = 0; at < open.length && at < THINGS_MAX; at += 1) {
    const value = open[at]
    if (Array.isArray(value)) open.push(...value.slice(0, THINGS_MAX))
    if (!isThing(value)) continue
    things.push(value)
    open.push(value['@graph'], value['mainEntity'])
  }
  return things
}

function parseJson(text: string): unknown {
  try {
    return text.length > LINKED_DATA_MAX ? null : JSON.parse(text)
  } catch {
    // Invalid JSON is common in publishers' templates; the page states the same facts elsewhere.
    return null
  }
}

const isOfType = (type: RegExp) => (thing: Thing) => type.test(String(thing['@type']))

/** What linked data (schema.org) say of the first article, and of the rights in any. */
function readLinkedData(page: Page) {
  const things = [...page.querySelectorAll('script[type="application/ld+json"]')].flatMap((script) =>
    thingsOf(parseJson(script.textContent)),
  )
  const article = things.find(isOfType(ARTICLE_TYPE)) ?? {}
  const { publisher } = article
  // Publishers have several articles and pages on one page, and mark one of them.
  const pages = things.filter(isOfType(PAGE_TYPE))
  return {
    /** The text, which pages of some publishers build by a script. */
    body: textOf(article['articleBody']),
    publishedAt: textOf(article['datePublished']) ?? textOf(article['dateCreated']),
    headline: textOf(article['headline']),
    publisher: textOf(isThing(publisher) ? publisher['name'] : publisher),
    isFree: !pages.some((thing) => /(?:^|\/)false$/iu.test(String(thing['isAccessibleForFree']))),
    licences: pages
      .flatMap(({ license }) => license)
      .flatMap((one) => textOf(isThing(one) ? (one['@id'] ?? one['url']) : one) ?? []),
  }
}

function readLanguage(page: Page, metas: Metas): string | null {
  const root = page.querySelector('[data-page-html]')
  const written = [
    root?.getAttribute('lang'),
    root?.getAttribute('xml:lang'),
    ...metas('content-language'),
    ...metas('og:locale'),
  ]
  for (const language of written) {
    const tag = language?.split(',', 1)[0]?.trim().replaceAll('_', '-') ?? ''
    if (/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(tag)) return tag
  }
  return null
}

/** Names of publishers as the last part of a title. */
const PUBLISHER =
  /(?:新聞|ニュース|新報|日報|通信|テレビ|放送|デジタル|電子版|オンライン|タイムズ|ブログ|\.com|\.jp|\b(?:news|online|digital|web|times|post|blog|nhk|tbs|fnn|ann|nnn|jiji|kyodo|reuters|bbc|cnn)\b)/iu
const BAR_PART = /^(.*\S)\s*[|｜]\s*([^|｜]{1,40})$/u
const DASH_PART = /^(.*\S)(?:\s+[-–—―]\s*|\s*[-–—―]\s+|\s*[:：]\s*)([^-–—―:：]{1,40})$/u
const BRACKETED_PART = /^(.*\S)\s*[（(【［]([^（）()【】［］]{1,30})[）)】］]$/u
/** A shorter rest is no headline, so the part that was cut off belonged to it. */
const HEADLINE_MIN = 5

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, '')

function namesSite(part: string, site: string | null): boolean {
  if (PUBLISHER.test(part)) return true
  if (site === null) return false
  const [short, long] = [folded(part), folded(site)]
  return long.includes(short) || short.includes(long)
}

/** A headline without the section and the publisher's name at its end. */
function cutSite(title: string, site: string | null): string {
  let headline = title
  for (let round = 0; round < 3; round += 1) {
    const bar = BAR_PART.exec(headline)
    const other = DASH_PART.exec(headline) ?? BRACKETED_PART.exec(headline)
    const [, before = '', part = ''] = bar ?? other ?? []
    // A bar always separates the headline from the rest; a dash or a bracket may belong to the
    // headline.
    if (before.length < HEADLINE_MIN || (bar === null && !namesSite(part, site))) return headline
    headline = before
  }
  return headline
}

function readTitles(page: Page, metas: Metas, headline: string | null, site: string | null): string[] {
  const headings = [...page.querySelectorAll('h1')].map((heading) => heading.textContent)
  const written = [
    ...metas('og:title', 'twitter:title'),
    headline ?? '',
    ...(headings.length === 1 ? headings : []),
    page.querySelector('title')?.textContent ?? '',
    ...headings.slice(0, 1),
  ]
  return written.map((title) => cutSite(plainLine(title, TITLE_MAX), site)).filter((title) => title !== '')
}

/** The facts in a page's head; a date after `now` is dropped. Refuses pages that opt out. */
export function readFacts(page: Page, url: string, now: number) {
  const metas = readMetas(page)
  const linked = readLinkedData(page)
  const refusal = findRefusal(page, metas, linked, now)
  if (refusal !== null) throw new NewsRefusal('opt_out', refusal)
  const sites = [...metas('og:site_name'), linked.publisher ?? '', ...metas('application-name')]
  const site = sites.map((name) => plainLine(name, SITE_MAX)).find((name) => name !== '') ?? null
  const dates = [
    ...metas('article:published_time', 'og:article:published_time'),
    linked.publishedAt,
    ...metas('date', 'pubdate', 'dc.date.issued'),
  ]
  const publishedAt = dates.map((date) => readDate(date, now)).find((date) => date !== null)
  const pictures = metas('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src')
  return {
    canonicalUrl: readCanonical(page, metas, url),
    /** Candidates, best first, without the site's name. */
    titles: readTitles(page, metas, linked.headline, site),
    site,
    publishedAt: publishedAt?.toISOString() ?? null,
    language: readLanguage(page, metas),
    imageUrl: mayShowPicture(metas, now)
      ? (pictures.map((picture) => webUrl(picture, url)).find((picture) => picture !== null) ?? null)
      : null,
    /** Its text in linked data; null without one. */
    linkedBody: linked.body,
  }
}
