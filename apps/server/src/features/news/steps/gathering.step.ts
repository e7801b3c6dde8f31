/**
 * Groups the articles that were read into stories: articles of several sources on the same news
 * become one story.
 */
import type { NewsProblem } from '@shinobi/contract/news'
import { likeness, SAME_STORY } from '@shinobi/newsroom/articles/near-duplicates'
import { hashUrl } from '@shinobi/newsroom/articles/urls'
import { isOtherTime } from '@shinobi/newsroom/claims/other-event'
import type { Vector } from '@shinobi/newsroom/summaries/embedder'
import { afterCommit, inTransaction } from '../../../db/transaction.ts'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { selectDueArticles, updateArticle } from '../articles.queries.ts'
import { newsTags } from '../news.tags.ts'
import { embedArticles, findSameEvent } from './same-event.ts'
import {
  insertStory,
  lockReadArticle,
  selectLikelyStories,
  selectStoryOfAddress,
  selectThreadOfStory,
  type ReadArticleRow,
} from './gathering.queries.ts'
import { Stopped, TOO_OLD_MS, type Run, type StepDeps } from './run.ts'

const ARTICLES_AT_ONCE = 100
/** Older stories are not compared: a later article on them counts as new. */
const SAME_WITHIN_MS = 48 * 3_600_000
const TRY_AGAIN_MS = 3_600_000

export async function gatherArticles(deps: StepDeps, run: Run): Promise<void> {
  while (!run.isOver()) {
    const articles = await selectDueArticles(deps.db, 'read', new Date(deps.now()), ARTICLES_AT_ONCE)
    if (articles.length === 0) return
    const ids = articles.map(({ id }) => id)
    const vectors = await embedArticles(deps, run, ids, new Date(deps.now() - SAME_WITHIN_MS))
    for (const id of ids) {
      if (run.isOver()) return
      try {
        await gatherArticle(deps, run, id, vectors)
      } catch (error) {
        if (error instanceof Stopped || isDatabaseAway(error)) throw error
        deps.log.error({ err: error, article: id }, 'news: an article could not be gathered')
        // A postponed article does not block the next one.
        await updateArticle(deps.db, { id, state: 'read' }, { nextTryAt: new Date(deps.now() + TRY_AGAIN_MS) })
      }
    }
  }
}

async function gatherArticle(
  deps: StepDeps,
  run: Run,
  id: string,
  vectors: ReadonlyMap<string, Vector>,
): Promise<void> {
  const { db, now, cache } = deps
  const at = new Date(now())
  // Before the transaction: it may take a moment.
  const sameEvent = await findSameEvent(deps, run, id, vectors)
  const became = await inTransaction(db, async (tx) => {
    const article = await lockReadArticle(tx, id)
    if (article === undefined) return null
    const { document } = article
    const skip = async (problem: NewsProblem) => {
      await updateArticle(tx, { id, state: 'read' }, { state: 'skipped', problem, nextTryAt: null })
      return 'skipped' as const
    }
    // The source or the server was off meanwhile.
    if (article.foundAt.getTime() < now() - TOO_OLD_MS) return skip('too_old')
    const storyId = (await findStory({ db: tx, now }, article)) ?? sameEvent
    // The article contains instructions to machines, and its title would appear below an open
    // thread before an administrator has seen it.
    if (storyId !== null && document !== null && document.suspicious.length > 0) return skip('machine_talk')
    if (storyId === null) await insertStory(tx, article, at)
    await updateArticle(tx, { id, state: 'read' }, { state: 'told', storyId: storyId ?? id, nextTryAt: null })
    const threadId = storyId === null ? null : await selectThreadOfStory(tx, storyId)
    if (threadId !== null) afterCommit(tx, () => cache.drop([newsTags.summary(threadId)], 'at once'))
    return storyId === null ? 'stories' : null
  })
  if (became !== null) run.counts[became] += 1
}

/** The story of an earlier article on the same news; null for the first one. */
async function findStory({ db, now }: Pick<StepDeps, 'db' | 'now'>, article: ReadArticleRow): Promise<string | null> {
  const { id, document, bands } = article
  if (document === null) return null
  const same = await selectStoryOfAddress(db, id, hashUrl(document.canonicalUrl))
  if (same !== null) return same
  const since = new Date(now() - SAME_WITHIN_MS)
  for (const { storyId, ...report } of await selectLikelyStories(db, bands, since)) {
    if (likeness(report.text, document.text) >= SAME_STORY && !isOtherTime(report, document)) return storyId
  }
  return null
}
