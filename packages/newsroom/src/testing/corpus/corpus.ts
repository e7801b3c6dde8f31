/**
 * Made-up articles in newspaper notation. Those of lies.txt have honest sentences and titles (+),
 * and lies by kind (-); they are for tuning rules to kinds of lies, not to these sentences. Those
 * of careful.txt have a careful summary, of which nothing may be refused.
 */
import { join } from 'node:path'
import type { SummarySentence } from '@shinobi/contract/news'
import type { ArticleDocument, StorySummary } from '../../documents.ts'
import { articleOf } from '../articles.ts'
import { readList } from '../outside/newspaper.ts'

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

interface Claim {
  readonly lie: string | null
  readonly text: string
  /** Null of a title. */
  readonly quote: string | null
}

/** `+ text ← quote` or `- kind: text ← quote`, of a title without its quote. */
const CLAIM = /^(?:\+|- (?<lie>\w+):) (?<text>.*?)(?: ← (?<quote>.*))?$/

function readClaim(line: string): Claim {
  const { lie = null, text = '', quote = null } = CLAIM.exec(line)!.groups as Partial<Claim>
  return { lie, text, quote }
}

const isSentence = (claim: Claim): claim is Claim & SummarySentence => claim.quote !== null

const readArticles = (file: string, publishedAt: string | null) =>
  readList(join(import.meta.dirname, file)).map(({ name, title, paragraphs, claims: lines }) => {
    const [about = '', at = publishedAt] = name.split(' @ ')
    const url = `https://news.example/${encodeURI(about)}`
    const document = articleOf(paragraphs.join('\n'), { url, canonicalUrl: url, title, publishedAt: at })
    const claims = lines.map(readClaim)
    const honest = claims.filter(isSentence).filter(({ lie }) => lie === null)
    return { about, document, claims, honest, title: claims.find((claim) => !isSentence(claim))!.text }
  })

const toSummary = (title: string, sentences: readonly SummarySentence[]): StorySummary => ({
  title,
  sentences: sentences.map(({ text, quote }) => ({ text, quote })),
})

export const readCorpus = (): Sample[] =>
  readArticles('lies.txt', '2026-11-23T09:00:00Z').flatMap(({ document, claims, honest, title }) =>
    claims.map((claim) => {
      const { lie, text } = claim
      if (!isSentence(claim)) return { document, at: null, lie, text, summary: toSummary(text, honest) }
      const others = honest.filter((other) => other.text !== text).slice(0, 3)
      return { document, at: 0, lie, text, summary: toSummary(title, [claim, ...others]) }
    }),
  )

export const readCarefulSummaries = () =>
  readArticles('careful.txt', null).map(({ about, document, honest, title }) => ({
    ...{ about, document, summary: toSummary(title, honest) },
  }))

/** Whether findings of the checker concern the sample rather than the rest of its summary. */
export const concerns = ({ at }: Sample, findings: readonly string[]): boolean =>
  findings.some((finding) => finding.startsWith(at === null ? '見出し: ' : `${at + 1}文目: `))
