/** From feeds to threads: when stories are published, and who approves them. */
import { describe, expect } from 'vitest'
import type { ListedNewsSource, NewsStatus, NewsStory } from '@shinobi/contract/news'
import { connectTo, openBoard } from '../../testing/board.ts'
import { LIBRARY, FERRY, COMET, newsTest as it } from '../../testing/news-fixtures.ts'
import { isRunLocked } from './run-lock.queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('publication', () => {
  it.afterEach(({ helpers: { settings } }) =>
    settings({ newsApproval: false, newsActive: true, newsThreadsPerHour: 20, readOnly: false }),
  )

  it('opens at most the set number of threads per hour, and the rest later', async ({
    helpers: { addSource, runLater, publish, settings },
  }) => {
    await settings({ newsThreadsPerHour: 2 })
    await addSource(publish([LIBRARY, FERRY, COMET]))
    expect(await runLater(0)).toMatchObject({ stories: 3, published: 2 })
    expect(await runLater(59 * MINUTE)).toMatchObject({ published: 0 })
    expect(await runLater(MINUTE)).toMatchObject({ published: 1 })
  })

  it('gives each source its share of an hour, and what others leave', async ({
    board,
    secondPaper,
    helpers: { addSource, runLater, threadsSince, publish, settings },
  }) => {
    await settings({ newsThreadsPerHour: 2 })
    const begun = board.clock.now
    await addSource(publish([LIBRARY, FERRY]))
    await addSource(publish([COMET], secondPaper))
    expect(await runLater(0)).toMatchObject({ stories: 3, published: 2 })
    const titles = [...(await threadsSince(begun)).keys()].join()
    expect(titles).toContain(COMET.title)
    expect(await runLater(HOUR)).toMatchObject({ published: 1 })
  })

  it('that does not happen has a reason at the desk, for each source and for all', async ({
    admin,
    paper,
    secondPaper,
    helpers: { addSource, runLater, publish, settings, logIn },
  }) => {
    const idle = async () => {
      const { body: sources } = await admin.get<ListedNewsSource[]>('/api/admin/news/sources')
      const { body: status } = await admin.get<NewsStatus>('/api/admin/news/status')
      return [...sources.map((source) => source.idle), status.idle]
    }
    expect(await idle()).toEqual([{ kind: 'no_sources', count: 0, problem: null }])
    paper.set('/robots.txt', { body: 'User-agent: *\nDisallow: /articles\n' })
    await addSource(publish([LIBRARY, FERRY]), { name: '朝の新聞' })
    expect(await idle()).toMatchObject([null, { kind: 'nothing_new' }])
    await runLater(0)
    const robots = { kind: 'refused', count: 2, problem: 'robots' }
    expect(await idle()).toEqual([robots, robots])
    await settings({ newsApproval: true })
    await addSource(publish([COMET], secondPaper), { name: '夕方の新聞' })
    await runLater(MINUTE)
    const waiting = { kind: 'waiting', count: 1, problem: null }
    expect(await idle()).toEqual(expect.arrayContaining([robots, waiting]))
    expect((await idle()).at(-1)).toEqual(waiting)
    const { body } = await admin.get<{ stories: NewsStory[] }>('/api/admin/news/stories?state=waiting')
    await admin.post(`/api/admin/news/stories/${body.stories[0]!._id}/approve`)
    await runLater(MINUTE)
    expect(await idle()).toEqual(expect.arrayContaining([null, robots]))
    // News are waited for two days.
    await runLater(3 * 24 * HOUR)
    await logIn()
    expect((await idle()).at(-1)).toMatchObject({ kind: 'nothing_new' })
  })

  it('waits for an administrator when approval is required', async ({
    board,
    admin,
    helpers: { addSource, stories, runLater, threadsSince, publish, settings },
  }) => {
    await settings({ newsApproval: true })
    const begun = board.clock.now
    await addSource(publish([LIBRARY, FERRY]))
    const desk = await connectTo(await board.listen(), admin)
    const told = new Promise((resolve) => desk.once('queueChanged', () => resolve(null)))
    expect(await runLater(0)).toMatchObject({ stories: 2, published: 0 })
    await told
    desk.close()
    expect((await admin.get('/api/admin/queue')).body).toMatchObject({ news: 2 })
    const waiting = await stories()
    expect(waiting.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    const [first, second] = waiting as [NewsStory, NewsStory]
    expect((await admin.post(`/api/admin/news/stories/${first._id}/approve`)).status).toBe(200)
    expect((await admin.post(`/api/admin/news/stories/${second._id}/reject`)).status).toBe(200)
    expect((await admin.post(`/api/admin/news/stories/${first._id}/approve`)).status).toBe(409)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect([...(await threadsSince(begun)).keys()]).toEqual([first.title])
    // A rejected story can still be approved.
    expect((await admin.post(`/api/admin/news/stories/${second._id}/approve`)).status).toBe(200)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await threadsSince(begun)).has(second.title)).toBe(true)
  })

  it('waits for approval also when that was switched on after the summary was made', async ({
    board,
    admin,
    helpers: { logIn, addSource, stories, runLater, threadsSince, publish, settings },
  }) => {
    await settings({ newsThreadsPerHour: 1 })
    const begun = board.clock.now
    await addSource(publish([LIBRARY, FERRY]))
    expect(await runLater(0)).toMatchObject({ stories: 2, published: 1 })
    await settings({ newsApproval: true, newsThreadsPerHour: 20 })
    expect(await runLater(HOUR)).toMatchObject({ published: 0 })
    await logIn()
    const waiting = (await stories()).find(({ state }) => state === 'waiting')!
    await admin.post(`/api/admin/news/stories/${waiting._id}/approve`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await threadsSince(begun)).size).toBe(2)
  })

  it('stops while the news are switched off', async ({
    paper,
    helpers: { addSource, runLater, publish, settings },
  }) => {
    await settings({ newsActive: false })
    await addSource(publish([LIBRARY]))
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect(paper.requests).toEqual([])
    await settings({ newsActive: true })
    expect(await runLater(0)).toMatchObject({ published: 1 })
  })

  it('waits while the board is read-only, and while there is no disk space for pictures', async ({
    board,
    helpers: { addSource, runLater, publish, settings },
  }) => {
    await settings({ readOnly: true })
    await addSource(publish([LIBRARY]))
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    await settings({ readOnly: false })
    const { freeBytes } = board.disk
    board.disk.freeBytes = 1
    await board.deps.writability.disk.look()
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    board.disk.freeBytes = freeBytes
    await board.deps.writability.disk.look()
    expect(await runLater(0)).toMatchObject({ published: 1 })
  })

  it('follows the word rules: refuses blocked and held words, and masks others', async ({
    board,
    admin,
    helpers: { addSource, stories, runLater, threadsSince, publish },
  }) => {
    const begun = board.clock.now
    const add = (word: string, action: string) => admin.post('/api/admin/words', { word, action })
    await Promise.all([add('図書館', 'block'), add('フェリー', 'hold'), add('彗星', 'mask')])
    await addSource(publish([LIBRARY, FERRY, COMET]))
    expect(await runLater(0)).toMatchObject({ published: 1, refused: 2 })
    expect([...(await threadsSince(begun)).keys()]).toEqual([COMET.title.replace('彗星', '＊＊')])
    const refused = (await stories()).filter(({ state }) => state === 'refused')
    expect(refused.map(({ problem }) => problem)).toEqual(['banned_word', 'banned_word'])
    await board.database.db.deleteFrom('bannedWords').execute()
    await board.deps.words.reload()
  })

  it('is refused when the category was deleted meanwhile, and succeeds by a retry in another category', async ({
    board,
    admin,
    helpers: { addSource, stories, runLater, publish, settings },
  }) => {
    await settings({ newsApproval: true })
    const { body: category } = await admin.post<{ _id: string }>('/api/admin/categories', {
      ...{ name: `速報${board.clock.now}`, description: 'すぐに消える' },
    })
    const { db } = board.database
    const source = await addSource(publish([LIBRARY]))
    await db.updateTable('newsSources').set({ categoryId: category._id }).where('id', '=', source).execute()
    await runLater(0)
    const [waiting] = await stories()
    await db.deleteFrom('categories').where('id', '=', category._id).execute()
    await admin.post(`/api/admin/news/stories/${waiting!._id}/approve`)
    expect(await runLater(0)).toMatchObject({ published: 0, refused: 1 })
    expect(await stories()).toMatchObject([{ state: 'refused', problem: 'category_missing' }])

    const { id: categoryId } = await db
      .selectFrom('categories')
      .select('id')
      .where('name', '=', 'general')
      .executeTakeFirstOrThrow()
    await db.updateTable('newsSources').set({ categoryId }).where('id', '=', source).execute()
    await settings({ newsApproval: false })
    expect((await admin.post(`/api/admin/news/stories/${waiting!._id}/retry`)).status).toBe(200)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect(await stories()).toMatchObject([{ state: 'published', category: 'general', problem: null }])
  })

  it('runs in one process at a time', async ({ board, paper, helpers: { addSource, publish } }) => {
    const standby = await openBoard({ NEWS_PRIVATE_ADDRESSES: 'true' }, board.database)
    standby.clock.now = board.clock.now
    const arrived = Promise.withResolvers<void>()
    publish([LIBRARY])
    paper.set('/slow', () => {
      arrived.resolve()
      return { pace: 'hang' }
    })
    await addSource(`${paper.url}/slow`)
    const first = board.deps.news.run()
    await arrived.promise
    expect(board.deps.news.state.running).toBe(true)
    expect(await standby.deps.news.run()).toBeNull()
    expect(await isRunLocked(standby.database.db)).toBe(true)
    paper.set('/slow', { status: 404 })
    await paper.close()
    expect(await first).toMatchObject({ feeds: 1, found: 0 })
    expect(await isRunLocked(standby.database.db)).toBe(false)
    expect(await standby.deps.news.run()).toMatchObject({ feeds: 0 })
    await standby.close()
  })

  it('runs on a server with NEWS_SCHEDULE as soon as it is woken, and not on others', async ({
    board,
    secondPaper,
    helpers: { addSource, stories, publish },
  }) => {
    const scheduled = await openBoard({ NEWS_PRIVATE_ADDRESSES: 'true', NEWS_SCHEDULE: 'true' }, board.database)
    scheduled.clock.now = board.clock.now
    await addSource(publish([LIBRARY]))
    board.deps.news.wake()
    expect(board.deps.news.state.running).toBe(false)
    scheduled.deps.news.wake()
    expect(scheduled.deps.news.state.running).toBe(true)
    // This source may come too late for the active run, so another run must follow.
    await addSource(publish([FERRY], secondPaper))
    scheduled.deps.news.wake()
    await scheduled.deps.news.settle()
    expect((await stories()).map(({ state }) => state)).toEqual(['published', 'published'])
    await scheduled.close()
  })

  it('continues after a stop of the server during a run, which counts as no failure', async ({
    board,
    paper,
    helpers: { addSource, sourceOf, articles, runLater, publish },
  }) => {
    const stopping = await openBoard({ NEWS_PRIVATE_ADDRESSES: 'true' }, board.database)
    stopping.clock.now = board.clock.now
    const arrived = Promise.withResolvers<void>()
    const feed = publish([LIBRARY])
    paper.set('/articles/library', () => {
      arrived.resolve()
      return { pace: 'hang' }
    })
    const id = await addSource(feed)
    const run = stopping.deps.news.run()
    await arrived.promise
    await stopping.close()
    expect(await run).toMatchObject({ found: 1, read: 0, skipped: 0 })
    expect(await articles()).toMatchObject([{ state: 'found', attempts: 0, problem: null }])
    expect(await sourceOf(id)).toMatchObject({ failures: 0 })
    paper.print(LIBRARY)
    expect(await runLater(0)).toMatchObject({ read: 1, published: 1 })
  })
})
