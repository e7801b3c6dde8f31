/**
 * Formats the output of the news program for terminals: Japanese is twice as wide as Latin, and
 * text from outside must not control the terminal.
 */
import stringWidth from 'string-width'
import type { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { NewsIdle, NewsProblem, SummarySentence } from '@shinobi/contract/news'
import { splitGraphemes } from '@shinobi/contract/text'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import type { ModelUse } from '@shinobi/newsroom/summaries/summariser'
import type { RunReport } from '../features/news/news.service.ts'
import type { IdleSource, readIdleSources } from '../features/news/idle.service.ts'
import type { SourceRow } from '../features/news/sources.queries.ts'

/** Problems in words, for operators. */
export const PROBLEMS: Readonly<Record<NewsProblem, string>> = {
  unreachable: 'The server could not be reached.',
  timeout: 'It took too long.',
  refused_address:
    'The address is not one of the public network. NEWS_PRIVATE_ADDRESSES=true opens addresses of your own network.',
  http_error: 'The server answered with an error.',
  gone: 'There is nothing at this address (any more).',
  redirects: 'It redirects too often, or in a circle.',
  too_large: 'It is too large.',
  robots: "The publisher's robots.txt asks us to stay away.",
  opt_out: 'The publisher has opted out of being read by machines.',
  not_a_feed: 'It is no feed.',
  not_html: 'It is no HTML page.',
  no_text: 'No article was found in the page.',
  no_article: 'The page is no article: an advertisement, or a wall of cookies or log-in.',
  unavailable: 'The site seems to be in maintenance.',
  too_old: 'It is too old.',
  blocked: 'Its source is blocked.',
  language: 'It is not in Japanese, and there is no model to summarise it (LLM_BASE_URL).',
  ungrounded: 'No summary of it stands on what the article says.',
  model_failed: 'The model could not be used.',
  no_budget: 'The budget of tokens was too small for it.',
  banned_word: 'It holds a word that the rules of the board do not let through.',
  category_missing: 'Its category was deleted.',
  machine_talk: 'It speaks to machines, and another article has told the same.',
}

/** How the summary of a preview was made, and its result. */
export type PreviewedSummary =
  | { readonly kind: 'made'; readonly title: string; readonly sentences: readonly SummarySentence[] }
  | { readonly kind: 'refused'; readonly findings: readonly string[] }
  | { readonly kind: 'none'; readonly why: string }

export interface Preview {
  /** The address or file that was asked for. */
  readonly from: string
  /** Address of the page; null for a saved one without. */
  readonly address: string | null
  /** Whether it was requested from the publisher; a saved page shows only opt-outs within it. */
  readonly isFetched: boolean
  readonly document: ArticleDocument
  /** Null for an extract. */
  readonly use: ModelUse | null
  readonly summary: PreviewedSummary
}

const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** One line without control sequences and direction marks. */
export const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(BIDI_CONTROLS, '')
    .trim()

/** Cuts a text to the width, with … where something was cut. */
export function fit(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text
  let taken = 0
  for (const { segment, index } of splitGraphemes(text)) {
    taken += stringWidth(segment)
    if (taken > columns - 1) return `${text.slice(0, index).trimEnd()}…`
  }
  return text
}

/**
 * Words stay whole, and a line may end after any Japanese character; closing punctuation never
 * begins a line.
 */
const PIECES =
  /[\u0021-\u024f]+[」』）】、。，．！？]*|(?:[「『（【])*[^\s\u0021-\u024f][\p{M}\p{Cf}]*[」』）】、。，．！？ー…]*|\s+/gu

/** Wraps a text to a number of columns. Only a word that is longer than a line is split. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const [piece] of text.matchAll(PIECES)) {
    const isLong = stringWidth(piece) > columns
    for (const part of isLong ? Array.from(splitGraphemes(piece), ({ segment }) => segment) : [piece]) {
      // Closing punctuation may hang over the end by a character.
      if (line !== '' && stringWidth(line + part.replace(/[」』）】、。，．！？ー…]+$/u, '')) > columns) {
        lines.push(line.trimEnd())
        line = ''
      }
      if (line !== '' || part.trim() !== '') line += part
    }
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** Width of the labels on the left. */
const LABEL = 12
/** Limits of the line length, because long lines are hard to read. */
const COLUMNS = { min: 40, max: 100 }
/** Maximum paragraphs shown; there may be hundreds. */
const PARAGRAPHS_MAX = 40

/** A text with a mark on its first line, and the others indented. */
const indented = (mark: string, text: string, columns: number): string[] =>
  wrap(plain(text), columns - mark.length).map((line, index) => (index === 0 ? mark : ' '.repeat(mark.length)) + line)
const entry = (label: string, text: string, columns: number): string[] => indented(label.padEnd(LABEL), text, columns)

const number = (value: number): string => value.toLocaleString('en-US')
const count = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`
const countStories = (value: number): string => (value === 1 ? '1 story' : `${number(value)} stories`)

/**
 * The processing of an article, from its address to the checker's findings, in lines that fit the
 * terminal.
 */
export function writePreview({ from, address, isFetched, document, use, summary }: Preview, width: number): string {
  const columns = Math.min(COLUMNS.max, Math.max(COLUMNS.min, width))
  return [
    ...entry('From', from, columns),
    ...(address === null || address === from ? [] : entry('Address', address, columns)),
    ...entry('Site', document.site ?? 'the page does not say', columns),
    ...entry('Title', document.title, columns),
    ...entry('Published', document.publishedAt ?? 'the page does not say', columns),
    ...entry('Language', document.language ?? 'the page does not say', columns),
    ...entry('Picture', document.imageUrl ?? 'none', columns),
    ...entry('Opt-outs', isFetched ? 'none' : 'none in the page; robots.txt and headers were not asked', columns),
    '',
    ...writeText(document, columns),
    ...writeSuspicious(document, columns),
    '',
    ...writeSummary(summary, use, columns),
  ].join('\n')
}

function writeText({ text }: ArticleDocument, columns: number): string[] {
  const paragraphs = text.split('\n')
  const shown = paragraphs.slice(0, PARAGRAPHS_MAX)
  const digits = String(shown.length).length
  return [
    ...entry('Text', `${count(paragraphs.length, 'paragraph')}, ${count(text.length, 'character')}`, columns),
    ...shown.map((one, index) => `  ${fit(`${String(index + 1).padStart(digits)}  ${plain(one)}`, columns - 2)}`),
    ...(paragraphs.length > shown.length ? [`  … ${number(paragraphs.length - shown.length)} more`] : []),
  ]
}

function writeSuspicious({ suspicious }: ArticleDocument, columns: number): string[] {
  if (suspicious.length === 0) return []
  return [
    '',
    ...entry(
      'Left out',
      `${count(suspicious.length, 'passage')} that ${suspicious.length === 1 ? 'speaks' : 'speak'} to a machine`,
      columns,
    ),
    ...suspicious.flatMap((one) => indented('  ! ', one, columns)),
    ...indented('  ', 'A story of it would wait for approval.', columns),
  ]
}

function writeSummary(summary: PreviewedSummary, use: ModelUse | null, columns: number): string[] {
  const by =
    use === null
      ? "an extract of the article's own sentences (LLM_BASE_URL is not set)"
      : `by ${use.model}, prompt ${use.promptVersion}, ${number(use.inputTokens)} + ${count(use.outputTokens, 'token')}, ${(use.milliseconds / 1_000).toFixed(1)} s`
  switch (summary.kind) {
    case 'made':
      return [
        ...entry('Summary', by, columns),
        ...entry('', summary.title, columns),
        ...summary.sentences.flatMap(({ text, quote }, index) => [
          '',
          ...indented(`  ${index + 1}. `, text, columns),
          ...indented('     > ', quote, columns),
        ]),
        '',
        ...entry('Verdict', 'It stands: every sentence rests on a passage of the article.', columns),
        ...entry('', 'The word rules of the board were not asked.', columns),
      ]
    case 'refused':
      return [
        ...entry('Summary', by, columns),
        ...entry('Verdict', `Refused: ${PROBLEMS.ungrounded} It would lead to no thread.`, columns),
        ...summary.findings.flatMap((finding) => indented('  - ', finding, columns)),
      ]
    case 'none':
      return entry('Summary', `none: ${summary.why}`, columns)
  }
}

/**
 * One line per source, for people and for `cut`: name, address, category, permission, interval,
 * state, and why it opened no thread lately.
 */
export const describeSource = ({ source, idle }: IdleSource): string => {
  const { name, url, category, permission, intervalMinutes } = source
  const about = [plain(name), url, category ?? '-', permission, `${intervalMinutes} min`, describeState(source)]
  return [...about, ...(idle === null ? [] : [explainIdle(idle)])].join('\t')
}

function describeState({ active, problem, fetchedAt }: Pick<SourceRow, 'active' | 'problem' | 'fetchedAt'>): string {
  if (problem !== null) return `${active ? '' : 'off: '}${PROBLEMS[problem]}`
  if (!active) return 'off'
  return fetchedAt === null ? 'not read yet' : `read ${fetchedAt.toISOString()}`
}

/** Why a source, or all of them, opened no thread in the last two days. */
const IDLE: Readonly<Record<NewsIdle['kind'], (stories: string, idle: NewsIdle) => string>> = {
  no_sources: () => 'No thread: no source is read.',
  nothing_new: () => 'No thread: there is nothing new.',
  waiting: (stories, { count }) =>
    `No thread: for approval at /admin/news ${count === 1 ? 'waits' : 'wait'} ${stories}.`,
  turn: (stories) => `No thread yet: ${stories} for the next hours (newsThreadsPerHour).`,
  no_budget: (stories) => `No thread yet: the budget of tokens is used up, with ${stories} to summarise.`,
  model_away: (stories) => `No thread yet: the model is away, with ${stories} to summarise.`,
  under_way: (stories) => `No thread yet: ${stories} under way.`,
  refused: (stories, { problem }) =>
    `No thread: ${stories} refused${problem === null ? '' : `, most for this: ${PROBLEMS[problem]}`}`,
  rejected: (stories) => `No thread: an administrator rejected ${stories}.`,
  merged: (stories) => `No thread of its own: ${stories} told what other threads tell.`,
}

const explainIdle = (idle: NewsIdle): string => IDLE[idle.kind](countStories(idle.count), idle)

/** The sources that could not be read or opened no thread, and why; for all, when none did. */
export function describeIdle({ sources, all }: Awaited<ReturnType<typeof readIdleSources>>): string[] {
  return [
    ...(all === null ? [] : [explainIdle(all)]),
    ...sources.flatMap(({ source: { name, active, problem }, idle }) => {
      if (active && problem !== null) return [`${plain(name)}: ${PROBLEMS[problem]}`]
      return idle === null ? [] : [`${plain(name)}: ${explainIdle(idle)}`]
    }),
  ]
}

/** What a feed lists, or why it cannot be read. */
export type TriedFeed =
  | { readonly articles: number; readonly newest: { readonly title: string; readonly at: Date | null } | null }
  | { readonly problem: NewsRefusal }

/** What a new source lists, so that a wrong address is noticed at once. */
export function describeTried(tried: TriedFeed): string {
  if ('problem' in tried) {
    return `It cannot be read now: ${PROBLEMS[tried.problem.problem]} (${plain(tried.problem.message)}) It is tried again.`
  }
  const { articles, newest } = tried
  if (newest === null) return 'It lists no article now, so no thread comes of it yet.'
  const when = newest.at === null ? 'without a date' : `of ${newest.at.toISOString()}`
  return `It lists ${count(articles, 'article')}, the newest ${when}: ${plain(newest.title)}`
}

/** The result of a run, in words. */
export const describeRun = ({ feeds, found, read, skipped, stories, published, refused }: RunReport): string =>
  [
    `${count(feeds, 'feed')} looked at, ${count(found, 'new article')} found.`,
    `${count(read, 'article')} read, ${number(skipped)} skipped.`,
    `${countStories(stories)} begun, ${number(refused)} refused, ${count(published, 'thread')} opened.`,
  ].join('\n')
