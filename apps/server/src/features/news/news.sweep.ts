/** What news leave behind and nobody needs any more. */
import { NEWS_TEXT_DAYS } from '@shinobi/contract/limits'
import type { Deps } from '../../deps.ts'
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
/** What the language model was asked: longer than any bill takes. */
const CALLS_KEPT_MS = 90 * DAY_MS
/** Articles that led nowhere. */
const SKIPPED_KEPT_MS = 90 * DAY_MS
/**
 * Refused, rejected and withdrawn stories. A month longer than a story can wait for a decision.
 */
const ENDED_KEPT_MS = 90 * DAY_MS
/** The texts of articles are their publishers': they stay as long as somebody may ask what a summary was made of. */
const DOCUMENTS_KEPT_MS = NEWS_TEXT_DAYS * DAY_MS
/** Stories that nobody approves, or whose source stays switched off, keep their texts for so long, and no longer. */
const STORIES_KEPT_MS = 60 * DAY_MS
/** Looks again at articles whose source was switched off, or whose thread was taken down, when they were due. */
const CHECKS_KEPT_MS = 7 * DAY_MS

/** Threads that were taken down are forgotten within a day or two; a server may have been off meanwhile. */
const FORGOTTEN_WITHIN_MS = 90 * DAY_MS

/** Does it all, in steps that hold nobody up. */
export async function sweepNews({ db, images, log }: Pick<Deps, 'db' | 'images' | 'log'>, now: number): Promise<void> {
  const before = (ms: number): Date => new Date(now - ms)
  await deleteOldCalls(db, before(CALLS_KEPT_MS))
  await deleteOldSkipped(db, before(SKIPPED_KEPT_MS))
  const refused = await refuseOldStories(db, before(STORIES_KEPT_MS))
  if (refused.length > 0)
    log.info({ stories: refused }, 'news: stories were waited for too long, and are too old by now')
  await skipOldArticles(db, before(DOCUMENTS_KEPT_MS))
  await emptyOldDocuments(db, before(DOCUMENTS_KEPT_MS))
  await closeForgottenStories(db, before(FORGOTTEN_WITHIN_MS))
  await forgetOldChecks(db, before(CHECKS_KEPT_MS))
  for (const image of await takeUnusedImages(db)) await images.remove(image)
  await deleteEndedStories(db, before(ENDED_KEPT_MS))
}
