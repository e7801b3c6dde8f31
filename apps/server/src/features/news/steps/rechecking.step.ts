/**
 * Reads the articles of published stories again. A summary whose article was changed, corrected,
 * removed or closed to machines is marked at once, and an administrator looks at it.
 */
import { findChanges } from '@shinobi/newsroom/articles/changes'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { newsTags } from '../news.tags.ts'
import type { NewsProblem, SummaryCurrency } from '@shinobi/contract/news'
import { recordCheck, selectDueChecks, type DueCheck } from './rechecking.queries.ts'
import { fetchDocument } from './reading.step.ts'
import { byHost, type Run, type StepDeps } from './run.ts'

const HOUR_MS = 3_600_000
/**
 * When an article is read again, counted from the publication of its story. Most corrections come
 * within hours, retractions within days.
 */
const CHECKS_MS = [1, 6, 24, 72, 7 * 24].map((hours) => hours * HOUR_MS)
const CHECKS_AT_ONCE = 100

/** When the article of a story is read again for the first time. */
export const firstRecheckAfter = (publishedAt: Date): Date => new Date(publishedAt.getTime() + CHECKS_MS[0]!)

export const recheckStories = (deps: StepDeps, run: Run): Promise<void> =>
  byHost(
    deps,
    run,
    (at) => selectDueChecks(deps.db, at, CHECKS_AT_ONCE),
    (check) => recheckStory(deps, run, check),
  )

async function recheckStory(deps: StepDeps, run: Run, check: DueCheck): Promise<void> {
  const { db, now, cache, live } = deps
  const { currency, findings } = await compare(deps, run, check)
  const at = new Date(now())
  const nextCheck = CHECKS_MS.map((after) => check.publishedAt.getTime() + after).find((time) => time > at.getTime())
  const nextCheckAt = nextCheck === undefined ? null : new Date(nextCheck)
  const hasChanged = currency !== check.currency
  // The mark of a summary shows since when it is stale or gone.
  const markedAt = currency === 'current' ? null : at
  const changedAt = hasChanged ? markedAt : check.changedAt
  // Another change since is one more that nobody has looked at.
  const isNew = hasChanged || findings.some((finding) => !check.findings.includes(finding))
  const reviewedAt = isNew ? null : check.reviewedAt
  const told = JSON.stringify(findings)
  await recordCheck(db, check, { currency, changedAt, reviewedAt, findings: told, nextCheckAt })
  if (hasChanged) cache.drop([newsTags.summary(check.threadId)], 'at once')
  if (isNew) live.queueChanged()
}

type Compared = Pick<DueCheck, 'currency' | 'findings'>

/** What a summary is whose article cannot be read. Other problems say nothing about it. */
const CURRENCY_OF: Partial<Record<NewsProblem, SummaryCurrency>> = {
  ...{ gone: 'gone', opt_out: 'opted_out', robots: 'opted_out' },
  // The page exists, but has none of the quoted text.
  ...{ no_text: 'stale', not_html: 'stale' },
}

/** The current relation of an article to its summary; unchanged when it cannot be determined. */
async function compare(deps: StepDeps, run: Run, check: DueCheck): Promise<Compared> {
  const { url, quotes, title, text } = check
  try {
    const now = await fetchDocument(deps, run, url)
    // Texts of publishers are deleted after a while; then only the quotes are compared.
    const before = title === null || text === null ? now : { title, text }
    const changes = findChanges(before, now, quotes)
    if (changes === null) return { currency: 'current', findings: [] }
    const isKnown = changes.told.every((finding) => check.findings.includes(finding))
    // Only a correction makes a summary current that was looked at: it has answered these changes.
    if (isKnown && check.currency === 'current' && check.reviewedAt !== null) return check
    return { currency: changes.kind, findings: [...changes.told] }
  } catch (error) {
    if (!(error instanceof NewsRefusal)) throw error
    const currency = CURRENCY_OF[error.problem]
    return currency === undefined ? check : { currency, findings: [] }
  }
}
