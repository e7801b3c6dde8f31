/** News as everybody sees how they were made, and as administrators see how they are doing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { NewsArticle, NewsStatus, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import { uuidv7 } from '../../lib/uuid.ts'
import { openBoard, signUp, startThread, visit, type Board, type Guest, type MemberGuest } from '../../testing/board.ts'
import { addSource, addStory, SENTENCES } from '../../testing/stories.ts'

const DAY = 86_400_000

let board: Board
let admin: MemberGuest
let reader: Guest
let source: string
beforeAll(async () => {
  board = await openBoard()
  admin = await signUp(board, '半蔵さん', { isAdmin: true })
  reader = visit(board)
  source = await addSource(board)
})
afterAll(() => board.close())

type Failure = { code?: string; message?: string }
const summaryOf = (threadId: string) => reader.get<ThreadSummary & Failure>(`/api/threads/${threadId}/summary`)

/** A thread made of a story. */
async function publish(fields: Partial<Parameters<typeof addStory>[1]> = {}) {
  const thread = await startThread(visit(board))
  const storyId = await addStory(board, { sourceId: source, threadId: thread._id, ...fields })
  return { threadId: thread._id, storyId }
}

describe('the summary of a thread', () => {
  it('says by what and when it was made, and what each sentence rests on', async () => {
    const { threadId } = await publish({ url: 'https://news.example.jp/library' })
    const at = new Date(board.clock.now).toISOString()
    const { status, body, headers } = await summaryOf(threadId)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ kind: 'ai', model: 'test-model', madeAt: at, sentences: SENTENCES },
      sources: [{ site: '忍日報', title: '図書館、夜も開く', url: 'https://news.example.jp/library', publishedAt: at }],
      ...{ state: 'current', changedAt: null, corrections: [] },
    })
    expect(headers['cache-control']).toContain('public')
  })

  it('of a headline has no sentences, and one of a thread that people opened is not there', async () => {
    const { threadId } = await publish({ kind: 'headline' })
    expect((await summaryOf(threadId)).body).toMatchObject({ kind: 'headline', model: null, sentences: [] })
    const thread = await startThread(reader)
    expect([(await summaryOf(thread._id)).status, (await summaryOf(thread._id)).body.message]).toEqual([
      ...[404, messages.summary_not_found],
    ])
  })

  it('names no address that is not one of the web', async () => {
    const { threadId } = await publish({ url: 'javascript:alert(1)' })
    expect((await summaryOf(threadId)).body.sources).toEqual([])
  })

  it('is told to be corrected at once, although its answer was kept', async () => {
    const { threadId, storyId } = await publish()
    expect((await summaryOf(threadId)).body.corrections).toEqual([])
    const sentences = ['市は図書館を夜10時まで開く。', ...SENTENCES.slice(1).map(({ text }) => text)]
    const correction = { title: '図書館、夜10時まで', sentences, note: '時刻が抜けていました' }
    const answer = await admin.post<NewsStory>(`/api/admin/news/stories/${storyId}/correct`, correction)
    expect(answer.body).toMatchObject({ _id: storyId, title: '図書館、夜10時まで' })
    const { body } = await summaryOf(threadId)
    expect(body.corrections).toEqual([{ at: new Date(board.clock.now).toISOString(), note: '時刻が抜けていました' }])
    expect(body.sentences).toEqual(SENTENCES.map(({ quote }, index) => ({ text: sentences[index], quote })))
  })

  it('goes with its thread, however that is taken down', async () => {
    const [withdrawn, removed] = [await publish(), await publish()]
    for (const { threadId } of [withdrawn, removed]) expect((await summaryOf(threadId)).status).toBe(200)
    const reason = '元記事が取り消された'
    const answer = await admin.post<NewsStory>(`/api/admin/news/stories/${withdrawn.storyId}/withdraw`, { reason })
    expect(answer.body.state).toBe('withdrawn')
    expect((await admin.delete(`/api/admin/threads/${removed.threadId}`, { rule: 'other', reason })).status).toBe(200)
    await board.settle()
    for (const { threadId } of [withdrawn, removed]) expect((await summaryOf(threadId)).status).toBe(404)
    const { body } = await admin.get<{ stories: NewsStory[] }>('/api/admin/news/stories?state=withdrawn')
    expect(body.stories.map(({ _id }) => _id).toSorted()).toEqual([withdrawn.storyId, removed.storyId].toSorted())
  })
})

describe('administrators', () => {
  it('read stories page by page, and those of one state', async () => {
    const ids: string[] = []
    for (const index of [1, 2, 3])
      ids.push(await addStory(board, { sourceId: source, state: 'rejected', title: `その${index}` }))
    const page = async (query: string) =>
      (await admin.get<{ stories: NewsStory[]; next: string | null }>(`/api/admin/news/stories?${query}`)).body
    const first = await page('state=rejected&limit=2')
    expect(first.stories.map(({ _id }) => _id)).toEqual([ids[2], ids[1]])
    const second = await page(`state=rejected&limit=2&cursor=${first.next}`)
    expect([second.stories.map(({ _id }) => _id), second.next]).toEqual([[ids[0]], null])
    expect(second.stories[0]).toMatchObject({ title: 'その1', category: 'general', sentences: SENTENCES })
  })

  it('read what became of each article', async () => {
    const { db } = board.database
    const at = new Date(board.clock.now)
    const id = uuidv7(board.clock.now)
    const fields = {
      title: '有料記事',
      state: 'skipped' as const,
      problem: 'no_text' as const,
      attempts: 1,
      foundAt: at,
    }
    await db
      .insertInto('newsArticles')
      .values({ id, urlHash: id, sourceId: source, url: 'https://news.example.jp/paid', ...fields })
      .execute()
    const { body } = await admin.get<{ articles: NewsArticle[] }>('/api/admin/news/articles?state=skipped')
    expect(body.articles).toEqual([
      {
        ...{ _id: id, source: '忍日報', url: 'https://news.example.jp/paid', title: '有料記事', state: 'skipped' },
        ...{ problem: 'no_text', attempts: 1, foundAt: at.toISOString() },
      },
    ])
  })

  it('see what the last 24 hours brought, and what is on its way', async () => {
    const { db } = board.database
    board.clock.now += 2 * DAY
    // The session of two days ago is over.
    const chief = await signUp(board, '翌々日の半蔵さん', { isAdmin: true })
    const read = async () => (await chief.get<NewsStatus>('/api/admin/news/status')).body
    const before = await read()
    expect(before).toMatchObject({
      ...{ active: true, scheduled: false, running: false, model: null, pausedUntil: null },
      tokens: { hour: 0, hourLimit: 200_000, day: 0, dayLimit: 2_000_000 },
      day: { found: 0, skipped: 0, published: 0, refused: 0, calls: 0, callsFailed: 0 },
    })
    await publish()
    await addStory(board, { sourceId: source, state: 'waiting' })
    await addStory(board, { sourceId: source, state: 'refused' })
    await addStory(board, { sourceId: source, state: 'ready' })
    const about = { at: new Date(board.clock.now), storyId: null, model: 'test-model', promptVersion: 'test-1' }
    for (const outcome of ['ok', 'ungrounded', 'failed', 'limited'] as const) {
      const cost = { inputTokens: 900, outputTokens: 100, milliseconds: 10 }
      await db
        .insertInto('newsCalls')
        .values({ id: uuidv7(board.clock.now), ...about, ...cost, outcome })
        .execute()
    }
    const after = await read()
    expect(after.day).toEqual({ found: 4, skipped: 0, published: 1, refused: 1, calls: 4, callsFailed: 2 })
    expect([after.waiting - before.waiting, after.pending - before.pending]).toEqual([1, 1])
  })
})
