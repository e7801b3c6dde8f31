/** What publishers, the newsroom and its administrator do in tests. */
import { expect } from 'vitest'
import type { NewsCorrection, NewsStory } from '@shinobi/contract/news'
import type { ThreadItem } from '@shinobi/contract/threads'
import type { Matter, Newspaper } from '@shinobi/newsroom/testing/outside/newspaper'
import type { Route } from '@shinobi/newsroom/testing/outside/publishers'
import type { Answer } from '../board.ts'
import { addSource as insertSource, type SourceFields } from '../stories.ts'
import { LIBRARY, MINUTE } from './matters.ts'
import { admin, board, logIn, paper } from './newsroom.ts'
import { onlyStory, threads } from './seen.ts'

/** Lists these articles in the feed of a newspaper, as new ones. @returns the feed's address */
export const announce = (matters: readonly Matter[], at: Newspaper = paper, path = '/feed'): string =>
  at.announce(path, matters, { newest: board.clock.now - 5 * MINUTE })

/** Serves these articles as a newspaper, with a feed. @returns the feed's address */
export function publish(matters: readonly Matter[], at: Newspaper = paper): string {
  for (const matter of matters) at.print(matter)
  return announce(matters, at)
}

/**
 * Serves a path of the newspaper.
 * @param act what happens when it is requested, before the answer
 * @returns resolves after that
 */
export function whenAsked(path: string, route: Route, act: () => Promise<unknown> = async () => {}): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  paper.set(path, async () => {
    await act().then(resolve, reject)
    return route
  })
  return promise
}

/** Adds a feed. @returns its id */
export const addSource = (url: string, fields: Omit<SourceFields, 'url'> = {}): Promise<string> =>
  insertSource(board, { url, ...fields })

export const setSource = (id: string, fields: { active?: boolean; categoryId?: string | null }) =>
  board.database.db.updateTable('newsSources').set(fields).where('id', '=', id).execute()

/** Processes all that is due, after moving the clock ahead; the administrator stays logged in. */
export async function runLater(ms: number) {
  board.clock.now += ms
  const report = await board.deps.news.run()
  await board.settle()
  if (ms > 0) await logIn()
  return report!
}

/** Publishes articles with a feed that is read, and processes all that is due. */
export async function runWith(matters: readonly Matter[], fields: Omit<SourceFields, 'url'> = {}) {
  await addSource(publish(matters), fields)
  return runLater(0)
}

/** Publishes the news of the library, and opens its thread. */
export async function publishOne(): Promise<{ story: NewsStory; thread: ThreadItem; sourceId: string }> {
  const sourceId = await addSource(publish([LIBRARY]))
  await runLater(0)
  const [thread] = (await threads()).values()
  return { story: await onlyStory(), thread: thread!, sourceId }
}

/** A decision of the administrator on a story. */
export const decide = (
  { _id }: Pick<NewsStory, '_id'>,
  decision: 'approve' | 'reject' | 'restore' | 'retry' | 'keep' | 'withdraw' | 'correct',
  body?: object,
): Promise<Answer<NewsStory & { message?: string }>> => admin.post(`/api/admin/news/stories/${_id}/${decision}`, body)

/** Approves a story, and processes all that is due. */
export async function approve(story: Pick<NewsStory, '_id'>) {
  expect((await decide(story, 'approve')).status).toBe(200)
  return runLater(0)
}

/** Corrects a story: what is not given stays as it is. */
export const correct = (story: NewsStory, fields: Partial<NewsCorrection>) =>
  decide(story, 'correct', {
    ...{ title: story.title, sentences: story.sentences.map(({ text }) => text) },
    ...{ note: '誤りがありました。', corrections: story.corrections.length, ...fields },
  })

/** Activates the kill switch of a source. */
export const stop = (id: string): Promise<Answer<unknown>> =>
  admin.post(`/api/admin/news/sources/${id}/stop`, { reason: '配信元の要請', withdraw: true })
