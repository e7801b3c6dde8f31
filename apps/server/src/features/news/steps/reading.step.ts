/** Reads the found articles, and stores their text. */
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { bandsOf } from '@shinobi/newsroom/articles/near-duplicates'
import { hashUrl } from '@shinobi/newsroom/articles/urls'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { isForeign } from '@shinobi/newsroom/claims/language'
import {
  recordHeadline,
  recordRead,
  recordSkipped,
  recordTryAgain,
  selectDueArticles,
  type DueArticle,
} from './reading.queries.ts'
import { byHost, TOO_OLD_MS, toRefusal, toStorable, type Run, type StepDeps } from './run.ts'

const MINUTE_MS = 60_000
/** Delays after failures; the last one is final. */
const TRY_AGAIN_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 180 * MINUTE_MS]
const ARTICLES_AT_ONCE = 100

export async function readArticles(deps: StepDeps, run: Run): Promise<void> {
  while (!run.isOver()) {
    const articles = await selectDueArticles(deps.db, new Date(deps.now()), ARTICLES_AT_ONCE)
    if (articles.length === 0) return
    await byHost(deps, articles, (article) => readArticle(deps, run, article))
  }
}

async function readArticle(deps: StepDeps, run: Run, article: DueArticle): Promise<void> {
  if (run.isOver()) return
  const { db, now } = deps
  const { id, permission, language } = article
  try {
    if (permission === null || permission === 'blocked') throw new NewsRefusal('blocked')
    if (article.foundAt.getTime() < now() - TOO_OLD_MS) throw new NewsRefusal('too_old')
    if (permission === 'headline') {
      // The publisher allows only title and link, so the article is not requested.
      await recordHeadline(db, id, new Date(now()))
    } else {
      const document = await fetchDocument(deps, run, article.url)
      // Checked here, before the model is paid for a summary. Only Japanese can be recognised.
      if (isForJapanese(language) && isForeign(document.text)) throw new NewsRefusal('language')
      await recordRead(db, id, {
        document,
        at: new Date(now()),
        url: document.canonicalUrl.length <= NEWS_URL_CHARACTERS ? document.canonicalUrl : article.url,
        canonicalHash: hashUrl(document.canonicalUrl),
        bands: bandsOf(document.text),
      })
    }
    run.counts.read += 1
  } catch (error) {
    await putOff(deps, run, article, error)
  }
}

/** Whether a source with this language may have Japanese articles only. */
const isForJapanese = (language: string | null): boolean => language !== null && /^ja(?:-|$)/.test(language)

async function putOff(deps: StepDeps, run: Run, { id, attempts }: DueArticle, error: unknown): Promise<void> {
  const { problem, passes, retryAfterMs } = toRefusal(deps, error, new NewsRefusal('no_text'))
  const { db, now } = deps
  const wait = TRY_AGAIN_MS[attempts]
  if (passes && wait !== undefined) {
    const nextTryAt = new Date(now() + Math.max(wait, retryAfterMs ?? 0))
    await recordTryAgain(db, id, { problem, nextTryAt })
    return
  }
  await recordSkipped(db, id, problem)
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

const orNull = (text: string | null): string | null => (text === null ? null : toStorable(text))

const asStorable = (document: ArticleDocument): ArticleDocument => ({
  url: toStorable(document.url),
  canonicalUrl: toStorable(document.canonicalUrl),
  title: toStorable(document.title),
  site: orNull(document.site),
  publishedAt: document.publishedAt,
  language: orNull(document.language),
  imageUrl: orNull(document.imageUrl),
  text: toStorable(document.text),
  suspicious: document.suspicious.map(toStorable),
})
