/**
 * Reads the articles of published stories again, so that a summary is marked when its article no
 * longer contains what the summary quotes.
 */
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { newsTags } from '../news.tags.ts'
import type { SummaryCurrency } from '@shinobi/contract/news'
import { recordCheck, selectDueChecks, type DueCheck } from './rechecking.queries.ts'
import { fetchDocument } from './reading.step.ts'
import { byHost, type Run, type StepDeps } from './run.ts'

const HOUR_MS = 3_600_000
/**
 * When an article is read again, counted from the publication of its story. Most corrections come
 * within hours; after a day few people would see the mark.
 */
const CHECKS_MS = [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]
const CHECKS_AT_ONCE = 100

/** When the article of a story is read again for the first time. */
export const firstRecheckAfter = (publishedAt: Date): Date => new Date(publishedAt.getTime() + CHECKS_MS[0]!)

export async function recheckStories(deps: StepDeps, run: Run): Promise<void> {
  while (!run.isOver()) {
    const checks = await selectDueChecks(deps.db, new Date(deps.now()), CHECKS_AT_ONCE)
    if (checks.length === 0) return
    await byHost(deps, checks, (check) => recheckStory(deps, run, check))
  }
}

async function recheckStory(deps: StepDeps, run: Run, check: DueCheck): Promise<void> {
  if (run.isOver()) return
  const { db, now, cache } = deps
  const currency = await compare(deps, run, check)
  const at = new Date(now())
  const nextCheck = CHECKS_MS.map((after) => check.publishedAt.getTime() + after).find((time) => time > at.getTime())
  const nextCheckAt = nextCheck === undefined ? null : new Date(nextCheck)
  const hasChanged = currency !== check.currency
  // The mark of a summary shows since when it is stale or gone.
  const markedAt = currency === 'current' ? null : at
  const changedAt = hasChanged ? markedAt : check.changedAt
  await recordCheck(db, check.id, { currency, changedAt, nextCheckAt })
  if (hasChanged) cache.drop([newsTags.summary(check.threadId)], 'at once')
}

/** The current relation of an article to its summary; unchanged when it cannot be determined. */
async function compare(deps: StepDeps, run: Run, { url, quotes, currency }: DueCheck): Promise<SummaryCurrency> {
  try {
    const { text } = await fetchDocument(deps, run, url)
    return quotes.every((quote) => text.includes(quote)) ? 'current' : 'stale'
  } catch (error) {
    if (!(error instanceof NewsRefusal)) throw error
    if (error.problem === 'gone') return 'gone'
    // The page exists, but has none of the quoted text.
    return error.problem === 'no_text' || error.problem === 'not_html' ? 'stale' : currency
  }
}
