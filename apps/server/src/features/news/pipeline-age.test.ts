/** Stories that become too old for publication, and the deletion of old data. */
import { describe, expect } from 'vitest'
import { LIBRARY, FERRY, COMET, TEA, newsTest as it } from '../../testing/news-fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { sweepNews } from './news.sweep.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('a story that is too old', () => {
  it('is not published, whether it was found, read, new or ready', async ({
    board,
    paper,
    helpers: { logIn, addSource, articles, stories, runLater, publish, switchTo },
  }) => {
    const begun = board.clock.now
    const id = await addSource(publish([LIBRARY, FERRY, COMET, TEA]))
    await runLater(0)
    const { db } = board.database
    const all = await articles()
    const [asFound, asRead, asNew, asReady] = all.map((article) => article.id)
    // The states that these would have if the source had been switched off at each moment.
    await db.deleteFrom('threads').execute()
    const due = { nextTryAt: new Date(begun) }
    const unborn = { ...due, storyId: null }
    await db
      .updateTable('newsArticles')
      .set({ ...unborn, state: 'found' })
      .where('id', '=', asFound!)
      .execute()
    await db
      .updateTable('newsArticles')
      .set({ ...unborn, state: 'read' })
      .where('id', '=', asRead!)
      .execute()
    for (const [story, state] of [
      [asNew!, 'new'],
      [asReady!, 'ready'],
    ] as const) {
      await db
        .updateTable('newsStories')
        .set({ ...due, state, threadId: null, publishedAt: null, nextCheckAt: null })
        .where('id', '=', story)
        .execute()
    }
    await db.deleteFrom('newsStories').where('id', 'in', [asFound!, asRead!]).execute()
    await switchTo(id, false)
    await runLater(40 * DAY)
    await switchTo(id, true)
    paper.set('/feed', { status: 304 })
    expect(await runLater(0)).toMatchObject({ published: 0, refused: 2, skipped: 2 })
    expect((await articles()).map(({ state, problem }) => [state, problem])).toEqual([
      ['skipped', 'too_old'],
      ['skipped', 'too_old'],
      ['told', null],
      ['told', null],
    ])
    await logIn()
    expect((await stories()).map(({ state, problem }) => [state, problem])).toEqual([
      ['refused', 'too_old'],
      ['refused', 'too_old'],
    ])
  })

  it('is published when an administrator approves it', async ({
    board,
    admin,
    helpers: { logIn, addSource, stories, runLater, publish },
  }) => {
    await addSource(publish([LIBRARY]))
    await board.database.db.deleteFrom('newsStories').execute()
    await admin.put('/api/admin/settings', { newsApproval: true })
    await runLater(0)
    board.clock.now += 3 * DAY
    await logIn()
    await admin.put('/api/admin/settings', { newsApproval: false })
    const [story] = await stories()
    await admin.post(`/api/admin/news/stories/${story!._id}/approve`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
  })
})

describe('old data', () => {
  it('is deleted: texts after a month, unused articles after three, but none that a feed could list again', async ({
    board,
    guest,
    paper,
    helpers: { addSource, articles, stories, runLater },
  }) => {
    paper.set('/articles/ferry', null)
    for (const matter of [LIBRARY, COMET]) paper.print(matter)
    await addSource(paper.announce('/feed', [LIBRARY, FERRY], { newest: board.clock.now - MINUTE }))
    await addSource(paper.announce('/undated', [COMET, TEA], { newest: null }))
    expect(await runLater(0)).toMatchObject({ read: 2, skipped: 2, published: 2 })
    const { db } = board.database
    const { images, log } = board.deps
    const bytes = Buffer.from(await (await picture()).arrayBuffer())
    const image = await images.save(bytes)
    const [story] = await stories()
    await sweepNews({ db, images, log }, board.clock.now + 29 * DAY)
    expect((await articles()).filter(({ document }) => document !== null)).toHaveLength(2)
    await db
      .updateTable('newsStories')
      .set({ state: 'rejected', image: JSON.stringify(image) })
      .where('id', '=', story!._id)
      .execute()
    await sweepNews({ db, images, log }, board.clock.now + 31 * DAY)
    expect((await articles()).filter(({ document }) => document !== null)).toHaveLength(0)
    expect((await guest.get(`/images/${image.key}.webp`)).status).toBe(404)
    await sweepNews({ db, images, log }, board.clock.now + 120 * DAY)
    // Articles without a date may still be in their feed; the story of one has ended.
    expect((await articles()).map(({ url, state }) => `${new URL(url).pathname} ${state}`).toSorted()).toEqual([
      '/articles/comet skipped',
      '/articles/library told',
      '/articles/tea skipped',
    ])
  })
})
