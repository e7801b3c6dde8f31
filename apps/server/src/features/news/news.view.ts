import type {
  NewsArticle,
  NewsSource,
  NewsSourceArticle,
  NewsStory,
  ThreadSummary,
  Withdrawal,
} from '@shinobi/contract/news'
import type { StoredCorrection } from '../../db/tables.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { isWebAddress } from '@shinobi/contract/web-address'
import type { ArticleRow } from './articles.queries.ts'
import type { SourceRow } from './sources.queries.ts'
import type { StoryRow, ThreadSummaryRow, ToldArticleRow } from './stories.queries.ts'

type AsJson<Row> = {
  [Name in keyof Row]: Row[Name] extends Date | null ? string | Extract<Row[Name], null> : Row[Name]
}

/** The row with its times as ISO 8601. */
const asJson = <Row extends object>(row: Row): AsJson<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as AsJson<Row>

/** Leaves out addresses that a page must not link to. */
const toSourceArticles = (rows: readonly ToldArticleRow[]): NewsSourceArticle[] =>
  rows.filter(({ url }) => isWebAddress(url)).map(asJson)

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
function shownTitle(
  { words, onlySeen }: Rules,
  { title, site }: Pick<NewsSourceArticle, 'title' | 'site'>,
  isLead: boolean,
): string {
  const { action, text } = words.judge(title)
  return action === 'block' || action === 'hold' || (onlySeen && !isLead) ? site : text
}

export const toThreadSummary = (
  { sentences, sources, corrections, ...row }: ThreadSummaryRow,
  rules: Rules,
): ThreadSummary => ({
  ...asJson(row),
  sentences:
    row.kind === 'headline' ? [] : sentences.map(({ text, quote }) => ({ text, quote: rules.words.judge(quote).text })),
  sources: toSourceArticles(sources).map((source, index) => ({
    ...source,
    title: shownTitle(rules, source, index === 0),
  })),
  corrections: toCorrections(corrections),
})

/** What stands at the address of a withdrawn thread. */
export function toWithdrawal(
  article: ToldArticleRow,
  { at, reason }: { readonly at: Date; readonly reason: string | null },
  words: Rules['words'],
): Withdrawal {
  const { site, url } = article
  const title = shownTitle({ words, onlySeen: false }, article, true)
  return { title, site, url: isWebAddress(url) ? url : null, reason: reason ?? '', at: at.toISOString() }
}

const toCorrections = (corrections: readonly StoredCorrection[]): ThreadSummary['corrections'] =>
  corrections.map(({ at, note, changes = [] }) => ({
    ...{ at, note },
    changes: changes.map(({ before, after }) => ({ before, after })),
  }))

export const toNewsStory = ({ id, sources, corrections, ...row }: StoryRow): NewsStory => ({
  ...{ _id: id, ...asJson(row), sources: toSourceArticles(sources), corrections: toCorrections(corrections) },
})

export const toNewsArticle = ({ id, url, ...row }: ArticleRow): NewsArticle => ({
  ...{ _id: id, url: isWebAddress(url) ? url : null, ...asJson(row) },
})

export const toNewsSource = ({ id, ...row }: SourceRow): NewsSource => ({ _id: id, ...asJson(row) })
