/**
 * What the news would do, without doing it: the result for an article, a look at a feed, and
 * whether the model may be asked. The first two need no database.
 */
import { pino } from 'pino'
import { createExtractor, type Extractor, type PageSource } from '@shinobi/newsroom/articles/extract'
import { createJudge, type Judge } from '@shinobi/newsroom/claims/judge-thread'
import type { FeedItem } from '@shinobi/newsroom/articles/feeds'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { decodeText } from '@shinobi/newsroom/outbound/charset'
import type { Publishers } from '@shinobi/newsroom/outbound/publishers'
import { UNLIMITED, type Budget } from '@shinobi/newsroom/summaries/budget'
import { summariseExtractively } from '@shinobi/newsroom/summaries/extractive'
import { fitSummary, type GivenSummary } from '@shinobi/newsroom/summaries/made'
import { createSummariser, type Summariser } from '@shinobi/newsroom/summaries/summariser'
import type { ModelPause } from '@shinobi/contract/news'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { createBudget } from '../features/news/model-budget.ts'
import { openPublishers } from '../features/news/news.service.ts'
import { selectSettings } from '../features/settings/settings.queries.ts'
import { defaultSettings, withDefaults } from '../features/settings/settings.service.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { PROBLEMS, type Preview, type PreviewedSummary, type TriedFeed } from './news-report.ts'

/** A saved page, and its address if known. */
export interface SavedPage {
  readonly bytes: Buffer
  readonly url: string | null
}

/** Base for links of a page without an address. */
const NOWHERE = 'https://saved-page.invalid/'

/**
 * Reads and summarises an article as a run of the news would.
 * @param from an address, or the name of a saved page
 * @throws NewsRefusal for one that cannot or may not be read
 */
export const previewArticle = (config: Config, from: string, page: SavedPage | null): Promise<Preview> =>
  withReaders(config, async ({ publishers, extractor }) => {
    const source = page === null ? await publishers.page(from) : asSource(page)
    const document = await extractor.readPage(source, Date.now())
    const address = page !== null && page.url === null ? null : document.canonicalUrl
    const summarised = config.llm === null ? extract(document) : await summarise(config.llm, document)
    return { from, address, isFetched: page === null, document, ...summarised }
  })

/** Reads a feed once, as a run of the news would. */
export const tryFeed = (config: Config, url: string): Promise<TriedFeed> =>
  withReaders(config, async ({ publishers, extractor }) => {
    try {
      const { text, url: arrived } = await publishers.feed(url, { etag: null, lastModified: null })
      const items = await extractor.readFeed(text, arrived, Date.now())
      const newest = items.toSorted((one, other) => timeOf(other) - timeOf(one))[0]
      return {
        articles: items.length,
        newest: newest === undefined ? null : { title: newest.title, at: newest.publishedAt },
      }
    } catch (error) {
      if (error instanceof NewsRefusal) return { problem: error }
      throw error
    }
  })

const timeOf = ({ publishedAt }: FeedItem): number => publishedAt?.getTime() ?? 0

/** The headers of a saved page are unknown. */
const asSource = ({ bytes, url }: SavedPage): PageSource => ({
  text: decodeText(bytes, null),
  url: url ?? NOWHERE,
  allowsPicture: true,
})

async function withReaders<T>(
  config: Config,
  work: (readers: { readonly publishers: Publishers; readonly extractor: Extractor }) => Promise<T>,
): Promise<T> {
  const publishers = openPublishers(config, Date.now)
  const extractor = createExtractor()
  try {
    return await work({ publishers, extractor })
  } finally {
    await publishers.close()
    await extractor.close()
  }
}

type Summarised = Pick<Preview, 'summary' | 'use'>

function extract(document: ArticleDocument): Summarised {
  const extracted = summariseExtractively(document)
  if ('summary' in extracted) return { use: null, summary: made(document, extracted.summary) }
  const why = extracted.problem === 'language' ? PROBLEMS.language : 'The text is too short for an extract.'
  return { use: null, summary: { kind: 'none', why } }
}

/** The summary in the form of the thread. */
function made(document: ArticleDocument, given: GivenSummary): PreviewedSummary {
  const summary = fitSummary(document, given)
  return summary === null
    ? { kind: 'none', why: 'What was made of it does not fit into a thread.' }
    : { kind: 'made', ...summary }
}

/** Why the model is not asked now, by the calls of all servers; null when it is, or without one. */
export async function readPause(config: Config, db: Db): Promise<ModelPause | null> {
  if (config.llm === null) return null
  const settings = { current: withDefaults((await selectSettings(db)).change, defaultSettings(config)) }
  const budget = createBudget({ db, settings, model: config.llm.model, now: Date.now })
  return (await openSummariser(config.llm, createJudge(), budget).pause())?.cause ?? null
}

const openSummariser = (llm: NonNullable<Config['llm']>, judge: Judge, budget: Budget): Summariser =>
  createSummariser({
    ...{ llm, judge, budget, verifierBudget: budget, now: Date.now, newId: uuidv7, log: pino({ level: 'silent' }) },
  })

async function summarise(llm: NonNullable<Config['llm']>, document: ArticleDocument): Promise<Summarised> {
  const judge = createJudge()
  // Previews do not count against the budget, because they are made on request.
  const outcome = await openSummariser(llm, judge, UNLIMITED).summarise(null, document)
  await judge.close()
  switch (outcome.kind) {
    case 'made':
      return { use: outcome.use, summary: made(document, outcome.summary) }
    case 'refused':
      return { use: outcome.use, summary: outcome }
    case 'later':
      return { use: null, summary: { kind: 'none', why: `${PROBLEMS.model_failed} (${outcome.reason})` } }
  }
}
