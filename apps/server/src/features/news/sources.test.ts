/** Sources of the news: every change is logged, and a kill switch stops all pending work. */
import { beforeAll, describe, expect, it } from 'vitest'
import { NEWS_OPML_CHARACTERS, NEWS_SOURCES_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ListedNewsSource, NewsSource, NewsSourceChange, NewsSourceInput } from '@shinobi/contract/news'
import { startThread, visit } from '../../testing/board.ts'
import { HOUR } from '../../testing/news/matters.ts'
import { admin, board, guest, openNewsroom } from '../../testing/news/newsroom.ts'
import { articles, sourceOf, status, stories } from '../../testing/news/seen.ts'
import { addArticle, addSource, addStory, forgetNews } from '../../testing/stories.ts'

const SOURCES = '/api/admin/news/sources'
const OPML = '/api/admin/news/opml'
const NOWHERE = '01900000-0000-7000-8000-00000000dead'
const FEED = 'https://news.example.jp/feed.xml'

openNewsroom()
let general: string
let world: string
beforeAll(async () => {
  const categories = await board.database.db.selectFrom('categories').select(['id', 'name']).execute()
  const idOf = (name: string) => categories.find((category) => category.name === name)!.id
  general = idOf('general')
  world = idOf('world')
})

type Failure = { code?: string; message?: string }

const input = (fields: Partial<NewsSourceInput> = {}) => ({
  ...{ url: FEED, name: '忍日報', categoryId: general },
  ...fields,
})
const add = (fields: Partial<NewsSourceInput> = {}) => admin.post<NewsSource & Failure>(SOURCES, input(fields))
async function added(fields: Partial<NewsSourceInput> = {}): Promise<NewsSource> {
  const { status: answered, body } = await add(fields)
  expect(answered).toBe(201)
  return body
}
const two = async () => [await added(), await added({ url: `${FEED}?2` })] as const
const change = (id: string, fields: NewsSourceChange) => admin.put<NewsSource & Failure>(`${SOURCES}/${id}`, fields)
const list = async () => (await admin.get<ListedNewsSource[]>(SOURCES)).body

const lastLogged = () =>
  board.database.db.selectFrom('auditLog').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()

/** Opens a thread for a story of a source. @returns the ids of both */
async function openThread({ _id: sourceId }: NewsSource): Promise<{ threadId: string; storyId: string }> {
  const { _id: threadId } = await startThread(visit(board))
  return { threadId, storyId: await addStory(board, { sourceId, threadId }) }
}
const isShown = async ({ threadId }: { threadId: string }) =>
  (await guest.get(`/api/threads/${threadId}`)).status === 200

const later = (ms: number): Date => new Date(board.clock.now + ms)
const setLooks = (fields: { fetchedAt?: Date; nextFetchAt?: Date; etag?: string; failures?: number }) =>
  board.database.db
    .updateTable('newsSources')
    .set({ problem: 'timeout', ...fields })
    .execute()

describe('a source', () => {
  it('is added with default settings, is due at once, and is logged', async () => {
    const source = await added()
    const now = later(0).toISOString()
    expect(source).toEqual({
      ...{ _id: expect.any(String), url: FEED, name: '忍日報', categoryId: general, category: 'general' },
      ...{ language: 'ja', permission: 'allowed', intervalMinutes: 30, active: true },
      ...{ fetchedAt: null, nextFetchAt: now, problem: null, failures: 0, threads: 0, createdAt: now },
    })
    expect(await list()).toEqual([{ ...source, idle: null }])
    expect(await lastLogged()).toMatchObject({
      ...{ action: 'news_source_create', actorName: '半蔵', subject: '忍日報', isPublic: false },
      details: { sourceId: source._id, after: { url: FEED, permission: 'allowed' } },
    })
  })

  it('is known in another spelling of its host, and is a different one with another path', async () => {
    await added()
    expect((await add({ url: '  HTTPS://News.Example.JP:443/feed.xml#top ' })).body).toMatchObject({
      ...{ code: 'taken', message: messages.news_source_taken },
    })
    const other = await added({ url: 'https://news.example.jp/Feed.xml?b=2&a=1' })
    expect(other.url).toBe('https://news.example.jp/Feed.xml?b=2&a=1')
    expect((await change(other._id, { url: `${FEED}#again` })).body).toMatchObject({ code: 'taken' })
    expect((await list()).map(({ url }) => url).toSorted()).toEqual([other.url, FEED].toSorted())
  })

  it.each([
    [{ url: 'ftp://news.example.jp/feed.xml' }, messages.news_url_bad],
    [{ url: `https://news.example.jp/${'月'.repeat(1_900)}` }, messages.news_url_bad],
    [{ name: '忍\u202e日報' }, messages.bad_characters('2文字目の文字の向きを変える記号 U+202E')],
    [{ categoryId: NOWHERE }, messages.category_not_found],
  ])('is refused with a reason when it is invalid: %j', async (fields, message) => {
    expect(await add(fields)).toMatchObject({ status: 400, body: { message } })
    expect(await list()).toEqual([])
  })

  it('is refused beyond the limit of sources, also when two are added at the same time', async () => {
    for (let count = 1; count < NEWS_SOURCES_MAX; count += 1) await addSource(board)
    const answers = await Promise.all([add(), add({ url: `${FEED}?2` })])
    expect(answers.toSorted((one, other) => one.status - other.status)).toMatchObject([
      { status: 201 },
      { status: 409, body: { message: messages.news_sources_full } },
    ])
  })

  it('is changed, and the log has the settings before and after', async () => {
    const { _id } = await added()
    const { body } = await change(_id, { name: '新忍日報', categoryId: world, permission: 'headline' })
    expect(body).toMatchObject({ name: '新忍日報', category: 'world', permission: 'headline', url: FEED })
    expect(await lastLogged()).toMatchObject({
      ...{ action: 'news_source_change', subject: '新忍日報' },
      details: {
        before: { name: '忍日報', permission: 'allowed' },
        after: { name: '新忍日報', permission: 'headline' },
      },
    })
    expect((await change(NOWHERE, {})).body).toMatchObject({ message: messages.news_source_not_found })
    expect((await change(_id, { categoryId: NOWHERE })).body).toMatchObject({ code: 'bad_category' })
  })

  it('keeps what a change leaves out: a form that was opened before its stop does not start it', async () => {
    const { _id } = await added({ permission: 'headline', language: 'en', intervalMinutes: 60 })
    expect((await admin.post(`${SOURCES}/${_id}/stop`, { reason: '抗議を受けた' })).status).toBe(200)
    const { body } = await change(_id, { name: '新忍日報' })
    expect(body).toMatchObject({ name: '新忍日報', active: false, permission: 'headline', language: 'en' })
    expect(body).toMatchObject({ url: FEED, category: 'general', intervalMinutes: 60 })
  })

  it('is read from the beginning after a change of its address', async () => {
    const { _id } = await added()
    await setLooks({ fetchedAt: later(0), nextFetchAt: later(HOUR), etag: '"1"', failures: 3 })
    expect((await change(_id, { name: '別名' })).body).toMatchObject({ problem: 'timeout', failures: 3 })
    const { body } = await change(_id, { url: `${FEED}?v=2` })
    const nextFetchAt = later(0).toISOString()
    expect(body).toMatchObject({ problem: null, failures: 0, fetchedAt: null, nextFetchAt })
    expect(await sourceOf(_id)).toMatchObject({ etag: null })
  })

  it('is read sooner after its interval is shortened', async () => {
    const { _id } = await added({ intervalMinutes: 1_440 })
    await setLooks({ nextFetchAt: later(24 * HOUR) })
    const { body } = await change(_id, { intervalMinutes: 10 })
    expect(body.nextFetchAt).toBe(later(600_000).toISOString())
  })

  it('can be read before it is due', async () => {
    const { _id } = await added()
    await setLooks({ nextFetchAt: later(HOUR) })
    expect((await admin.post(`${SOURCES}/${_id}/read`)).status).toBe(200)
    expect(await list()).toMatchObject([{ nextFetchAt: later(0).toISOString() }])
    expect((await admin.post(`${SOURCES}/${NOWHERE}/read`)).status).toBe(404)
  })

  it('loses its pending articles when it is blocked, and keeps them when it is switched off', async () => {
    const { _id: sourceId } = await added()
    for (const state of ['found', 'read'] as const) await addArticle(board, { sourceId, state })
    await addStory(board, { sourceId, state: 'waiting' })
    await change(sourceId, { active: false })
    const due = { nextTryAt: expect.any(Date) }
    expect(await articles()).toMatchObject([{ state: 'found', ...due }, { state: 'read', ...due }, { state: 'told' }])
    await change(sourceId, { permission: 'blocked' })
    const skipped = { state: 'skipped', problem: 'blocked', nextTryAt: null }
    expect(await articles()).toMatchObject([skipped, skipped, { state: 'told' }])
    expect(await stories()).toMatchObject([{ state: 'refused', problem: 'blocked' }])
  })

  it('is named as what its stories wait for as long as it is switched off', async () => {
    const { _id: sourceId } = await added()
    await addStory(board, { sourceId, state: 'waiting' })
    await change(sourceId, { active: false })
    expect(await stories('waiting')).toMatchObject([{ sourceActive: false }])
    await change(sourceId, { active: true })
    expect(await stories('waiting')).toMatchObject([{ sourceActive: true }])
    await change(sourceId, { active: false })
    await admin.delete(`${SOURCES}/${sourceId}`)
    expect(await stories()).toMatchObject([{ state: 'refused', sourceActive: true }])
  })

  it('counts the threads of its articles, including removed ones', async () => {
    const [source, other] = await two()
    const { threadId } = await openThread(source)
    await openThread(source)
    await addStory(board, { sourceId: source._id, state: 'refused' })
    const counts = async () => Object.fromEntries((await list()).map(({ _id, threads }) => [_id, threads]))
    expect(await counts()).toEqual({ [source._id]: 2, [other._id]: 0 })
    expect((await admin.delete(`/api/admin/threads/${threadId}?rule=improper`)).status).toBe(200)
    expect(await counts()).toMatchObject({ [source._id]: 2 })
    expect((await change(source._id, { name: '別名' })).body.threads).toBe(2)
  })

  it.each([
    ['is blocked', (id: string) => change(id, { permission: 'blocked' })],
    ['allows no more than its headlines', (id: string) => change(id, { permission: 'headline' })],
    ['is stopped', (id: string) => admin.post(`${SOURCES}/${id}/stop`, { reason: '抗議を受けた' })],
    ['is deleted', (id: string) => admin.delete(`${SOURCES}/${id}`)],
  ])('that %s loses the checks of its articles, and other sources keep theirs', async (_, work) => {
    const [source, other] = await two()
    await openThread(source)
    const { storyId } = await openThread(other)
    const { db } = board.database
    await db
      .updateTable('newsStories')
      .set({ nextCheckAt: later(0) })
      .execute()
    expect((await work(source._id)).status).toBe(200)
    const due = db.selectFrom('newsStories').select('id').where('nextCheckAt', 'is not', null)
    expect(await due.execute()).toEqual([{ id: storyId }])
  })

  it('is deleted, and its threads stay', async () => {
    const source = await added()
    const { threadId } = await openThread(source)
    expect((await admin.delete(`${SOURCES}/${source._id}`)).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await guest.get(`/api/threads/${threadId}/summary`)).status).toBe(200)
    expect(await lastLogged()).toMatchObject({ action: 'news_source_delete', subject: '忍日報' })
    expect((await admin.delete(`${SOURCES}/${source._id}`)).status).toBe(404)
  })

  it('is listed without a category after that was deleted, and can get another one', async () => {
    const { _id } = await added()
    await board.database.db.updateTable('newsSources').set({ categoryId: null }).execute()
    expect((await list())[0]).toMatchObject({ categoryId: null, category: null })
    expect((await change(_id, { name: '新忍日報' })).body).toMatchObject({ name: '新忍日報', category: null })
    expect((await change(_id, { categoryId: world })).body).toMatchObject({ category: 'world' })
  })
})

describe('a kill switch', () => {
  const stop = (id: string, body: Record<string, unknown>) =>
    admin.post<{ withdrawn: number } & Failure>(`${SOURCES}/${id}/stop`, body)

  it('stops one source and its pending work, and withdraws its threads only on request', async () => {
    const [source, other] = await two()
    const [mine, foreign] = [await openThread(source), await openThread(other)]
    const articleId = await addArticle(board, { sourceId: source._id })
    await addStory(board, { sourceId: source._id, state: 'ready' })
    expect((await stop(source._id, {})).body.message).toBe(messages.reason_required)
    expect((await stop(source._id, { reason: '抗議を受けた' })).body).toEqual({ withdrawn: 0 })
    expect(await sourceOf(source._id)).toMatchObject({ active: false })
    const blocked = { problem: 'blocked' }
    expect((await articles()).find(({ id }) => id === articleId)).toMatchObject({ state: 'skipped', ...blocked })
    expect(await stories('refused')).toMatchObject([blocked])
    expect(await lastLogged()).toMatchObject({ action: 'news_source_stop', reason: '抗議を受けた', subject: '忍日報' })
    expect(await isShown(mine)).toBe(true)

    expect((await stop(source._id, { reason: '誤報が続いた', withdraw: true })).body).toEqual({ withdrawn: 1 })
    await board.settle()
    expect([await isShown(mine), await isShown(foreign)]).toEqual([false, true])
    expect((await stop(NOWHERE, { reason: '確認' })).status).toBe(404)
  })

  it('stops all news with one entry in the log, and resuming starts them again', async () => {
    const thread = await openThread(await added())
    const stopAll = (body: object) => admin.post('/api/admin/news/stop', body)
    expect((await stopAll({ reason: '要約が誤っている' })).body).toEqual({ withdrawn: 0 })
    expect((await status()).active).toBe(false)
    expect(await lastLogged()).toMatchObject({
      ...{ action: 'news_stop', reason: '要約が誤っている' },
      details: { before: { newsActive: true }, after: { newsActive: false } },
    })
    expect((await admin.post('/api/admin/news/resume')).status).toBe(200)
    expect([(await status()).active, (await lastLogged()).action]).toEqual([true, 'news_resume'])
    expect((await stopAll({ reason: '念のため', withdraw: true })).body).toEqual({ withdrawn: 1 })
    await board.settle()
    expect(await isShown(thread)).toBe(false)
  })
})

describe('a list of feeds', () => {
  const opml = (...outlines: string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?><opml version="2.0"><head><title>購読</title></head><body>${outlines.join('')}</body></opml>`
  const outline = (name: string, url: string) => `<outline type="rss" text="${name}" xmlUrl="${url}"/>`
  const bring = (text: string, fields: Record<string, unknown> = {}) =>
    admin.post<{ added: number; known: number; unusable: string[] } & Failure>(OPML, {
      ...{ opml: text, categoryId: world, ...fields },
    })

  it('can be exported and imported unchanged', async () => {
    await added({ name: '忍日報 & <号外>' })
    await added({ url: 'https://other.example.jp/rss?x=1&y=2', name: '“別”の新聞', language: 'zh-Hant' })
    const { body } = await admin.get<{ opml: string }>(OPML)
    const before = (await list()).map(({ url, name, language }) => ({ url, name, language }))
    await forgetNews(board)
    expect((await bring(body.opml)).body).toMatchObject({ added: 2, known: 0, unusable: [] })
    expect((await list()).map(({ url, name, language }) => ({ url, name, language }))).toEqual(before)
    expect((await bring(body.opml)).body).toMatchObject({ added: 0, known: 2, unusable: [] })
  })

  it('reports how many of its addresses are unusable, and lists them up to a limit', async () => {
    const odd = Array.from({ length: 120 }, (_, index) => outline('x', `ftp://files.example/${index}`))
    const { body } = await bring(opml(...odd, outline('忍日報', 'https://news.example.jp/rss')))
    expect(body).toMatchObject({ added: 1, unusableCount: 120 })
    expect(body.unusable).toEqual(Array.from({ length: 100 }, (_, index) => `ftp://files.example/${index}`))
  })

  it('adds feeds in folders with the given settings and their own language, and leaves existing ones unchanged', async () => {
    await added({ name: '元の名' })
    const inOwn = (language: string, url: string) => `<outline type="rss" xmlUrl="${url}" language="${language}"/>`
    const [en, odd] = ['http://en.example.jp/feed', 'https://odd.example.jp/feed']
    const folder = `<outline text="新聞">${outline('忍日報', `${FEED}#x`)}${inOwn('en-us', en)}</outline>`
    const settings = { permission: 'headline', intervalMinutes: 60, active: false, language: 'fr' }
    const { body } = await bring(opml(folder, inOwn('unknown language', odd)), settings)
    expect(body).toMatchObject({ added: 2, known: 1 })
    const found = new Map((await list()).map((source) => [source.url, source]))
    expect(found.get(FEED)).toMatchObject({ name: '元の名', permission: 'allowed', active: true })
    expect(found.get(en)).toMatchObject({ ...settings, name: 'en.example.jp', category: 'world', language: 'en-us' })
    expect(found.get(odd)).toMatchObject(settings)
    expect(await lastLogged()).toMatchObject({ action: 'news_sources_import', subject: '2件' })
  })

  it('adds nothing when it is invalid, too large, or for a missing category', async () => {
    expect((await bring('<html><body>これはOPMLではない</body></html>')).body).toMatchObject({
      ...{ code: 'bad_source', message: messages.news_opml_bad },
    })
    expect((await bring('x'.repeat(NEWS_OPML_CHARACTERS + 1))).body.message).toBe(messages.news_opml_too_large)
    const many = Array.from({ length: NEWS_SOURCES_MAX + 1 }, (_, index) => outline('x', `https://e.example/${index}`))
    expect((await bring(opml(...many))).body).toMatchObject({ message: messages.news_sources_full })
    expect((await bring(opml(outline('x', FEED)), { categoryId: NOWHERE })).body).toMatchObject({
      code: 'bad_category',
    })
    expect(await list()).toEqual([])
  })
})
