/** Documents that the newsroom makes and the board stores as JSON. */
import type { SummarySentence } from '@shinobi/contract/news'

/** The title and opening text of a thread, before or after it exists. */
export interface StorySummary {
  readonly title: string
  readonly sentences: readonly SummarySentence[]
}

/** The content of a fetched article. */
export interface ArticleDocument {
  /** Its address after redirects, or the canonical one that it states. */
  readonly url: string
  readonly canonicalUrl: string
  readonly title: string
  /** The publisher's name as the page states it; null without one. */
  readonly site: string | null
  readonly publishedAt: string | null
  /** BCP 47, as the page states it; null without one. */
  readonly language: string | null
  readonly imageUrl: string | null
  /** Its paragraphs, one per line, in NFC. Quotes are substrings of it. */
  readonly text: string
  /** Passages that address a machine rather than readers; they are not in `text`. */
  readonly suspicious: readonly string[]
}
