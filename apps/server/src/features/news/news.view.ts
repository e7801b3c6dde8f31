import type { StoredCorrection } from '../../db/tables.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import type { NewsArticle, NewsSourceArticle, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import { isWebAddress } from '@shinobi/contract/text'
import type { ArticleRow } from './articles.queries.ts'
import type { StoryRow, ThreadSummaryRow, ToldArticleRow } from './stories.queries.ts'

const toSourceArticle = ({ site, title, url, publishedAt }: ToldArticleRow): NewsSourceArticle => ({
  site,
  title,
  url,
  publishedAt: publishedAt?.toISOString() ?? null,
})

/** Leaves out addresses that a page must not link to. */
const toSourceArticles = (rows: readonly ToldArticleRow[]): NewsSourceArticle[] =>
  rows.filter(({ url }) => isWebAddress(url)).map(toSourceArticle)

/**
 * Rules for publishers' words below a thread, which were not checked when the thread was opened.
 */
export interface Rules {
  readonly words: Pick<BannedWords, 'judge'>
  /**
   * Titles that no administrator has seen are not shown: later articles have the name of their
   * source instead.
   */
  readonly onlySeen: boolean
}

/** The title of an article, or the name of its source where the rules forbid the title. */
function shownTitle({ words, onlySeen }: Rules, { title, site }: NewsSourceArticle, isLead: boolean): string {
  const { action, text } = words.judge(title)
  return action === 'block' || action === 'hold' || (onlySeen && !isLead) ? site : text
}

export const toThreadSummary = (row: ThreadSummaryRow, rules: Rules): ThreadSummary => ({
  kind: row.kind,
  model: row.model,
  madeAt: row.madeAt.toISOString(),
  sentences:
    row.kind === 'headline'
      ? []
      : row.sentences.map(({ text, quote }) => ({ text, quote: rules.words.judge(quote).text })),
  sources: toSourceArticles(row.sources).map((source, index) => ({
    ...source,
    title: shownTitle(rules, source, index === 0),
  })),
  state: row.currency,
  changedAt: row.changedAt?.toISOString() ?? null,
  corrections: toCorrections(row.corrections),
})

const toCorrections = (corrections: readonly StoredCorrection[]): ThreadSummary['corrections'] =>
  corrections.map(({ at, note, changes = [] }) => ({
    ...{ at, note },
    changes: changes.map(({ before, after }) => ({ before, after })),
  }))

export const toNewsStory = (row: StoryRow): NewsStory => ({
  _id: row.id,
  state: row.state,
  kind: row.kind,
  title: row.title,
  sentences: row.sentences.map(({ text, quote }) => ({ text, quote })),
  sources: toSourceArticles(row.sources),
  category: row.category,
  threadId: row.threadId,
  problem: row.problem,
  findings: [...row.findings],
  suspicious: [...row.suspicious],
  model: row.model,
  promptVersion: row.promptVersion,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  milliseconds: row.milliseconds,
  madeAt: row.madeAt?.toISOString() ?? null,
  currency: row.currency,
  changedAt: row.changedAt?.toISOString() ?? null,
  reviewedAt: row.reviewedAt?.toISOString() ?? null,
  corrections: toCorrections(row.corrections),
  createdAt: row.createdAt.toISOString(),
})

export const toNewsArticle = (row: ArticleRow): NewsArticle => ({
  _id: row.id,
  source: row.source,
  url: isWebAddress(row.url) ? row.url : null,
  title: row.title,
  state: row.state,
  problem: row.problem,
  attempts: row.attempts,
  foundAt: row.foundAt.toISOString(),
})
