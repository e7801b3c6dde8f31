/** Stories after publication: checked, corrected, withdrawn. */
import { describe, expect, it } from 'vitest'
import type { AuditEntry, PublicLogEntry } from '@shinobi/contract/moderation'
import { messages } from '@shinobi/contract/messages'
import type { NewsStory, Withdrawal } from '@shinobi/contract/news'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, visit } from '../../testing/board.ts'
import { caseOf, readPost, reportTimes } from '../../testing/reporting.ts'
import { purgeThreads } from '../../purge.ts'
import { sweepNews } from './news.sweep.ts'
import { pageOf } from '@shinobi/newsroom/testing/outside/newspaper'
import { MINUTE, HOUR, DAY, LIBRARY, FERRY, CORRECTED } from '../../testing/news/matters.ts'
import { admin, board, guest, logIn, openNewsroom, openOther, paper, secondPaper } from '../../testing/news/newsroom.ts'
import { articles, onlyStory, status, stories, summaryOf } from '../../testing/news/seen.ts'
import { addSource, correct, decide, publish, publishOne, runLater, stop, whenAsked } from '../../testing/news/work.ts'

openNewsroom()

const withdraw = (story: NewsStory) => decide(story, 'withdraw', { reason: '誤報でした' })

describe('a published story', () => {
  it('is checked five times in a week, and shows when its article has changed, is gone, or is back, but no failure', async () => {
    const { thread } = await publishOne()
    expect((await summaryOf(thread)).state).toBe('current')
    await runLater(HOUR - 1)
    expect(paper.asked('/articles/library')).toBe(1)
    paper.print({ ...LIBRARY, paragraphs: FERRY.paragraphs })
    await runLater(1)
    expect(await summaryOf(thread)).toMatchObject({
      ...{ state: 'stale', changedAt: new Date(board.clock.now).toISOString() },
    })
    paper.set('/articles/library', { status: 410 })
    await runLater(5 * HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'gone' })
    paper.print(LIBRARY)
    await runLater(18 * HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'current', changedAt: null })
    paper.set('/articles/library', { status: 500 })
    await runLater(2 * DAY)
    expect(await summaryOf(thread)).toMatchObject({ state: 'current' })
    expect(paper.asked('/articles/library')).toBe(5)
    await runLater(4 * DAY)
    expect(paper.asked('/articles/library')).toBe(6)
    await runLater(7 * DAY)
    expect(paper.asked('/articles/library')).toBe(6)
  })

  it('is marked at once when its article says that it was wrong, and an administrator reads what has changed', async () => {
    const { story, thread } = await publishOne()
    const changed = () => stories('changed')
    const counted = async () => (await status()).changed
    expect(await changed()).toEqual([])
    paper.print(CORRECTED)
    await runLater(HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'corrected' })
    expect(await counted()).toBe(1)
    const [shown] = await changed()
    expect(shown).toMatchObject({ _id: story._id, currency: 'corrected', reviewedAt: null })
    expect(shown!.findings.join()).toContain('訂正の言葉があります（「【訂正】人数に誤りがありました。」）')
    expect(shown!.findings.join()).toMatch(/数が変わりました（.*2300人.*→.*3200人/)
    // Somebody has looked at it; the mark stays for readers.
    expect((await decide(story, 'keep')).status).toBe(200)
    expect((await decide(story, 'keep')).status).toBe(409)
    expect([await changed(), await counted()]).toEqual([[], 0])
    expect(await summaryOf(thread)).toMatchObject({ state: 'corrected' })
    // The same change is no news at the next check; another one is.
    await runLater(5 * HOUR)
    expect(await counted()).toBe(0)
    paper.print({ ...CORRECTED, title: '中央図書館、夜間開館を見送り' })
    await runLater(18 * HOUR)
    expect((await changed())[0]!.findings.join()).toContain('見出しが変わりました')
  })

  it('loses its mark when it is corrected as well, until its article changes once more', async () => {
    const { thread } = await publishOne()
    paper.print(CORRECTED)
    await runLater(HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'corrected' })
    expect((await correct(await onlyStory(), { title: '図書館、夜も開く' })).status).toBe(200)
    expect(await summaryOf(thread)).toMatchObject({ state: 'current', changedAt: null })
    await runLater(5 * HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'current', changedAt: null })
    expect(await stories('changed')).toEqual([])
    paper.print({ ...LIBRARY, title: '中央図書館、夜間開館を見送り' })
    await runLater(18 * HOUR)
    expect(await summaryOf(thread)).toMatchObject({ state: 'stale' })
    expect(await stories('changed')).toHaveLength(1)
  })

  it('keeps a correction that comes while its article is read again', async () => {
    const { thread } = await publishOne()
    paper.print(CORRECTED)
    await runLater(HOUR)
    const story = await onlyStory()
    const corrected = whenAsked('/articles/library', { body: pageOf(CORRECTED) }, async () => {
      await logIn()
      await correct(story, { title: '図書館、夜も開く' })
    })
    const run = runLater(5 * HOUR)
    await corrected
    await run
    expect(await summaryOf(thread)).toMatchObject({ state: 'current', changedAt: null })
    expect(await stories('changed')).toEqual([])
  })

  it('is not checked while its thread is removed, and again after that is restored', async () => {
    const { thread } = await publishOne()
    expect((await admin.delete(`/api/admin/threads/${thread._id}?rule=improper`)).status).toBe(200)
    paper.print({ ...LIBRARY, paragraphs: FERRY.paragraphs })
    await runLater(HOUR)
    expect(paper.asked('/articles/library')).toBe(1)
    expect((await admin.post(`/api/admin/threads/${thread._id}/restore`)).status).toBe(200)
    await runLater(MINUTE)
    expect(await summaryOf(thread)).toMatchObject({ state: 'stale' })
    paper.print(LIBRARY)
    await runLater(5 * HOUR - MINUTE)
    expect(await summaryOf(thread)).toMatchObject({ state: 'current' })
  })

  it('is not checked after its source was stopped', async () => {
    const { sourceId } = await publishOne()
    const checks = () => board.database.db.selectFrom('newsStories').select('nextCheckAt').execute()
    expect(await checks()).toEqual([{ nextCheckAt: expect.any(Date) }])
    // The source is stopped during the request of the article.
    const stopped = whenAsked('/articles/library', { body: 'まだ途中です' }, async () => {
      await logIn()
      await stop(sourceId)
    })
    const run = runLater(HOUR)
    await stopped
    await run
    expect(await checks()).toEqual([{ nextCheckAt: null }])
  })

  it("can be corrected: title, text, search and readers' pages, also cached ones, follow and show the reason", async () => {
    const { story, thread } = await publishOne()
    expect((await summaryOf(thread)).corrections).toEqual([])
    const { body: before } = await guest.get<Thread>(`/api/threads/${thread._id}`)
    const socket = await connectTo(await board.listen())
    await enter(socket, thread._id)
    const heard = new Promise((resolve) => socket.once('threadChanged', resolve))
    const sentences = story.sentences.map((_, index) => `訂正された文その${index + 1}。`)
    const [title, note] = ['菓子博物館、夜も開く', '施設の名前に誤りがありました。']
    const answer = await correct(story, { title, sentences, note })
    expect(answer).toMatchObject({ status: 200, body: { _id: story._id, title } })
    const { body: after } = await guest.get<Thread>(`/api/threads/${thread._id}`)
    expect(after).toMatchObject({ title, content: sentences.join('\n') })
    expect(after.revision).toBe(before.revision + 1)
    expect(await heard).toMatchObject({ threadId: thread._id, revision: after.revision })
    socket.disconnect()
    const summary = await summaryOf(thread)
    expect(summary.corrections).toEqual([
      {
        ...{ at: new Date(board.clock.now).toISOString(), note },
        changes: [
          { before: story.title, after: title },
          ...sentences.map((after, index) => ({ before: story.sentences[index]!.text, after })),
        ],
      },
    ])
    expect(summary.sentences).toEqual(story.sentences.map(({ quote }, index) => ({ text: sentences[index], quote })))
    const find = async (text: string): Promise<string[]> =>
      (await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent(text)}`)).body.map(({ _id }) => _id)
    expect(await find('菓子博物館')).toContain(thread._id)
    expect(await find(story.sentences[0]!.text.slice(0, 20))).not.toContain(thread._id)
    const more = await correct(await onlyStory(), { sentences: [...sentences, 'もう一文。'] })
    expect(more).toMatchObject({ status: 400, body: { message: messages.news_sentences_count } })
  })

  it('is decided by its correction where it was reported: it is unfolded, and its reporters were right', async () => {
    const { story, thread } = await publishOne()
    await admin.put('/api/admin/settings', { foldReporters: 2 })
    const { body: posts } = await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts`)
    const [opening] = posts as [Post]
    await reportTimes(board, opening, 2)
    expect(await readPost(board, opening)).toMatchObject({ folded: true })
    expect(await caseOf(admin, opening)).toMatchObject({ status: 'open', thread: { summary: story.kind } })

    const path = `/api/admin/news/stories?threadId=${thread._id}`
    expect((await admin.get<{ stories: NewsStory[] }>(path)).body.stories).toMatchObject([{ _id: story._id }])
    const sentences = story.sentences.map(({ text }, index) => (index === 0 ? '訂正された文。' : text))
    expect((await correct(story, { sentences })).status).toBe(200)

    expect(await readPost(board, opening)).toMatchObject({ folded: false })
    // A correction is corrected again, but not undone.
    expect(await caseOf(admin, opening)).toMatchObject({
      ...{ status: 'closed', decision: 'news_correct', decidedBy: '半蔵', actionId: null },
      reports: [{ reporter: { upheld: 1, dismissed: 0 } }, { reporter: { upheld: 1, dismissed: 0 } }],
    })
    await reportTimes(board, opening, 1)
    expect(await readPost(board, opening)).toMatchObject({ folded: false })
    expect(await caseOf(admin, opening)).toMatchObject({ status: 'open', decision: null })
  })

  it('can be withdrawn: its thread is gone everywhere, and no other thread replaces it', async () => {
    const { story, thread } = await publishOne()
    expect((await guest.get(`/api/threads/${thread._id}/summary`)).status).toBe(200)
    expect((await withdraw(story)).status).toBe(200)
    expect((await guest.get(`/api/threads/${thread._id}`)).status).toBe(404)
    expect((await guest.get(`/api/threads/${thread._id}/summary`)).status).toBe(404)
    expect(await stories()).toMatchObject([{ state: 'withdrawn' }])
    expect((await withdraw(story)).status).toBe(409)
    // An article of another newspaper on the same news does not open a new thread.
    await addSource(publish([LIBRARY], secondPaper))
    expect(await runLater(MINUTE)).toMatchObject({ read: 1, stories: 0, published: 0 })
  })

  it('counts as withdrawn after a moderator removed its thread', async () => {
    const { story, thread } = await publishOne()
    expect((await admin.delete(`/api/admin/threads/${thread._id}?rule=improper`)).status).toBe(200)
    expect(await stories()).toMatchObject([{ state: 'withdrawn' }])
    expect([await stories('published'), await stories('withdrawn')]).toMatchObject([[], [{ _id: story._id }]])
    expect((await guest.get(`/api/threads/${thread._id}/summary`)).status).toBe(404)
    expect((await correct(story, { title: '新しい題名' })).status).toBe(409)
  })

  it('is shown with its sources again after its thread is restored, and can be withdrawn again', async () => {
    const { story, thread } = await publishOne()
    const before = await summaryOf(thread)
    const state = async () => (await onlyStory()).state
    await withdraw(story)
    expect((await admin.post(`/api/admin/threads/${thread._id}/restore`)).status).toBe(200)
    expect(await state()).toBe('published')
    expect(await summaryOf(thread)).toEqual(before)

    await withdraw(story)
    expect(await stories('withdrawn')).toMatchObject([{ _id: story._id }])
    const { body: log } = await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')
    const entry = log.entries.find(({ action }) => action === 'news_withdraw')!
    expect(entry.undoable).toBe(true)
    // Everybody can read what stood there, why it is gone, and that it was taken down.
    const notice = () => guest.get<Withdrawal>(`/api/threads/${thread._id}/withdrawal`)
    expect((await notice()).body).toMatchObject({
      ...{ title: LIBRARY.title, site: '忍日報', url: expect.stringContaining('/articles/library') },
      ...{ reason: entry.reason, at: entry.at },
    })
    const publicLog = async () => (await guest.get<PublicLogEntry[]>('/api/moderation-log')).body
    expect((await publicLog())[0]).toMatchObject({ action: 'news_withdraw', threadId: null, undone: false })
    expect(JSON.stringify(await publicLog())).not.toContain(entry.reason)
    expect((await admin.post(`/api/admin/actions/${entry._id}/undo`)).status).toBe(200)
    expect(await state()).toBe('published')
    expect((await notice()).status).toBe(404)
    await board.settle()
    expect((await publicLog()).find(({ action }) => action === 'news_withdraw')).toMatchObject({ undone: true })
    expect(await summaryOf(thread)).toEqual(before)
  })

  it('has no notice once its thread was restored and removed again for another reason', async () => {
    const { story, thread } = await publishOne()
    const notice = () => guest.get<Withdrawal>(`/api/threads/${thread._id}/withdrawal`)
    await withdraw(story)
    expect((await notice()).status).toBe(200)
    expect((await admin.post(`/api/admin/threads/${thread._id}/restore`)).status).toBe(200)
    board.clock.now += MINUTE
    expect((await admin.delete(`/api/admin/threads/${thread._id}?rule=improper`)).status).toBe(200)
    expect((await notice()).status).toBe(404)
  })

  it('stays withdrawn after its thread was deleted, and readers find the notice however old it is', async () => {
    const { story, thread } = await publishOne()
    await addSource(publish([LIBRARY], secondPaper))
    await runLater(MINUTE)
    await withdraw(story)
    const { db } = board.database
    const stored = () => db.selectFrom('newsStories').select(['state', 'summary']).execute()
    await sweepNews(board.deps, board.clock.now)
    expect(await stored()).toMatchObject([{ state: 'published' }])
    await purgeThreads(board.deps, board.clock.now + 3 * DAY)
    await sweepNews(board.deps, board.clock.now + 3 * DAY)
    expect([await stored(), await stories()]).toMatchObject([[{ state: 'withdrawn' }], [{ state: 'withdrawn' }]])
    await sweepNews(board.deps, board.clock.now + 100 * DAY)
    await sweepNews(board.deps, board.clock.now + 200 * DAY)
    // What the summary said is gone, and so is the article of another publisher.
    expect(await stored()).toEqual([{ state: 'withdrawn', summary: null }])
    expect(await articles()).toHaveLength(1)
    expect((await guest.get(`/api/threads/${thread._id}/withdrawal`)).body).toMatchObject({
      ...{ title: LIBRARY.title, site: '忍日報', reason: '誤報でした' },
    })
  })

  it('has no summary after its opening post was removed', async () => {
    const { thread } = await publishOne()
    await summaryOf(thread)
    const [post] = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    expect((await admin.delete(`/api/admin/posts/${post!._id}?rule=law`)).status).toBe(200)
    expect((await guest.get(`/api/threads/${thread._id}/summary`)).status).toBe(404)
    expect((await guest.get<string>(`/thread/${thread._id}`)).body).not.toContain('人件費')
  })

  it('does not name a source that was stopped with its threads', async () => {
    const { thread } = await publishOne()
    const id = await addSource(publish([LIBRARY], secondPaper), { name: '訴えた新聞' })
    await runLater(MINUTE)
    expect((await summaryOf(thread)).sources).toHaveLength(2)
    await stop(id)
    expect((await summaryOf(thread)).sources).toMatchObject([{ site: '忍日報' }])
  })

  it('names a deleted source by its host, whatever its pages call themselves', async () => {
    const { thread, sourceId } = await publishOne()
    expect((await admin.delete(`/api/admin/news/sources/${sourceId}`)).status).toBe(200)
    board.clock.now += MINUTE
    expect((await summaryOf(thread)).sources).toMatchObject([{ site: '127.0.0.1' }])
  })

  it('is logged as an action of the board, and is visible on other servers within two seconds', async () => {
    const second = await openOther()
    const reader = visit(second)
    expect((await reader.get<ThreadItem[]>('/api/threads?limit=50')).status).toBe(200)
    const { thread } = await publishOne()
    await second.deps.removalFollower.settle()
    const { body } = await reader.get<ThreadItem[]>('/api/threads?limit=50')
    expect(body.map(({ _id }) => _id)).toContain(thread._id)
    const log = await admin.get<{ entries: unknown[] }>('/api/admin/audit')
    expect(JSON.stringify(log.body)).toContain('news_publish')
    await second.close()
  })
})
