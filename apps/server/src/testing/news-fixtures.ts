/**
 * Fixtures for tests of the news pipeline: a board that reads two newspapers of the test, and
 * helper functions.
 */
import { expect } from 'vitest'
import type { NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { ThreadItem } from '@shinobi/contract/threads'
import {
  feedOf,
  MATTERS,
  startNewspaper,
  type Matter,
  type Newspaper,
} from '@shinobi/newsroom/testing/outside/newspaper'
import type { Route } from '@shinobi/newsroom/testing/outside/publishers'
import { PASSWORD } from './board.ts'
import { boardTest } from './fixtures.ts'
import { addSource as insertSource, type SourceFields } from './stories.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export const [LIBRARY, FERRY, COMET, TEA, RUGBY, BEAR, CHIP, VIOLIN, FLU, RAIL, CORAL, MANGA] = MATTERS as [
  ...[Matter, Matter, Matter, Matter, Matter, Matter, Matter, Matter, Matter, Matter, Matter, Matter],
]

/** A death, and a mourner who lives. */
export const OBITUARY: Matter = {
  slug: 'obituary',
  title: '作曲家の三枝暁子さん死去　92歳、童謡「灯の子」',
  paragraphs: [
    '童謡「灯の子」で知られる作曲家の三枝暁子さんが21日、肺炎のため鎌倉市の病院で死去した。92歳だった。',
    '生涯に残した作品は約300曲に上り、校歌も全国140校余りに提供した。',
    '親交のあった歌手の立花静香さんは「先生の歌には海の匂いがした」としのんだ。',
  ],
}

/**
 * Each test begins with an administrator logged in and without news; the clock moves days ahead
 * between tests.
 */
export const newsTest = boardTest
  .override('settings', { NEWS_PRIVATE_ADDRESSES: 'true' })
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of what a fixture needs from this pattern
  .extend('paper', async ({}, { onCleanup }) => {
    const newspaper = await startNewspaper()
    onCleanup(() => newspaper.close())
    return newspaper
  })
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of what a fixture needs from this pattern
  .extend('secondPaper', async ({}, { onCleanup }) => {
    const newspaper = await startNewspaper()
    onCleanup(() => newspaper.close())
    return newspaper
  })
  .extend('helpers', ({ board, guest, admin, paper }) => {
    /** The clock moves by hours and days, so sessions expire. */
    const logIn = () => admin.post('/auth/login', { username: admin.name, password: PASSWORD })
    /** Adds a feed. @returns its id */
    const addSource = (url: string, fields: Omit<SourceFields, 'url'> = {}) => insertSource(board, { url, ...fields })
    const sourceOf = (id: string) =>
      board.database.db.selectFrom('newsSources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const articles = () => board.database.db.selectFrom('newsArticles').selectAll().orderBy('id').execute()
    const stories = async (): Promise<NewsStory[]> =>
      (await admin.get<{ stories: NewsStory[] }>('/api/admin/news/stories')).body.stories
    /** Activates the kill switch of a source. */
    const stop = (id: string) =>
      admin.post(`/api/admin/news/sources/${id}/stop`, { reason: '配信元の要請', withdraw: true })
    /** Processes all that is due, after moving the clock ahead. */
    async function runLater(ms: number) {
      board.clock.now += ms
      const report = await board.deps.news.run()
      await board.settle()
      return report!
    }
    /** The visible threads since a time, by title. */
    async function threadsSince(time: number): Promise<Map<string, ThreadItem>> {
      const { body } = await guest.get<ThreadItem[]>('/api/threads?limit=50')
      const young = body.filter(({ createdAt }) => Date.parse(createdAt) >= time)
      return new Map(young.map((thread) => [thread.title, thread]))
    }
    const summaryOf = async (thread: { _id: string }): Promise<ThreadSummary> =>
      (await guest.get<ThreadSummary>(`/api/threads/${thread._id}/summary`)).body
    /** Serves these articles as a newspaper, with a feed at /feed. @returns the feed's address */
    function publish(matters: readonly Matter[], at: Newspaper = paper): string {
      for (const matter of matters) at.print(matter)
      return at.announce('/feed', matters, { newest: board.clock.now - 5 * MINUTE })
    }
    /** A route that serves the feed, for use in a larger route. */
    const feedRoute = (matters: readonly Matter[]): Route => ({
      body: feedOf(
        'rss',
        matters.map(({ slug, title }) => ({
          ...{ url: `${paper.url}/articles/${slug}`, title, at: new Date(board.clock.now) },
        })),
      ),
    })
    const switchTo = (id: string, active: boolean) =>
      board.database.db.updateTable('newsSources').set({ active }).where('id', '=', id).execute()
    const settings = async (change: Record<string, unknown>): Promise<void> => {
      await logIn()
      expect((await admin.put('/api/admin/settings', change)).status).toBe(200)
    }
    const publishOne = async (): Promise<{ story: NewsStory; thread: ThreadItem; sourceId: string }> => {
      const begun = board.clock.now
      const sourceId = await addSource(publish([LIBRARY]))
      await runLater(0)
      const thread = (await threadsSince(begun)).get(LIBRARY.title)!
      return { story: (await stories())[0]!, thread, sourceId }
    }
    const settingsOf = (change: Record<string, unknown>) => admin.put('/api/admin/settings', change)
    return {
      logIn,
      addSource,
      sourceOf,
      articles,
      stories,
      stop,
      runLater,
      threadsSince,
      summaryOf,
      publish,
      feedRoute,
      switchTo,
      settings,
      publishOne,
      settingsOf,
    }
  })
  .extend('news', { auto: true }, async ({ board, helpers }, { onCleanup }) => {
    await helpers.logIn()
    onCleanup(async () => {
      const { db } = board.database
      await db.deleteFrom('newsArticles').execute()
      await db.deleteFrom('newsStories').execute()
      await db.deleteFrom('newsSources').execute()
      await board.settle()
      board.clock.now += 3 * DAY
    })
  })
