/** The news in public answers and in the administrators' screens, without a run of the newsroom. */
import { beforeEach, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { AuditEntry } from '@shinobi/contract/moderation'
import type { NewsArticle, NewsCorrection, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { uuidv7 } from '../../lib/uuid.ts'
import { signUp, startThread, visit } from '../../testing/board.ts'
import { addArticle, addSource, addStory, SENTENCES, type StoryFields } from '../../testing/stories.ts'
import { MINUTE } from '../../testing/news/matters.ts'
import { admin, begun, board, guest, openNewsroom, openOther } from '../../testing/news/newsroom.ts'
import { status } from '../../testing/news/seen.ts'
import { decide, runLater } from '../../testing/news/work.ts'

openNewsroom()

let sourceId: string
beforeEach(async () => {
  sourceId = await addSource(board)
})

/** A thread made of a story. */
async function published(fields: Partial<StoryFields> = {}): Promise<{ threadId: string; _id: string }> {
  const { _id: threadId } = await startThread(visit(board))
  return { threadId, _id: await addStory(board, { sourceId, threadId, ...fields }) }
}
const added = async (fields: Partial<StoryFields>) => ({ _id: await addStory(board, { sourceId, ...fields }) })
const readSummary = (threadId: string) =>
  guest.get<ThreadSummary & { message?: string }>(`/api/threads/${threadId}/summary`)

const CORRECTION: NewsCorrection = {
  ...{ title: '図書館、夜10時まで', sentences: SENTENCES.map(({ text }) => text), note: '時刻が抜けていました' },
  corrections: 0,
}

describe('the summary of a thread', () => {
  it('may be cached by everybody, and has no sentences for a headline', async () => {
    const { threadId } = await published({ kind: 'headline' })
    const { body, headers } = await readSummary(threadId)
    expect(body).toMatchObject({ kind: 'headline', model: null, sentences: [] })
    expect(headers['cache-control']).toContain('public')
  })

  it('is 404 for a thread that a visitor opened', async () => {
    const { status, body } = await readSummary((await startThread(guest))._id)
    expect([status, body.message]).toEqual([404, messages.summary_not_found])
  })

  it('leaves out addresses that are not web addresses', async () => {
    const { threadId } = await published({ url: 'javascript:alert(1)' })
    expect((await readSummary(threadId)).body.sources).toEqual([])
  })

  it('can be corrected for a headline, which has only a title', async () => {
    const story = await published({ kind: 'headline', sentences: [] })
    const { body: corrected } = await decide(story, 'correct', { ...CORRECTION, sentences: [] })
    expect(corrected).toMatchObject({ title: CORRECTION.title, sentences: [] })
    const { body: thread } = await guest.get<Thread>(`/api/threads/${story.threadId}`)
    expect(thread).toMatchObject({ title: CORRECTION.title, content: messages.news_headline_text })
    const { body } = await readSummary(story.threadId)
    expect(body).toMatchObject({ kind: 'headline', sentences: [], corrections: [{}] })
  })

  it('refuses a correction that is based on an older version, or after post 1 was removed', async () => {
    const story = await published()
    const correct = (fields: Partial<NewsCorrection>) => decide(story, 'correct', { ...CORRECTION, ...fields })
    expect((await correct({})).status).toBe(200)
    const title = '図書館、深夜も'
    expect(await correct({ title })).toMatchObject({ status: 409, body: { message: messages.news_story_corrected } })
    expect((await correct({ title, corrections: 1 })).body).toMatchObject({ title, corrections: [{}, {}] })
    const { body: posts } = await guest.get<Post[]>(`/api/threads/${story.threadId}/posts`)
    await admin.delete(`/api/admin/posts/${posts[0]!._id}?rule=improper`)
    const gone = await correct({ corrections: 2 })
    expect(gone).toMatchObject({ status: 409, body: { message: messages.news_opening_removed } })
    const odd = await correct({ sentences: CORRECTION.sentences.with(0, '市は\u202e図書館を開く。') })
    expect(odd.body.message).toContain('使えない文字があります')
  })
})

describe('administrators', () => {
  it('undo a rejection, and the story waits again', async () => {
    const story = await added({ state: 'waiting' })
    const waiting = async () => (await admin.get<{ news: number }>('/api/admin/queue')).body.news
    expect((await decide(story, 'restore')).status).toBe(409)
    expect((await decide(story, 'reject')).body.state).toBe('rejected')
    expect(await waiting()).toBe(0)
    expect((await decide(story, 'restore')).body.state).toBe('waiting')
    expect(await waiting()).toBe(1)
    const moderator = await signUp(board, '見回り組', { moderates: 'all' })
    expect((await moderator.get('/api/admin/queue')).body).toMatchObject({ news: 0 })
    const { body } = await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')
    expect(body.entries.map(({ action }) => action).slice(0, 2)).toEqual(['news_restore', 'news_reject'])
  })

  it('get an error when they retry a story whose text was deleted', async () => {
    const story = await added({ state: 'refused' })
    await board.database.db.updateTable('newsArticles').set({ document: null }).execute()
    const kept = { status: 409, body: { message: messages.news_story_not_kept } }
    expect(await decide(story, 'retry')).toMatchObject(kept)
  })

  it('see the last run and the last change by one on every server', async () => {
    const elsewhere = await openOther()
    const chief = await signUp(elsewhere, '別の半蔵さん', { isAdmin: true })
    const read = async () => (await chief.get('/api/admin/news/status')).body
    expect(await read()).toMatchObject({ running: false, lastRunAt: null, changedAt: null })
    // The feed is unreachable: the failed read is a change, and the second run has nothing to do.
    await runLater(1_000)
    await runLater(MINUTE)
    const [changedAt, lastRunAt] = [begun + 1_000, begun + 61_000].map((time) => new Date(time).toISOString())
    expect(await read()).toMatchObject({ running: false, lastRunAt, changedAt })
    await elsewhere.close()
  })

  it('list stories by page and by state', async () => {
    const ids: string[] = []
    for (const index of [1, 2, 3]) ids.push((await added({ state: 'rejected', title: `その${index}` }))._id)
    await added({ state: 'waiting' })
    const page = async (query: string) =>
      (await admin.get<{ stories: NewsStory[]; next: string | null }>(`/api/admin/news/stories?${query}`)).body
    const first = await page('state=rejected&limit=2')
    expect(first.stories.map(({ _id }) => _id)).toEqual([ids[2], ids[1]])
    const second = await page(`state=rejected&limit=2&cursor=${first.next}`)
    expect([second.stories.map(({ _id }) => _id), second.next]).toEqual([[ids[0]], null])
    expect(second.stories[0]).toMatchObject({ title: 'その1', category: 'general', sentences: SENTENCES })
  })

  it('list articles with their state and problem', async () => {
    const url = 'https://news.example.jp/paid'
    const id = await addArticle(board, { sourceId, url, title: '有料記事', state: 'skipped', problem: 'no_text' })
    await addArticle(board, { sourceId })
    const { body } = await admin.get<{ articles: NewsArticle[] }>('/api/admin/news/articles?state=skipped')
    const problem = { problem: 'no_text', attempts: 0, foundAt: new Date(begun).toISOString() }
    expect(body.articles).toMatchObject([{ _id: id, source: '忍日報', url, title: '有料記事', ...problem }])
  })

  it('see the numbers of the last 24 hours, and of pending stories', async () => {
    expect(await status()).toMatchObject({
      ...{ active: true, scheduled: false, running: false, model: null, paused: null },
      tokens: { hour: 0, hourLimit: 200_000, day: 0, dayLimit: 2_000_000 },
      ...{ cost: null, waiting: 0, pending: 0 },
      day: { found: 0, skipped: 0, published: 0, refused: 0, calls: 0, callsFailed: 0 },
    })
    await published()
    for (const state of ['waiting', 'refused', 'ready'] as const) await added({ state })
    const about = { at: new Date(begun), storyId: null, model: 'test-model', promptVersion: 'test-1' }
    const cost = { inputTokens: 900, outputTokens: 100, milliseconds: 10 }
    const calls = (['ok', 'ungrounded', 'failed', 'limited'] as const).map((outcome) => ({
      ...{ id: uuidv7(begun), outcome, ...about, ...cost },
    }))
    await board.database.db.insertInto('newsCalls').values(calls).execute()
    expect(await status()).toMatchObject({
      day: { found: 4, skipped: 0, published: 1, refused: 1, calls: 4, callsFailed: 2 },
      ...{ waiting: 1, pending: 1 },
    })
  })
})
