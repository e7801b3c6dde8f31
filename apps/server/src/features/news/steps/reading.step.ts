/** Reads the found articles, and stores their text. */
import { sql } from 'kysely'
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { bandsOf } from '@shinobi/newsroom/articles/near-duplicates'
import { hashUrl } from '@shinobi/newsroom/articles/urls'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { isForeign } from '@shinobi/newsroom/claims/language'
import { isUniqueViolation } from '../../../lib/api-error.ts'
import { selectDueArticles, updateArticle, type DueArticle } from '../articles.queries.ts'
import { byHost, TOO_OLD_MS, toRefusal, toStorable, type Run, type StepDeps } from './run.ts'

const MINUTE_MS = 60_000
/** Delays after failures; the last one is final. */
const TRY_AGAIN_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 180 * MINUTE_MS]
const ARTICLES_AT_ONCE = 100

export const readArticles = (deps: StepDeps, run: Run): Promise<void> =>
  byHost(
    deps,
    run,
    (at) => selectDueArticles(deps.db, 'found', at, ARTICLES_AT_ONCE),
    (article) => readArticle(deps, run, article),
  )

async function readArticle(deps: StepDeps, run: Run, article: DueArticle): Promise<void> {
  const { db, now } = deps
  const { id, permission, language } = article
  try {
    if (permission === null || permission === 'blocked') throw new NewsRefusal('blocked')
    if (article.foundAt.getTime() < now() - TOO_OLD_MS) throw new NewsRefusal('too_old')
    if (permission === 'headline') {
      // The publisher allows only title and link, so the article is not requested.
      await updateArticle(db, { id, state: 'found' }, { state: 'read', problem: null, nextTryAt: new Date(now()) })
    } else {
      const document = await fetchDocument(deps, run, article.url)
      if (wasOldWhenFound(article, document)) throw new NewsRefusal('too_old')
      // Checked here, before the model is paid for a summary. Only Japanese can be recognised.
      if (/^ja(?:-|$)/.test(language ?? '') && isForeign(document.text)) throw new NewsRefusal('language')
      await recordRead(deps, article, document)
    }
    run.counts.read += 1
  } catch (error) {
    await putOff(deps, run, article, error)
  }
}

/** A feed without dates lists articles of any age, and its pages tell theirs. */
const wasOldWhenFound = (article: DueArticle, { publishedAt }: ArticleDocument): boolean =>
  article.publishedAt === null &&
  publishedAt !== null &&
  Date.parse(publishedAt) < article.foundAt.getTime() - TOO_OLD_MS

async function recordRead({ db, now }: StepDeps, { id, url }: DueArticle, document: ArticleDocument): Promise<void> {
  const { canonicalUrl, publishedAt, text } = document
  const record = (canonicalHash: string | null): Promise<void> =>
    updateArticle(
      db,
      { id, state: 'found' },
      {
        ...{ state: 'read', problem: null, nextTryAt: new Date(now()), canonicalHash, bands: bandsOf(text) },
        url: canonicalUrl.length <= NEWS_URL_CHARACTERS ? canonicalUrl : url,
        document: JSON.stringify(document),
        publishedAt: sql`coalesce("publishedAt", ${publishedAt}::timestamptz)`,
      },
    )
  await record(hashUrl(canonicalUrl)).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    // Another article has the same canonical address. The gathering step looks up its story.
    return record(null)
  })
}

async function putOff(deps: StepDeps, run: Run, { id, attempts }: DueArticle, error: unknown): Promise<void> {
  const { problem, passes, retryAfterMs } = toRefusal(deps, error, new NewsRefusal('no_text'))
  const { db, now } = deps
  const wait = TRY_AGAIN_MS[attempts]
  if (passes && wait !== undefined) {
    const nextTryAt = new Date(now() + Math.max(wait, retryAfterMs ?? 0))
    await updateArticle(db, { id, state: 'found' }, { problem, nextTryAt, attempts: attempts + 1 })
    return
  }
  await updateArticle(db, { id, state: 'found' }, { state: 'skipped', problem, nextTryAt: null })
  run.counts.skipped += 1
}

/** Requests an article and extracts its text. @throws NewsRefusal */
export async function fetchDocument(deps: StepDeps, run: Run, url: string): Promise<ArticleDocument> {
  try {
    const page = await run.wait(run.publishers.page(url))
    return asStorable(await run.wait(run.extractor.readPage(page, deps.now())))
  } catch (error) {
    throw toRefusal(deps, error, new NewsRefusal('no_text'))
  }
}

const asStorable = (document: ArticleDocument): ArticleDocument =>
  JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === 'string' ? toStorable(value) : value,
  ) as ArticleDocument
