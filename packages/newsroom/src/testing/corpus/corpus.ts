/**
 * Made-up articles in newspaper notation, with honest sentences and titles, and with lies by kind.
 * They are for tuning rules to kinds of lies, not to these sentences.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ArticleDocument, StorySummary } from '../../documents.ts'

const sentence = z.object({ text: z.string(), quote: z.string() })
const article = z.object({
  id: z.string(),
  title: z.string(),
  paragraphs: z.array(z.string()),
  honest: z.array(sentence),
  honestTitles: z.array(z.string()),
  lies: z.array(sentence.extend({ kind: z.string() })),
  lyingTitles: z.array(z.object({ kind: z.string(), title: z.string() })),
})

/** A sentence or title to judge, in a summary that is honest otherwise. */
export interface Sample {
  readonly document: ArticleDocument
  readonly summary: StorySummary
  /** Number of the sentence; null for the title. */
  readonly at: number | null
  /** Null for an honest one. */
  readonly lie: string | null
  readonly text: string
}

/** Day of the articles. */
const PUBLISHED_AT = '2026-11-23T09:00:00Z'

export function readCorpus(): Sample[] {
  const folder = import.meta.dirname
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.toSorted().flatMap((name) => {
    const { title, paragraphs, ...one } = article.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    const document: ArticleDocument = {
      ...{ url: `https://news.example/${one.id}`, canonicalUrl: `https://news.example/${one.id}`, title },
      ...{ site: null, publishedAt: PUBLISHED_AT, language: null, imageUrl: null, suspicious: [] },
      text: paragraphs.join('\n'),
    }
    const inStory = ({ text, quote }: z.infer<typeof sentence>, lie: string | null): Sample => {
      const others = one.honest.filter((other) => other.text !== text).slice(0, 3)
      const summary = { title: one.honestTitles[0]!, sentences: [{ text, quote }, ...others] }
      return { document, summary, at: 0, lie, text }
    }
    const asTitle = (text: string, lie: string | null): Sample => ({
      ...{ document, at: null, lie, text },
      summary: { title: text, sentences: one.honest },
    })
    return [
      ...one.honest.map((honest) => inStory(honest, null)),
      ...one.honestTitles.map((honest) => asTitle(honest, null)),
      ...one.lies.map((lie) => inStory(lie, lie.kind)),
      ...one.lyingTitles.map((lie) => asTitle(lie.title, lie.kind)),
    ]
  })
}

/** Whether findings of the checker concern the sample rather than the rest of its summary. */
export const concerns = ({ at }: Sample, findings: readonly string[]): boolean =>
  findings.some((finding) => finding.startsWith(at === null ? '見出し: ' : `${at + 1}文目: `))
