/** From feeds to threads: when stories are published, and who approves them. */
import { describe, expect, it } from 'vitest'
import type { ListedNewsSource, NewsStory } from '@shinobi/contract/news'
import { addArticle, addStory } from '../../testing/stories.ts'
import { connectTo } from '../../testing/board.ts'
import { isRunLocked } from './run-lock.queries.ts'
import { MATTERS } from '@shinobi/newsroom/testing/outside/newspaper'
import { MINUTE, HOUR, DAY, LIBRARY, FERRY, COMET } from '../../testing/news/matters.ts'
import { admin, board, change, openNewsroom, openOther, paper, secondPaper } from '../../testing/news/newsroom.ts'
import { articles, onlyStory, sourceOf, status, stories, titles } from '../../testing/news/seen.ts'
import {
  addSource,
  approve,
  decide,
  publish,
  runLater,
  runWith,
  setSource,
  whenAsked,
} from '../../testing/news/work.ts'

openNewsroom()

describe('publication', () => {
  it('opens at most the set number of threads per hour, and the rest later', async () => {
    await change({ newsThreadsPerHour: 2 })
    expect(await runWith([LIBRARY, FERRY, COMET])).toMatchObject({ stories: 3, published: 2 })
    expect(await runLater(59 * MINUTE)).toMatchObject({ published: 0 })
    expect(await runLater(MINUTE)).toMatchObject({ published: 1 })
  })

  it('gives each source its share of an hour, and what others leave', async () => {
    await change({ newsThreadsPerHour: 2 })
    await addSource(publish([LIBRARY, FERRY]))
    await addSource(publish([COMET], secondPaper))
    expect(await runLater(0)).toMatchObject({ stories: 3, published: 2 })
    expect(await titles()).toContain(COMET.title)
    expect(await runLater(HOUR)).toMatchObject({ published: 1 })
  })

  it('goes on for other sources while ready stories wait for one that is switched off', async () => {
    await change({ newsThreadsPerHour: 1 })
    const id = await addSource(publish(MATTERS.slice(0, 8)))
    expect(await runLater(0)).toMatchObject({ stories: 8, published: 1 })
    await runLater(MINUTE)
    expect(await stories('ready')).toHaveLength(6)
    await setSource(id, { active: false })
    const other = MATTERS[8]!
    await addSource(publish([other], secondPaper))
    expect(await runLater(HOUR)).toMatchObject({ stories: 1, published: 1 })
    expect(await titles()).toContain(other.title)
  })

  it('that does not happen has a reason at the desk, for each source and for all', async () => {
    const idle = async () => {
      const { body: sources } = await admin.get<ListedNewsSource[]>('/api/admin/news/sources')
      return [...sources.map((source) => source.idle), (await status()).idle]
    }
    expect(await idle()).toEqual([{ kind: 'no_sources', count: 0, problem: null }])
    paper.set('/robots.txt', { body: 'User-agent: *\nDisallow: /articles\n' })
    await addSource(publish([LIBRARY, FERRY]), { name: '朝の新聞' })
    expect(await idle()).toMatchObject([null, { kind: 'nothing_new' }])
    await runLater(0)
    const robots = { kind: 'refused', count: 2, problem: 'robots' }
    expect(await idle()).toEqual([robots, robots])
    await change({ newsApproval: true })
    await addSource(publish([COMET], secondPaper), { name: '夕方の新聞' })
    await runLater(MINUTE)
    const waiting = { kind: 'waiting', count: 1, problem: null }
    expect(await idle()).toEqual(expect.arrayContaining([robots, waiting]))
    expect((await idle()).at(-1)).toEqual(waiting)
    await decide((await stories('waiting'))[0]!, 'approve')
    await runLater(MINUTE)
    expect(await idle()).toEqual(expect.arrayContaining([null, robots]))
    // News are waited for two days.
    await runLater(3 * DAY)
    expect((await idle()).at(-1)).toMatchObject({ kind: 'nothing_new' })
  })

  it('waits for an administrator when approval is required', async () => {
    await change({ newsApproval: true })
    await addSource(publish([LIBRARY, FERRY]))
    const desk = await connectTo(await board.listen(), admin)
    const told = new Promise((resolve) => desk.once('queueChanged', () => resolve(null)))
    expect(await runLater(0)).toMatchObject({ stories: 2, published: 0 })
    await told
    desk.close()
    expect((await admin.get('/api/admin/queue')).body).toMatchObject({ news: 2 })
    const [first, second] = (await stories('waiting')) as [NewsStory, NewsStory]
    expect((await decide(first, 'approve')).status).toBe(200)
    expect((await decide(second, 'reject')).status).toBe(200)
    expect((await decide(first, 'approve')).status).toBe(409)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect(await titles()).toEqual([first.title])
    // A rejected story can still be approved.
    expect(await approve(second)).toMatchObject({ published: 1 })
    expect(await titles()).toContain(second.title)
  })

  it('waits for approval also when that was switched on after the summary was made', async () => {
    await change({ newsThreadsPerHour: 1 })
    expect(await runWith([LIBRARY, FERRY])).toMatchObject({ stories: 2, published: 1 })
    await change({ newsApproval: true, newsThreadsPerHour: 20 })
    expect(await runLater(HOUR)).toMatchObject({ published: 0 })
    await decide((await stories('waiting'))[0]!, 'approve')
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect(await titles()).toHaveLength(2)
  })

  it('refuses what is too old, whether it was found, read, new or ready', async () => {
    paper.set('/feed', { status: 304 })
    const sourceId = await addSource(`${paper.url}/feed`)
    for (const state of ['found', 'read'] as const) await addArticle(board, { sourceId, state })
    for (const state of ['new', 'ready'] as const) await addStory(board, { sourceId, state })
    expect(await runLater(3 * DAY)).toMatchObject({ published: 0, refused: 2, skipped: 2 })
    const skipped = { state: 'skipped', problem: 'too_old' }
    expect(await articles()).toMatchObject([skipped, skipped, { state: 'told' }, { state: 'told' }])
    const refused = { state: 'refused', problem: 'too_old' }
    expect(await stories()).toMatchObject([refused, refused])
  })

  it('opens a thread for what is too old when an administrator approves it', async () => {
    await change({ newsApproval: true })
    await runWith([LIBRARY])
    await runLater(3 * DAY)
    expect(await approve(await onlyStory())).toMatchObject({ published: 1 })
  })

  it('waits while the news are switched off, the board is read-only, or the disk has no space for pictures', async () => {
    await addSource(publish([LIBRARY]))
    for (const obstacle of [{ newsActive: false }, { readOnly: true }]) {
      await change(obstacle)
      expect(await runLater(0)).toMatchObject({ feeds: 0 })
      await change({ newsActive: true, readOnly: false })
    }
    const { freeBytes } = board.disk
    board.disk.freeBytes = 1
    await board.deps.writability.disk.look()
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect(paper.requests).toEqual([])
    board.disk.freeBytes = freeBytes
    await board.deps.writability.disk.look()
    expect(await runLater(0)).toMatchObject({ published: 1 })
  })

  it('follows the word rules: refuses blocked and held words, and masks others', async () => {
    const add = (word: string, action: string) => admin.post('/api/admin/words', { word, action })
    await Promise.all([add('図書館', 'block'), add('フェリー', 'hold'), add('彗星', 'mask')])
    expect(await runWith([LIBRARY, FERRY, COMET])).toMatchObject({ published: 1, refused: 2 })
    expect(await titles()).toEqual([COMET.title.replace('彗星', '＊＊')])
    expect(await stories('refused')).toMatchObject([{ problem: 'banned_word' }, { problem: 'banned_word' }])
    await board.database.db.deleteFrom('bannedWords').execute()
    await board.deps.words.reload()
  })

  it('is refused when the category was deleted meanwhile, and succeeds by a retry in another category', async () => {
    await change({ newsApproval: true })
    const { body: category } = await admin.post<{ _id: string }>('/api/admin/categories', {
      ...{ name: `速報${board.clock.now}`, description: 'すぐに消える' },
    })
    const source = await addSource(publish([LIBRARY]))
    const { categoryId } = await sourceOf(source)
    await setSource(source, { categoryId: category._id })
    await runLater(0)
    const waiting = await onlyStory()
    await board.database.db.deleteFrom('categories').where('id', '=', category._id).execute()
    expect(await approve(waiting)).toMatchObject({ published: 0, refused: 1 })
    expect(await stories()).toMatchObject([{ state: 'refused', problem: 'category_missing' }])
    await setSource(source, { categoryId })
    await change({ newsApproval: false })
    expect((await decide(waiting, 'retry')).status).toBe(200)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect(await stories()).toMatchObject([{ state: 'published', category: 'general', problem: null }])
  })

  it('runs in one process at a time', async () => {
    const standby = await openOther()
    const arrived = whenAsked('/slow', { pace: 'hang' })
    await addSource(`${paper.url}/slow`)
    const first = board.deps.news.run()
    await arrived
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

  it('runs on a server with NEWS_SCHEDULE as soon as it is woken, and not on others', async () => {
    const scheduled = await openOther({ NEWS_SCHEDULE: 'true' })
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

  it('continues after a stop of the server during a run, which counts as no failure', async () => {
    const stopping = await openOther()
    const id = await addSource(publish([LIBRARY]))
    const arrived = whenAsked('/articles/library', { pace: 'hang' })
    const run = stopping.deps.news.run()
    await arrived
    await stopping.close()
    expect(await run).toMatchObject({ found: 1, read: 0, skipped: 0 })
    expect(await articles()).toMatchObject([{ state: 'found', attempts: 0, problem: null }])
    expect(await sourceOf(id)).toMatchObject({ failures: 0 })
    paper.print(LIBRARY)
    expect(await runLater(0)).toMatchObject({ read: 1, published: 1 })
  })
})
