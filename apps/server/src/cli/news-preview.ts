/** What would become of an article, without a database and without leaving a trace. */
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import { migrateToLatest } from '../db/migrate.ts'
import type { ArticleDocument } from '../db/tables.ts'
import { closeExtraction, extractArticle } from '../features/news/articles/extract.ts'
import { newsUserAgent } from '../features/news/news.service.ts'
import { decodeText } from '../features/news/outbound/charset.ts'
import { createPublishers } from '../features/news/outbound/publishers.ts'
import { isJapanese } from '../features/news/steps/summarising.step.ts'
import { summariseExtractively } from '../features/news/summaries/extractive.ts'
import { createSummariser } from '../features/news/summaries/summariser.ts'
import { defaultSettings } from '../features/settings/settings.service.ts'
import { PROBLEMS, type Preview } from './news-report.ts'

/** A page that was saved, and where it is from if anybody knows. */
export interface SavedPage {
  readonly bytes: Buffer
  readonly url: string | null
}

/** For links of a page from nowhere. */
const NOWHERE = 'https://saved-page.invalid/'

/**
 * Reads an article as a run of the news would, and summarises it.
 * @param from an address, or the name of a saved page
 * @throws NewsRefusal for one that cannot or may not be read
 */
export async function previewArticle(config: Config, from: string, page: SavedPage | null): Promise<Preview> {
  try {
    const document =
      page === null
        ? await fetchArticle(config, from)
        : await extractArticle(decodeText(page.bytes, null), page.url ?? NOWHERE)
    const address = page !== null && page.url === null ? null : document.canonicalUrl
    const summarised = config.llm === null ? extract(document) : await summarise(config, config.llm, document)
    return { from, address, document, ...summarised }
  } finally {
    await closeExtraction()
  }
}

async function fetchArticle(config: Config, url: string): Promise<ArticleDocument> {
  const publishers = createPublishers({
    userAgent: newsUserAgent(config),
    allowPrivate: config.newsPrivateAddresses,
    now: Date.now,
  })
  try {
    const page = await publishers.page(url)
    return await extractArticle(page.text, page.url)
  } finally {
    await publishers.close()
  }
}

type Summarised = Pick<Preview, 'summary' | 'use'>

function extract(document: ArticleDocument): Summarised {
  if (!isJapanese(document.text)) return { use: null, summary: { kind: 'none', why: PROBLEMS.language } }
  const summary = summariseExtractively(document)
  if (summary === null) return { use: null, summary: { kind: 'none', why: 'The text is too short for an extract.' } }
  return { use: null, summary: { kind: 'made', ...summary } }
}

/** The model's budget and record are kept in a database of this moment, which nobody else sees. */
async function summarise(
  config: Config,
  llm: NonNullable<Config['llm']>,
  document: ArticleDocument,
): Promise<Summarised> {
  const database = await openDatabase({ url: null, folder: null })
  try {
    await migrateToLatest(database.db)
    const defaults = defaultSettings(config)
    const settings = { defaults, current: defaults, onChange: () => {} }
    const log = pino({ level: 'silent' })
    const summariser = createSummariser({ llm, db: database.db, settings, now: Date.now, log })
    const outcome = await summariser.summarise(null, document)
    switch (outcome.kind) {
      case 'made':
        return { use: outcome.use, summary: { kind: 'made', ...outcome.summary } }
      case 'refused':
        return { use: outcome.use, summary: outcome }
      case 'later':
        return { use: null, summary: { kind: 'none', why: `${PROBLEMS.model_failed} (${outcome.reason})` } }
    }
  } finally {
    await database.close()
  }
}
