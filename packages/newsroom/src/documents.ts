/** What the newsroom makes and the board keeps: rows hold both as JSON. */
import type { SummarySentence } from '@shinobi/contract/news'

/** What will be, or is, the thread's title and opening text. */
export interface StorySummary {
  readonly title: string
  readonly sentences: readonly SummarySentence[]
}

/** An article as it was read. */
export interface ArticleDocument {
  /** Where it was found after redirects, and the address it gives itself. */
  readonly url: string
  readonly canonicalUrl: string
  readonly title: string
  /** The publisher's name as the page gives it; null without one. */
  readonly site: string | null
  readonly publishedAt: string | null
  /** BCP 47, as the page says; null when it does not. */
  readonly language: string | null
  readonly imageUrl: string | null
  /** Its paragraphs, one a line, in NFC. Quotes are substrings of it. */
  readonly text: string
  /** Passages that speak to a machine rather than to readers; they are not in `text`. */
  readonly suspicious: readonly string[]
}
