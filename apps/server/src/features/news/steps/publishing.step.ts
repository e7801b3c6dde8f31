/**
 * Opens the threads of ready stories, each in the transaction that marks the story as published.
 */
import type { Transaction } from 'kysely'
import { messages } from '@shinobi/contract/messages'
import type { NewsProblem } from '@shinobi/contract/news'
import type { StorySummary } from '@shinobi/newsroom/documents'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Tables, StoredImage } from '../../../db/tables.ts'
import { afterCommit, inTransaction } from '../../../db/transaction.ts'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { insertAudit } from '../../audit/audit.queries.ts'
import { holdCategory } from '../../categories/categories.queries.ts'
import { holdNewsActive } from '../../settings/settings.queries.ts'
import { openThreadIn } from '../../threads/threads.service.ts'
import { firstRecheckAfter } from './rechecking.step.ts'
import { updateStory } from '../stories.queries.ts'
import { countPublished, countThread, holdSource, lockReadyStory, selectReadyStory } from './publishing.queries.ts'
import type { ReadyStory } from './publishing.queries.ts'
import { Stopped, TOO_OLD_MS, type Run, type StepDeps } from './run.ts'

const HOUR_MS = 3_600_000

export async function publishStories(deps: StepDeps, run: Run): Promise<void> {
  const { db, now, settings, log } = deps
  while (!run.isOver()) {
    const lastHour = { from: new Date(now() - HOUR_MS), to: new Date(now()) }
    if ((await countPublished(db, lastHour)) >= settings.current.newsThreadsPerHour) return
    const story = await selectReadyStory(db, lastHour)
    if (story === undefined) return
    try {
      const image = story.image ?? (await fetchPicture(deps, run, story))
      const outcome = await inTransaction(db, (tx) => publishIn(tx, deps, story, image))
      // The next run reads the changed state.
      if (outcome === 'unsettled') return
      if (outcome !== 'waiting') run.counts[outcome] += 1
    } catch (error) {
      if (error instanceof Stopped || isDatabaseAway(error)) throw error
      log.error({ err: error, story: story.id }, 'news: a story could not be published')
      // A postponed story does not block the next one.
      await updateStory(db, { id: story.id, state: 'ready' }, { nextTryAt: new Date(now() + HOUR_MS) })
    }
  }
}

/**
 * Stores the picture of an article and its name in the story, so that it is not lost in a crash. If
 * that fails, the thread has no picture.
 */
async function fetchPicture(deps: StepDeps, run: Run, { id, imageUrl }: ReadyStory): Promise<StoredImage | null> {
  if (imageUrl === null) return null
  const { db, images, log } = deps
  let image: StoredImage
  try {
    image = await images.save(await run.wait(run.publishers.image(imageUrl)))
  } catch (error) {
    if (error instanceof Stopped) throw error
    const reason = error instanceof NewsRefusal ? error.problem : (error as Error).message
    log.info({ story: id, reason }, 'news: a picture cannot be used')
    return null
  }
  await updateStory(db, { id }, { image: JSON.stringify(image) })
  return image
}

/** unsettled: the state of the story, its source or the news changed meanwhile. */
type Outcome = 'published' | 'refused' | 'waiting' | 'unsettled'

async function publishIn(
  tx: Transaction<Tables>,
  deps: StepDeps,
  { id, categoryId, sourceId }: ReadyStory,
  picture: StoredImage | null,
): Promise<Outcome> {
  const ready = { id, state: 'ready' } as const
  const refused = async (problem: NewsProblem, findings: readonly string[] = []): Promise<Outcome> => {
    await updateStory(tx, ready, { state: 'refused', problem, findings: JSON.stringify(findings), nextTryAt: null })
    return 'refused'
  }
  // Locks in the usual order: category, source, story.
  const hasCategory = categoryId !== null && (await holdCategory(tx, categoryId))
  const source = sourceId === null ? undefined : await holdSource(tx, sourceId)
  const story = await lockReadyStory(tx, id)
  if (story === undefined) return 'unsettled'
  if (!hasCategory || story.categoryId === null) return refused('category_missing')
  if (source === undefined || source.permission === 'blocked') return refused('blocked')
  if (source.permission === 'headline' && story.kind !== 'headline') return refused('blocked')
  if (deps.settings.current.newsApproval && story.approvedAt === null) {
    // It became ready before approval was switched on.
    await updateStory(tx, ready, { state: 'waiting', nextTryAt: null })
    return 'waiting'
  }
  if (story.begunAt.getTime() < deps.now() - TOO_OLD_MS) return refused('too_old')
  // Reads the kill switch again, which may have been used meanwhile.
  const isOn = await holdNewsActive(tx, deps.settings.defaults.newsActive)
  if (!source.active || !isOn || story.categoryId !== categoryId) return 'unsettled'
  const judged = judge(deps, story.summary)
  if (judged.banned !== null) return refused('banned_word', [judged.banned])

  const { summary } = judged
  const image = story.kind === 'headline' ? null : picture
  // The publisher no longer allows more than the headline; the picture is from before.
  if (picture !== null && image === null) afterCommit(tx, () => void deps.images.remove(picture))
  const at = new Date(deps.now())
  const threadId = uuidv7(at.getTime())
  const postId = await openThreadIn(tx, deps, {
    ...{ id: threadId, categoryId, title: summary.title, content: toOpening(summary), image },
    ...{ nickname: null, userId: null, visitorId: null, clientThreadId: null },
    news: { kind: story.kind, site: source.name, url: story.url },
  })
  await updateStory(tx, ready, {
    ...{ state: 'published', threadId, summary: JSON.stringify(summary), publishedAt: at, nextTryAt: null },
    image: image === null ? null : JSON.stringify(image),
    nextCheckAt: story.kind === 'headline' ? null : firstRecheckAfter(at),
  })
  await countThread(tx, id)
  // Other servers learn of the thread by this entry (see moderation/follow-removals.ts).
  await insertAudit(tx, {
    ...{ actor: null, at, action: 'news_publish', categoryId, threadId, subject: summary.title },
    details: { story: id, kind: story.kind },
  })
  const { flagged: word } = judged
  if (word !== null && postId !== null) afterCommit(tx, () => deps.words.flagPost({ threadId, postId, word }))
  return 'published'
}

/** The opening text of a news thread. */
export const toOpening = ({ sentences }: Pick<StorySummary, 'sentences'>): string =>
  sentences.length === 0 ? messages.news_headline_text : sentences.map(({ text }) => text).join('\n')

/**
 * Applies the word rules to a summary. A text that would be held is refused, because nobody waits
 * for the decision.
 * @returns the summary with masked words replaced; a word of a blocking or holding rule; a word of
 * a flagging one
 */
function judge({ words }: Pick<StepDeps, 'words'>, { title, sentences }: StorySummary) {
  const ofTitle = words.judge(title)
  const ofTexts = sentences.map(({ text }) => words.judge(text))
  const ofWhole = words.judge(toOpening({ sentences }))
  const ofQuotes = sentences.map(({ quote }) => words.judge(quote))
  const all = [ofTitle, ofWhole, ...ofTexts, ...ofQuotes]
  return {
    summary: {
      title: ofTitle.text,
      sentences: sentences.map(({ quote }, index) => ({ text: ofTexts[index]!.text, quote })),
    },
    banned: all.find(({ action }) => action === 'block' || action === 'hold')?.word ?? null,
    flagged: ofTitle.flagged ?? ofWhole.flagged,
  }
}
