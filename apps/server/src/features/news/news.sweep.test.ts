/** What the sweep deletes: above all, no text of a publisher is kept for longer than promised. */
import { beforeEach, describe, expect, it } from 'vitest'
import { addArticle, addSource, addStory } from '../../testing/stories.ts'
import { pictureBytes } from '../../testing/outside/picture.ts'
import { imageUrl } from '../images/image-store.ts'
import { sweepNews } from './news.sweep.ts'
import { DAY } from '../../testing/news/matters.ts'
import { begun, board, guest, openNewsroom } from '../../testing/news/newsroom.ts'
import { articles, status, stories } from '../../testing/news/seen.ts'

openNewsroom()

let sourceId: string
beforeEach(async () => {
  sourceId = await addSource(board)
})

const sweepAfter = (ms: number) => sweepNews(board.deps, board.clock.now + ms)

const setStory = (id: string, fields: { nextCheckAt?: Date; image?: string }) =>
  board.database.db.updateTable('newsStories').set(fields).where('id', '=', id).execute()
const storyOf = (id: string) =>
  board.database.db.selectFrom('newsStories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const isKept = async (): Promise<boolean> => (await articles())[0]!.document !== null

describe('the text of an article', () => {
  it.each(['published', 'refused', 'rejected', 'withdrawn'] as const)(
    'is deleted after 30 days when its story is %s',
    async (state) => {
      const id = await addStory(board, { sourceId, state })
      await sweepAfter(30 * DAY)
      expect(await isKept()).toBe(true)
      await sweepAfter(30 * DAY + 1)
      expect(await isKept()).toBe(false)
      expect(await storyOf(id)).toMatchObject({ state, problem: null })
    },
  )

  it('is deleted when its source was switched off before it became a story', async () => {
    await addArticle(board, { sourceId, state: 'read', text: '市は発表した。' })
    const { db } = board.database
    await db
      .updateTable('newsArticles')
      .set({ bands: [1, 2] })
      .execute()
    await db.updateTable('newsSources').set({ active: false }).execute()
    await sweepAfter(30 * DAY)
    expect(await articles()).toMatchObject([{ state: 'read', bands: [1, 2] }])
    await sweepAfter(30 * DAY + 1)
    expect(await articles()).toMatchObject([
      { state: 'skipped', problem: 'too_old', nextTryAt: null, document: null, bands: [] },
    ])
  })

  it.each(['new', 'ready', 'waiting'] as const)(
    'is kept for 60 days while its story is %s, which is then refused',
    async (state) => {
      const id = await addStory(board, { sourceId, state })
      await sweepAfter(60 * DAY)
      expect(await isKept()).toBe(true)
      expect(await storyOf(id)).toMatchObject({ state })
      await sweepAfter(60 * DAY + 1)
      expect(await isKept()).toBe(false)
      expect(await storyOf(id)).toMatchObject({ state: 'refused', problem: 'too_old', nextTryAt: null })
    },
  )
})

it('a due check of an article is dropped after a week without a run', async () => {
  const at = (ms: number) => ({ nextCheckAt: new Date(begun + ms) })
  const [due, later] = [await addStory(board, { sourceId }), await addStory(board, { sourceId })]
  await setStory(due, at(0))
  await setStory(later, at(DAY))
  await sweepAfter(7 * DAY + 1)
  expect([await storyOf(due), await storyOf(later)]).toMatchObject([{ nextCheckAt: null }, at(DAY)])
})

it('an article that was not read for 30 days, as while its source is switched off, waits no more', async () => {
  await addArticle(board, { sourceId, state: 'found' })
  await board.database.db.updateTable('newsSources').set({ active: false }).execute()
  expect((await status()).pending).toBe(1)
  await sweepAfter(30 * DAY + 1)
  expect(await articles()).toMatchObject([{ state: 'skipped', problem: 'too_old' }])
  expect((await status()).pending).toBe(0)
})

it('an article that became no story is deleted after 90 days, but not as long as its feed could list it', async () => {
  await addArticle(board, { sourceId, state: 'skipped' })
  const undated = await addArticle(board, { sourceId, state: 'skipped', publishedAt: null })
  await sweepAfter(90 * DAY + 1)
  expect(await articles()).toHaveLength(2)
  await sweepAfter(97 * DAY + 1)
  expect(await articles()).toMatchObject([{ id: undated }])
})

describe('an ended story', () => {
  it.each(['refused', 'rejected', 'withdrawn'] as const)(
    'loses its picture and is deleted 90 days after it was found when it is %s, and its article starts no second one',
    async (state) => {
      const id = await addStory(board, { sourceId, state })
      const image = await board.deps.images.save(await pictureBytes())
      await setStory(id, { image: JSON.stringify(image) })
      await sweepAfter(DAY)
      expect((await guest.get(imageUrl(image))).status).toBe(404)
      await sweepAfter(90 * DAY)
      expect(await storyOf(id)).toMatchObject({ state })
      await sweepAfter(90 * DAY + 1)
      expect(await stories()).toEqual([])
      // Its address stays known until no feed can list it any more.
      expect(await articles()).toMatchObject([{ state: 'skipped', storyId: null, document: null }])
      await sweepAfter(97 * DAY + 1)
      expect(await articles()).toEqual([])
    },
  )

  it('is not deleted while it is published', async () => {
    const id = await addStory(board, { sourceId, state: 'published' })
    await sweepAfter(9_000 * DAY)
    expect(await storyOf(id)).toMatchObject({ state: 'published' })
  })
})
