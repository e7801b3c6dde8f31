/** What news leave behind and nobody needs any more. */
import type { Deps } from '../../deps.ts'
import { deleteOldCalls, deleteOldSkipped, emptyOldDocuments, takeUnusedImages } from './news.sweep.queries.ts'

const DAY_MS = 86_400_000
/** What the language model was asked: longer than any bill takes. */
const CALLS_KEPT_MS = 90 * DAY_MS
/** Articles that led nowhere. */
const SKIPPED_KEPT_MS = 90 * DAY_MS
/** The texts of articles are their publishers': they stay as long as somebody may ask what a summary was made of. */
const DOCUMENTS_KEPT_MS = 30 * DAY_MS

/** Does it all, in steps that hold nobody up. */
export async function sweepNews({ db, images }: Pick<Deps, 'db' | 'images'>, now: number): Promise<void> {
  const before = (ms: number): Date => new Date(now - ms)
  await deleteOldCalls(db, before(CALLS_KEPT_MS))
  await deleteOldSkipped(db, before(SKIPPED_KEPT_MS))
  await emptyOldDocuments(db, before(DOCUMENTS_KEPT_MS))
  for (const image of await takeUnusedImages(db)) await images.remove(image)
}
