/** Reads and writes lists of feeds as feed readers exchange them (OPML). */
import { generateOpml, parseOpml } from 'feedsmith'
import { NEWS_NAME } from '@shinobi/contract/staff-limits'
import { NewsRefusal } from '../news-refusal.ts'
import { orNoFeed, withoutDoctype } from './feeds.ts'
import { plainLine } from './plain-text.ts'
import { plainUrl, webUrl } from './urls.ts'

export interface OpmlFeed {
  /** As the file has it, even if it is no web address. */
  readonly url: string
  readonly name: string
  /** As the file has it; null without one. */
  readonly language: string | null
}

/** Four times as many as the board reads; the service decides which of them it takes. */
const FEEDS_MAX = 2_000

interface Outline {
  readonly text?: string
  readonly title?: string
  readonly xmlUrl?: string
  readonly language?: string
  readonly outlines?: readonly Outline[]
}

/** The outlines of all folders, in document order. */
function* flatten(outlines: readonly Outline[]): Generator<Outline> {
  for (const outline of outlines) {
    yield outline
    yield* flatten(outline.outlines ?? [])
  }
}

/** The name that threads show; the host's name for a feed without one. */
function readName({ text, title }: Outline, url: string): string {
  const names = [title, text].map((name) => plainLine(name ?? '', NEWS_NAME.max))
  return names.find((name) => name !== '') ?? plainLine(URL.parse(url)?.hostname ?? '', NEWS_NAME.max)
}

/**
 * The feeds of a list, each once, without folders. Feeds with an unusable address are included, so
 * that the administrator sees them.
 */
export function readOpml(text: string): OpmlFeed[] {
  if (text.includes('\0')) throw new NewsRefusal('not_a_feed')
  const outlines = orNoFeed(() => parseOpml(withoutDoctype(text)).body?.outlines ?? [])
  const feeds = new Map<string, OpmlFeed>()
  for (const outline of flatten(outlines)) {
    // Without a base, because an uploaded list has no address: relative addresses are unusable.
    const written = outline.xmlUrl?.trim() ?? ''
    const url = webUrl(written, 'about:blank')
    const key = url === null ? written : plainUrl(url)
    if (key === '' || feeds.has(key)) continue
    feeds.set(key, { url: url ?? written, name: readName(outline, key), language: outline.language?.trim() ?? null })
    if (feeds.size === FEEDS_MAX) break
  }
  return [...feeds.values()]
}

/**
 * A list for other feed readers, and for this board to import. It has one folder, because a list
 * without any outline is invalid.
 */
export function writeOpml(feeds: readonly OpmlFeed[], at: Date): string {
  const outlines = feeds.map(({ url, name, language }) => ({
    type: 'rss',
    text: name,
    title: name,
    xmlUrl: url,
    ...(language === null ? {} : { language }),
  }))
  return generateOpml({
    head: { title: 'News sources', dateCreated: at },
    body: { outlines: [{ text: 'News sources', outlines }] },
  })
}
