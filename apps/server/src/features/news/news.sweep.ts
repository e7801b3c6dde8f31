/** Deletes old data of the news. */
import { NEWS_TEXT_DAYS } from '@shinobi/contract/limits'
import type { StepDeps } from './steps/run.ts'
import {
  deleteEndedStories,
  deleteOldCalls,
  deleteOldSkipped,
  closeForgottenStories,
  emptyOldDocuments,
  forgetOldChecks,
  refuseOldStories,
  skipOldArticles,
  takeUnusedImages,
} from './news.sweep.queries.ts'

const DAY_MS = 86_400_000
/** Calls of the language model: kept longer than a billing period. */
const CALLS_KEPT_MS = 90 * DAY_MS
/** Articles that became no story. */
const SKIPPED_KEPT_MS = 90 * DAY_MS
/**
 * Refused, rejected and withdrawn stories. A month longer than a story can wait for a decision.
 */
const ENDED_KEPT_MS = 90 * DAY_MS
/**
 * The texts of articles belong to their publishers: they are kept only as long as a summary may
 * have to be compared with them.
 */
const DOCUMENTS_KEPT_MS = NEWS_TEXT_DAYS * DAY_MS
/**
 * Limit for stories without an approval, or with a source that stays switched off; their texts are
 * deleted after that.
 */
const STORIES_KEPT_MS = 60 * DAY_MS
/**
 * Limit for checks of articles that were due while the source was switched off or the thread was
 * removed.
 */
const CHECKS_KEPT_MS = 7 * DAY_MS

/** Removed threads are deleted after a day or two; the rest allows for a server that was off. */
const FORGOTTEN_WITHIN_MS = 90 * DAY_MS

/** Runs all of these in small steps, each with short locks. */
export async function sweepNews(
  { db, images, log }: Pick<StepDeps, 'db' | 'images' | 'log'>,
  now: number,
): Promise<void> {
  const before = (ms: number): Date => new Date(now - ms)
  await deleteOldCalls(db, before(CALLS_KEPT_MS))
  await deleteOldSkipped(db, before(SKIPPED_KEPT_MS))
  const refused = await refuseOldStories(db, before(STORIES_KEPT_MS))
  if (refused.length > 0) log.info({ stories: refused }, 'news: pending stories became too old, and are refused')
  await skipOldArticles(db, before(DOCUMENTS_KEPT_MS))
  await emptyOldDocuments(db, before(DOCUMENTS_KEPT_MS))
  await closeForgottenStories(db, before(FORGOTTEN_WITHIN_MS))
  await forgetOldChecks(db, before(CHECKS_KEPT_MS))
  for (const image of await takeUnusedImages(db)) await images.remove(image)
  await deleteEndedStories(db, before(ENDED_KEPT_MS))
}
