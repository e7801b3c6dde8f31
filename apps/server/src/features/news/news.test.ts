/** The news in public answers and in the administrators' screens. */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { AuditEntry } from '@shinobi/contract/moderation'
import type { NewsArticle, NewsCorrection, NewsStatus, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { uuidv7 } from '../../lib/uuid.ts'
import { openBoard, signUp, startThread, visit } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { addSource, addStory, SENTENCES } from '../../testing/stories.ts'

const DAY = 86_400_000

const it = boardTest
  .extend('reader', { scope: 'file' }, ({ board }) => visit(board))
  .extend('source', { scope: 'file' }, ({ board }) => addSource(board))
  .extend('helpers', ({ board, admin, reader, source }) => {
    async function forget(storyId: string): Promise<void> {
      await board.database.db.deleteFrom('newsArticles').where('storyId', '=', storyId).execute()
      await board.database.db.deleteFrom('newsStories').where('id', '=', storyId).execute()
    }
    const correct = (storyId: string, correction: NewsCorrection) =>
      admin.post<NewsStory & Failure>(`/api/admin/news/stories/${storyId}/correct`, correction)
    const summaryOf = (threadId: string) => reader.get<ThreadSummary & Failure>(`/api/threads/${threadId}/summary`)
    /** A thread made of a story. */
    async function publish(fields: Partial<Parameters<typeof addStory>[1]> = {}) {
      const thread = await startThread(visit(board))
      const storyId = await addStory(board, { sourceId: source, threadId: thread._id, ...fields })
      return { threadId: thread._id, storyId }
    }
    return { forget, correct, summaryOf, publish }
  })

type Failure = { code?: string; message?: string }

describe('the summary of a thread', () => {
  it('names the model, the time, and the quote and sources of its sentences', async ({
    board,
    helpers: { summaryOf, publish },
  }) => {
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

  it('has no sentences for a headline, and is 404 for a thread that a visitor opened', async ({
    reader,
    helpers: { summaryOf, publish },
  }) => {
    const { threadId } = await publish({ kind: 'headline' })
    expect((await summaryOf(threadId)).body).toMatchObject({ kind: 'headline', model: null, sentences: [] })
    const thread = await startThread(reader)
    expect([(await summaryOf(thread._id)).status, (await summaryOf(thread._id)).body.message]).toEqual([
      ...[404, messages.summary_not_found],
    ])
  })

  it('leaves out addresses that are not web addresses', async ({ helpers: { summaryOf, publish } }) => {
    const { threadId } = await publish({ url: 'javascript:alert(1)' })
    expect((await summaryOf(threadId)).body.sources).toEqual([])
  })

  it('shows a correction at once, although the answer was cached', async ({
    board,
    helpers: { correct, summaryOf, publish },
  }) => {
    const { threadId, storyId } = await publish()
    expect((await summaryOf(threadId)).body.corrections).toEqual([])
    const sentences = ['市は図書館を夜10時まで開く。', ...SENTENCES.slice(1).map(({ text }) => text)]
    const correction = { title: '図書館、夜10時まで', sentences, note: '時刻が抜けていました', corrections: 0 }
    const answer = await correct(storyId, correction)
    expect(answer.body).toMatchObject({ _id: storyId, title: '図書館、夜10時まで' })
    const { body } = await summaryOf(threadId)
    expect(body.corrections).toMatchObject([
      {
        at: new Date(board.clock.now).toISOString(),
        note: '時刻が抜けていました',
        changes: [{}, { after: sentences[0] }],
      },
    ])
    expect(body.sentences).toEqual(SENTENCES.map(({ quote }, index) => ({ text: sentences[index], quote })))
  })

  it('can be corrected for a headline, which has only a title', async ({
    reader,
    helpers: { correct, summaryOf, publish },
  }) => {
    const { threadId, storyId } = await publish({ kind: 'headline', sentences: [] })
    const correction = { title: '図書館、夜10時まで', sentences: [], note: '時刻が抜けていました', corrections: 0 }
    expect((await correct(storyId, correction)).body).toMatchObject({ title: '図書館、夜10時まで', sentences: [] })
    const { body } = await reader.get<Thread>(`/api/threads/${threadId}`)
    expect(body).toMatchObject({ title: '図書館、夜10時まで', content: messages.news_headline_text })
    expect((await summaryOf(threadId)).body).toMatchObject({ kind: 'headline', sentences: [], corrections: [{}] })
  })

  it('refuses a correction that is based on an older version, or after post 1 was removed', async ({
    admin,
    reader,
    helpers: { correct, publish },
  }) => {
    const { threadId, storyId } = await publish()
    const sentences = SENTENCES.map(({ text }) => text)
    const correction = { title: '図書館、夜10時まで', sentences, note: '時刻が抜けていました', corrections: 0 }
    expect((await correct(storyId, correction)).status).toBe(200)
    const late = await correct(storyId, { ...correction, title: '図書館、深夜も' })
    expect(late).toMatchObject({ status: 409, body: { message: messages.news_story_corrected } })
    const again = { ...correction, title: '図書館、深夜も', corrections: 1 }
    expect((await correct(storyId, again)).body).toMatchObject({ title: '図書館、深夜も', corrections: [{}, {}] })
    const { body: posts } = await reader.get<Post[]>(`/api/threads/${threadId}/posts`)
    await admin.delete(`/api/admin/posts/${posts[0]!._id}?rule=improper`)
    const gone = await correct(storyId, { ...correction, corrections: 2 })
    expect(gone).toMatchObject({ status: 409, body: { message: messages.news_opening_removed } })
    const odd = { ...correction, sentences: sentences.with(0, '市は\u202e図書館を開く。') }
    expect((await correct(storyId, odd)).body.message).toContain('使えない文字があります')
  })

  it('is 404 after its thread was withdrawn or removed', async ({ board, admin, helpers: { summaryOf, publish } }) => {
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
  it('undo a rejection, and the story waits again', async ({ board, admin, source, helpers: { forget } }) => {
    const id = await addStory(board, { sourceId: source, state: 'waiting' })
    const press = (action: string) => admin.post<NewsStory & Failure>(`/api/admin/news/stories/${id}/${action}`)
    const waiting = async () => (await admin.get<{ news: number }>('/api/admin/queue')).body.news
    const before = await waiting()
    expect((await press('restore')).status).toBe(409)
    expect((await press('reject')).body.state).toBe('rejected')
    expect(await waiting()).toBe(before - 1)
    expect((await press('restore')).body.state).toBe('waiting')
    expect(await waiting()).toBe(before)
    const moderator = await signUp(board, '見回り組', { moderates: 'all' })
    expect((await moderator.get('/api/admin/queue')).body).toMatchObject({ news: 0 })
    const { body } = await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')
    expect(body.entries.map(({ action }) => action).slice(0, 2)).toEqual(['news_restore', 'news_reject'])
    await forget(id)
  })

  it('get an error when they retry a story whose text was deleted', async ({
    board,
    admin,
    source,
    helpers: { forget },
  }) => {
    const id = await addStory(board, { sourceId: source, state: 'refused' })
    await board.database.db.updateTable('newsArticles').set({ document: null }).where('id', '=', id).execute()
    const { status, body } = await admin.post<Failure>(`/api/admin/news/stories/${id}/retry`)
    expect([status, body.message]).toEqual([409, messages.news_story_not_kept])
    await forget(id)
  })

  it('see the last run and the last change by one on every server', async ({ board }) => {
    const elsewhere = await openBoard({}, board.database)
    const chief = await signUp(elsewhere, '別の半蔵さん', { isAdmin: true })
    const read = async () => (await chief.get<NewsStatus>('/api/admin/news/status')).body
    expect(await read()).toMatchObject({ running: false, lastRunAt: null, changedAt: null })
    const times: string[] = []
    for (const passes of [1_000, 60_000]) {
      board.clock.now += passes
      times.push(new Date(board.clock.now).toISOString())
      await board.deps.news.run()
    }
    // The feed is unreachable: the failed read is a change, and the second run has nothing to do.
    expect(await read()).toMatchObject({ running: false, lastRunAt: times[1], changedAt: times[0] })
    await elsewhere.close()
  })

  it('list stories by page and by state', async ({ board, admin, source }) => {
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

  it('list articles with their state and problem', async ({ board, admin, source }) => {
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

  it('see the numbers of the last 24 hours, and of pending stories', async ({
    board,
    source,
    helpers: { publish },
  }) => {
    const { db } = board.database
    board.clock.now += 2 * DAY
    // The session expired during the two days.
    const chief = await signUp(board, '翌々日の半蔵さん', { isAdmin: true })
    const read = async () => (await chief.get<NewsStatus>('/api/admin/news/status')).body
    const before = await read()
    expect(before).toMatchObject({
      ...{ active: true, scheduled: false, running: false, model: null, paused: null },
      tokens: { hour: 0, hourLimit: 200_000, day: 0, dayLimit: 2_000_000 },
      cost: null,
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
