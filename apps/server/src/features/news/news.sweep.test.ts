/** What the sweep deletes: above all, no text of a publisher is kept for longer than promised. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../lib/uuid.ts'
import { openBoard, visit, type Board } from '../../testing/board.ts'
import { picture } from '../../testing/outside/picture.ts'
import { addSource, addStory } from '../../testing/stories.ts'
import { imageUrl } from '../images/image-store.ts'
import { sweepNews } from './news.sweep.ts'

const DAY = 86_400_000

let board: Board
let sourceId: string
beforeAll(async () => {
  board = await openBoard()
})
beforeEach(async () => {
  const { db } = board.database
  for (const table of ['newsArticles', 'newsStories', 'newsSources'] as const) await db.deleteFrom(table).execute()
  sourceId = await addSource(board)
})
afterAll(() => board.close())

const sweepAfter = (ms: number) => sweepNews(board.deps, board.clock.now + ms)

const setStory = (id: string, fields: { nextCheckAt?: Date; image?: string }) =>
  board.database.db.updateTable('newsStories').set(fields).where('id', '=', id).execute()
const storyOf = (id: string) =>
  board.database.db.selectFrom('newsStories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const articleOf = (id: string) =>
  board.database.db.selectFrom('newsArticles').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const isKept = async (id: string): Promise<boolean> => (await articleOf(id)).document !== null

describe('the text of an article', () => {
  const ended = ['published', 'refused', 'rejected', 'withdrawn'] as const

  it.each(ended)('is deleted after 30 days when its story is %s', async (state) => {
    const id = await addStory(board, { sourceId, state })
    await sweepAfter(30 * DAY)
    expect(await isKept(id)).toBe(true)
    await sweepAfter(30 * DAY + 1)
    expect(await isKept(id)).toBe(false)
    expect(await storyOf(id)).toMatchObject({ state, problem: null })
  })

  it('is deleted however long the server was off, or its story took to end', async () => {
    const id = await addStory(board, { sourceId, state: 'published' })
    await sweepAfter(400 * DAY)
    expect(await isKept(id)).toBe(false)
  })

  it('is deleted when its source was switched off before it became a story', async () => {
    const { db } = board.database
    const [id, at] = [uuidv7(board.clock.now), new Date(board.clock.now)]
    await db
      .insertInto('newsArticles')
      .values({
        ...{ id, sourceId, url: `https://news.example.jp/${id}`, urlHash: id, title: '速報', state: 'read' },
        ...{ nextTryAt: at, foundAt: at, document: JSON.stringify({ text: '市は発表した。' }), bands: [1, 2] },
      })
      .execute()
    await db.updateTable('newsSources').set({ active: false }).execute()
    await sweepAfter(30 * DAY)
    expect(await articleOf(id)).toMatchObject({ state: 'read', bands: [1, 2] })
    await sweepAfter(30 * DAY + 1)
    expect(await articleOf(id)).toMatchObject({
      ...{ state: 'skipped', problem: 'too_old', nextTryAt: null, document: null, bands: [] },
    })
  })

  it.each(['new', 'ready', 'waiting'] as const)(
    'is kept for 60 days while its story is %s, which is then refused',
    async (state) => {
      const id = await addStory(board, { sourceId, state })
      await sweepAfter(60 * DAY)
      expect(await isKept(id)).toBe(true)
      expect(await storyOf(id)).toMatchObject({ state })
      await sweepAfter(60 * DAY + 1)
      expect(await isKept(id)).toBe(false)
      expect(await storyOf(id)).toMatchObject({ state: 'refused', problem: 'too_old', nextTryAt: null })
    },
  )
})

describe('a due check of an article', () => {
  it('is dropped after a week without a run', async () => {
    const [due, later] = [
      await addStory(board, { sourceId, state: 'published' }),
      await addStory(board, { sourceId, state: 'published' }),
    ]
    await setStory(due, { nextCheckAt: new Date(board.clock.now) })
    await setStory(later, { nextCheckAt: new Date(board.clock.now + DAY) })
    await sweepAfter(7 * DAY + 1)
    expect(await storyOf(due)).toMatchObject({ nextCheckAt: null })
    expect(await storyOf(later)).toMatchObject({ nextCheckAt: new Date(board.clock.now + DAY) })
  })
})

describe('an ended story', () => {
  const ended = ['refused', 'rejected', 'withdrawn'] as const

  it.each(ended)(
    'is deleted 90 days after it was found when it is %s, and its article starts no second one',
    async (state) => {
      const { db } = board.database
      const id = await addStory(board, { sourceId, state })
      const image = await board.deps.images.save(Buffer.from(await (await picture()).arrayBuffer()))
      await setStory(id, { image: JSON.stringify(image) })
      await db
        .updateTable('newsArticles')
        .set({ publishedAt: new Date(board.clock.now) })
        .execute()
      await sweepAfter(90 * DAY)
      expect(await storyOf(id)).toMatchObject({ state })
      expect((await visit(board).get(imageUrl(image))).status).toBe(404)
      await sweepAfter(90 * DAY + 1)
      expect(await db.selectFrom('newsStories').select('id').execute()).toEqual([])
      // Its address stays known until no feed can list it any more.
      expect(await articleOf(id)).toMatchObject({ state: 'skipped', storyId: null, document: null })
      await sweepAfter(97 * DAY + 1)
      expect(await db.selectFrom('newsArticles').select('id').execute()).toEqual([])
    },
  )

  it('is not deleted while it is published', async () => {
    const id = await addStory(board, { sourceId, state: 'published' })
    await sweepAfter(9_000 * DAY)
    expect(await storyOf(id)).toMatchObject({ state: 'published' })
  })
})
