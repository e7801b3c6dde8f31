/** Decisions of administrators on stories; each is logged in the same transaction. */
import type { NewsCorrection } from '@shinobi/contract/news'
import { foldForSearch } from '@shinobi/text/fold'
import type { StorySummary } from '@shinobi/newsroom/documents'
import type { Db } from '../../db/client.ts'
import type { StoredCorrection } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { PUBLIC_LOG_TAG } from '../audit/audit.tags.ts'
import { updateOpening } from '../posts/posts.queries.ts'
import { selectStandingOpening } from '../posts/removals.queries.ts'
import { closeCases } from '../reports/cases.queries.ts'
import { setFoldIn } from '../reports/folding.service.ts'
import { deleteSearchDocuments, insertSearchDocuments } from '../search/search.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { removeThreadIn } from '../threads/threads-state.service.ts'
import { toExcerpt } from '../threads/threads.excerpt.ts'
import { announceThreadIn } from '../threads/thread-announcement.ts'
import { removalTags } from '../threads/threads.tags.ts'
import type { NewsDeps } from './news.deps.ts'
import { newsTags } from './news.tags.ts'
import { toOpening } from './steps/publishing.step.ts'
import {
  detachArticles,
  lockStory,
  selectPublishedStories,
  updateStory,
  type StoryChange,
  type StoryToDecide,
} from './stories.queries.ts'

type StoryDeps = Pick<NewsDeps, 'db' | 'now' | 'cache' | 'live' | 'threadEvents' | 'news'>

/** The administrator who decides. */
type Actor = Pick<Member, 'id' | 'name'>

interface Decision {
  /** The states in which it can be made. */
  readonly from: readonly StoryToDecide['state'][]
  /** Why it cannot be made in such a state either; null when it can. */
  readonly obstacle?: (story: StoryToDecide) => 'news_story_state' | 'news_story_not_kept' | null
  readonly change: (at: Date, story: StoryToDecide) => StoryChange
}

const DECISIONS = {
  /** Approves a waiting or rejected story for publication. */
  approve: {
    from: ['waiting', 'rejected'],
    change: (at) => ({ state: 'ready', nextTryAt: at, begunAt: at, approvedAt: at }),
  },
  /** Rejects a waiting story. */
  reject: { from: ['waiting'], change: () => ({ state: 'rejected', nextTryAt: null }) },
  /** Undoes a rejection: the story waits again. */
  restore: { from: ['rejected'], change: () => ({ state: 'waiting' }) },
  /** Summarises a refused story again, in the current category of its source; its costs stay. */
  retry: {
    from: ['refused'],
    obstacle: ({ isKept }) => (isKept ? null : 'news_story_not_kept'),
    change: (at, { categoryOfSource: categoryId }) => ({
      ...{ state: 'new', problem: null, findings: '[]', nextTryAt: at, begunAt: at, approvedAt: null, categoryId },
    }),
  },
  /** Leaves a published story as it is, although its article has changed. */
  keep: {
    from: ['published'],
    obstacle: ({ currency, reviewedAt }) => (currency === 'current' || reviewedAt !== null ? 'news_story_state' : null),
    change: (at) => ({ reviewedAt: at }),
  },
} as const satisfies Readonly<Record<string, Decision>>

/**
 * Makes a decision on a story.
 * @throws ApiError not_found; already_done, also for a retry when its text was deleted
 */
export async function decideStory(
  deps: StoryDeps,
  actor: Actor,
  id: string,
  name: keyof typeof DECISIONS,
): Promise<void> {
  const at = new Date(deps.now())
  const { from, obstacle, change }: Decision = DECISIONS[name]
  await inTransaction(deps.db, async (tx) => {
    const story = await lockStoryIn(tx, id, from)
    const message = obstacle?.(story) ?? null
    if (message !== null) throw refuse('already_done', message)
    await updateStory(tx, story, change(at, story))
    await log(tx, { actor, at, action: `news_${name}` }, story)
    afterCommit(tx, deps.live.queueChanged)
  })
  deps.news.wake()
}

/**
 * Removes the thread of a story, which makes the story withdrawn as long as the thread is removed.
 * @throws ApiError not_found; already_done, also when a moderator has removed it
 */
export async function withdrawStory(deps: StoryDeps, actor: Actor, id: string, reason: string): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const story = await lockStoryIn(tx, id, ['published'])
    const threadId = story.threadId!
    const { categoryId } = await removeThreadIn(tx, deps, threadId, at).catch((error: unknown) => {
      // Without its thread a story is not published.
      throw error instanceof ApiError ? refuse('already_done', 'news_story_state') : error
    })
    await log(tx, { actor, at, action: 'news_withdraw', reason, isPublic: true }, { ...story, categoryId })
    afterCommit(tx, () => deps.cache.drop([newsTags.summary(threadId), PUBLIC_LOG_TAG], 'at once'))
  })
}

const STORIES_AT_ONCE = 100

/**
 * Withdraws the threads of a source, or of all (null), each in its own transaction, so that no lock
 * is held until the last one. Removes the source from threads of other sources' stories.
 * @returns the number of withdrawn threads
 */
export async function withdrawStories(
  deps: StoryDeps,
  actor: Actor,
  { sourceId }: { readonly sourceId: string | null },
  reason: string,
): Promise<number> {
  if (sourceId !== null) {
    const threadIds = await detachArticles(deps.db, sourceId)
    deps.cache.drop(threadIds.map(newsTags.summary), 'at once')
  }
  let count = 0
  let after: string | null = null
  for (;;) {
    const ids: string[] = await selectPublishedStories(deps.db, { sourceId, after, limit: STORIES_AT_ONCE })
    for (const id of ids) {
      try {
        await withdrawStory(deps, actor, id, reason)
        count += 1
      } catch (error) {
        // Another decision on this story came first.
        if (!(error instanceof ApiError)) throw error
      }
    }
    if (ids.length < STORIES_AT_ONCE) return count
    after = ids.at(-1)!
  }
}

/**
 * Corrects title and sentences of a published story, and shows the reason to readers of its thread.
 * The quotes stay. A story of the kind headline has only a title. Reports of the text are thereby
 * decided: it is unfolded, and the same reporters do not fold it again. It answers the changes of
 * the article that were found so far.
 * @throws ApiError not_found; already_done when its thread or post 1 was removed, or another
 * correction came first; bad_content when the number of sentences differs
 */
export async function correctStory(
  deps: StoryDeps,
  actor: Actor,
  id: string,
  { title, sentences, note, corrections }: NewsCorrection,
): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const story = await lockStoryIn(tx, id, ['published'])
    const before = story.summary!
    if (corrections !== story.corrections.length) throw refuse('already_done', 'news_story_corrected')
    if (sentences.length !== before.sentences.length) throw refuse('bad_content', 'news_sentences_count')
    const threadId = story.threadId!
    const thread = await lockStandingThread(tx, threadId)
    if (thread === undefined) throw refuse('already_done', 'thread_already_removed')
    const opening = await selectStandingOpening(tx, threadId)
    // A correction must not restore a removed text.
    if (opening === undefined) throw refuse('already_done', 'news_opening_removed')
    const key = { threadId, postId: opening.id }
    await setFoldIn(tx, deps, key, null, 'reporters')
    const after = { title, sentences: before.sentences.map(({ quote }, index) => ({ text: sentences[index]!, quote })) }
    const isAnswered = story.currency === 'stale' || story.currency === 'corrected'
    await updateStory(tx, story, {
      summary: JSON.stringify(after),
      corrections: JSON.stringify([...story.corrections, { at, note, changes: changesOf(before, after) }]),
      reviewedAt: at,
      // The mark of an article out of reach stays.
      ...(isAnswered ? { currency: 'current', changedAt: null } : {}),
    })
    const content = toOpening(after)
    const state = await updateOpening(tx, threadId, { title, excerpt: toExcerpt(content), content })
    const documents = [title, content].map((text, number) => ({ threadId, number, text: foldForSearch(text) }))
    await deleteSearchDocuments(tx, documents)
    await insertSearchDocuments(tx, documents)
    const { categoryId } = thread
    const entry = { actor, at, action: 'news_correct', reason: note } as const
    const actionId = await log(tx, entry, { ...story, categoryId }, { before, after })
    const closing = { decision: entry.action, by: actor.name, actionId, at, stands: true }
    if ((await closeCases(tx, [key], closing)) > 0) afterCommit(tx, deps.live.queueChanged)
    const tags = removalTags({ threadIds: [threadId], categoryIds: [categoryId] })
    announceThreadIn(tx, deps, { threadId, ...state }, tags.add(newsTags.summary(threadId)))
  })
}

/** The title and the sentences that a correction changes. */
function changesOf(before: StorySummary, after: StorySummary): NonNullable<StoredCorrection['changes']> {
  const texts = ({ title, sentences }: StorySummary): string[] => [title, ...sentences.map(({ text }) => text)]
  const now = texts(after)
  return texts(before).flatMap((text, index) => (text === now[index] ? [] : [{ before: text, after: now[index]! }]))
}

/** Locks a story in one of some states. @throws ApiError not_found, already_done */
async function lockStoryIn(tx: Db, id: string, states: readonly StoryToDecide['state'][]): Promise<StoryToDecide> {
  const story = await lockStory(tx, id)
  if (story === undefined) throw refuse('not_found', 'news_story_not_found')
  if (!states.includes(story.state)) throw refuse('already_done', 'news_story_state')
  return story
}

const log = (
  tx: Db,
  entry: Pick<NewAuditEntry, 'actor' | 'at' | 'action' | 'reason' | 'isPublic'>,
  { id, categoryId, threadId, title }: Pick<StoryToDecide, 'id' | 'categoryId' | 'threadId' | 'title'>,
  details: { readonly before?: StorySummary; readonly after?: StorySummary } = {},
): Promise<string> =>
  insertAudit(tx, { ...entry, categoryId, threadId, subject: title, details: { story: id, ...details } })
