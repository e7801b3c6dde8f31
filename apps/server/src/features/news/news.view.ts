import type { NewsArticle, NewsSourceArticle, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { ArticleRow } from './articles.queries.ts'
import type { StoryRow, ThreadSummaryRow, ToldArticleRow } from './stories.queries.ts'

/** What a page may link to; anything else that a publisher names is shown to nobody. */
const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url)

const toSourceArticle = ({ site, title, url, publishedAt }: ToldArticleRow): NewsSourceArticle => ({
  site,
  title,
  url,
  publishedAt: publishedAt?.toISOString() ?? null,
})

const toSourceArticles = (rows: readonly ToldArticleRow[]): NewsSourceArticle[] =>
  rows.filter(({ url }) => isWebAddress(url)).map(toSourceArticle)

export const toThreadSummary = (row: ThreadSummaryRow): ThreadSummary => ({
  kind: row.kind,
  model: row.model,
  madeAt: row.madeAt.toISOString(),
  sentences: row.kind === 'headline' ? [] : row.sentences.map(({ text, quote }) => ({ text, quote })),
  sources: toSourceArticles(row.sources),
  state: row.currency,
  changedAt: row.changedAt?.toISOString() ?? null,
  corrections: row.corrections.map(({ at, note }) => ({ at, note })),
})

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
  corrections: row.corrections.map(({ at, note }) => ({ at, note })),
  createdAt: row.createdAt.toISOString(),
})

export const toNewsArticle = (row: ArticleRow): NewsArticle => ({
  _id: row.id,
  source: row.source,
  url: isWebAddress(row.url) ? row.url : '',
  title: row.title,
  state: row.state,
  problem: row.problem,
  attempts: row.attempts,
  foundAt: row.foundAt.toISOString(),
})
