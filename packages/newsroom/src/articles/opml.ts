/** Lists of feeds as feed readers exchange them (OPML). */
import { generateOpml, parseOpml } from 'feedsmith'
import { NEWS_NAME } from '@shinobi/contract/limits'
import { NewsRefusal } from '../news-refusal.ts'
import { withoutDoctype } from './feeds.ts'
import { plainLine } from './plain-text.ts'
import { plainUrl, webUrl } from './urls.ts'

export interface OpmlFeed {
  /** As it is written, where it is no address on the web. */
  readonly url: string
  readonly name: string
  /** As it is written; null where it is not. */
  readonly language: string | null
}

/** Four times what is ever read; the service says which of them it takes. */
const FEEDS_MAX = 2_000

interface Outline {
  readonly text?: string
  readonly title?: string
  readonly xmlUrl?: string
  readonly language?: string
  readonly outlines?: readonly Outline[]
}

/** The outlines of all folders, in the order in which they stand. */
function* flatten(outlines: readonly Outline[]): Generator<Outline> {
  for (const outline of outlines) {
    yield outline
    yield* flatten(outline.outlines ?? [])
  }
}

/** The name that is shown with the threads; the host's for a feed without one. */
function readName({ text, title }: Outline, url: string): string {
  const names = [title, text].map((name) => plainLine(name ?? '', NEWS_NAME.max))
  return names.find((name) => name !== '') ?? plainLine(URL.parse(url)?.hostname ?? '', NEWS_NAME.max)
}

function parse(text: string): readonly Outline[] {
  if (text.includes('\0')) throw new NewsRefusal('not_a_feed')
  try {
    return parseOpml(withoutDoctype(text.replace(/^\ufeff/, ''))).body?.outlines ?? []
  } catch (error) {
    throw new NewsRefusal('not_a_feed', error instanceof Error ? error.message : String(error))
  }
}

/** The feeds of a list, each once, folders left out; those of an unusable address too, so that its owner can be told. */
export function readOpml(text: string): OpmlFeed[] {
  const feeds = new Map<string, OpmlFeed>()
  for (const outline of flatten(parse(text))) {
    // Without a base: addresses of a list that lies nowhere can only be whole.
    const written = outline.xmlUrl?.trim() ?? ''
    const url = webUrl(written, 'about:blank')
    const key = url === null ? written : plainUrl(url)
    if (key === '' || feeds.has(key)) continue
    feeds.set(key, { url: url ?? written, name: readName(outline, key), language: outline.language?.trim() ?? null })
    if (feeds.size === FEEDS_MAX) break
  }
  return [...feeds.values()]
}

/** A list for other feed readers, and for this board to read again: one folder, since a list without any outline is none. */
export function writeOpml(feeds: readonly OpmlFeed[], at: Date): string {
  const outlines = feeds.map(({ url, name, language }) => ({
    ...{ type: 'rss', text: name, title: name, xmlUrl: url, ...(language === null ? {} : { language }) },
  }))
  return generateOpml({
    head: { title: 'News sources', dateCreated: at },
    body: { outlines: [{ text: 'News sources', outlines }] },
  })
}
