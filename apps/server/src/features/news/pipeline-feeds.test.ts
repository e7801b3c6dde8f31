/**
 * From feeds to threads, with publishers of the test: which articles feeds bring, and when they are
 * requested.
 */
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '@shinobi/contract/moderation'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { hashPlainUrl } from '@shinobi/newsroom/articles/urls'
import { feedOf, MATTERS } from '@shinobi/newsroom/testing/outside/newspaper'
import type { Route } from '@shinobi/newsroom/testing/outside/publishers'
import { MINUTE, HOUR, DAY, LIBRARY, FERRY, CORAL } from '../../testing/news/matters.ts'
import { admin, begun, board, guest, openNewsroom, paper, secondPaper } from '../../testing/news/newsroom.ts'
import { articles, sourceOf, summaryOf, threads, titles } from '../../testing/news/seen.ts'
import { addSource, publish, runLater, runWith, setSource, stop, whenAsked } from '../../testing/news/work.ts'

openNewsroom()

const later = (ms: number): Date => new Date(board.clock.now + ms)
/** A route that serves the feed, for use in a larger route. */
const feedRoute = (): Route => ({
  body: feedOf('rss', [{ url: `${paper.url}/articles/library`, title: LIBRARY.title, at: later(0) }]),
})

describe('feeds', () => {
  it('of all four kinds in three charsets lead to one thread per article, in lists, search and feeds', async () => {
    const feeds = [
      { kind: 'rss', charset: 'shift_jis', matters: MATTERS.slice(0, 3) },
      { kind: 'atom', charset: 'utf-8', matters: MATTERS.slice(3, 6) },
      { kind: 'rdf', charset: 'euc-jp', matters: MATTERS.slice(6, 9) },
      { kind: 'json', charset: 'utf-8', matters: MATTERS.slice(9, 12) },
    ] as const
    for (const { kind, charset, matters } of feeds) {
      for (const matter of matters) paper.print(matter, { charset })
      await addSource(paper.announce(`/${kind}`, matters, { newest: begun - MINUTE, kind, charset }), { name: kind })
    }
    const report = { feeds: 4, found: 12, read: 12, skipped: 0, stories: 12, published: 12, refused: 0 }
    expect(await runLater(0)).toEqual(report)
    const shown = await threads()
    expect([...shown.keys()].toSorted()).toEqual(MATTERS.map(({ title }) => title).toSorted())
    for (const { kind, matters } of feeds) {
      for (const { slug, title } of matters) {
        expect(shown.get(title)).toMatchObject({
          ...{ aiGenerated: false, summary: 'extractive', nickname: null, userId: null, category: 'general' },
          ...{ sourceSite: kind, sourceUrl: `${paper.url}/articles/${slug}` },
        })
      }
    }

    const coral = shown.get(CORAL.title)!
    const summary = await summaryOf(coral)
    const { body: thread } = await guest.get<Thread>(`/api/threads/${coral._id}`)
    expect(thread.content).toBe(summary.sentences.map(({ text }) => text).join('\n'))
    expect(summary).toMatchObject({ kind: 'extractive', model: null, state: 'current', corrections: [] })
    expect(summary.sources).toEqual([
      { site: 'json', title: CORAL.title, url: coral.sourceUrl, publishedAt: expect.any(String) },
    ])
    for (const { quote } of summary.sentences) expect(CORAL.paragraphs.join('\n')).toContain(quote)

    const found = await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent('サンゴの白化')}`)
    expect(found.body.map(({ _id }) => _id)).toContain(coral._id)
    expect((await guest.get<string>('/feed.xml')).body).toContain(coral._id)
    // A second run finds nothing to do.
    expect(await runLater(0)).toMatchObject({ feeds: 0, found: 0, published: 0 })
  })

  it('are not sent again when unchanged, and bring new articles after a change', async () => {
    for (const matter of [LIBRARY, FERRY]) paper.print(matter)
    await addSource(paper.announce('/feed', [LIBRARY], { newest: begun - MINUTE, etag: '"one"' }))
    expect(await runLater(0)).toMatchObject({ found: 1, published: 1 })
    expect(await runLater(29 * MINUTE)).toMatchObject({ feeds: 0 })
    expect(await runLater(MINUTE)).toMatchObject({ feeds: 1, found: 0 })
    expect(paper.requests.findLast(({ path }) => path === '/feed')!.headers['if-none-match']).toBe('"one"')
    paper.announce('/feed', [FERRY, LIBRARY], { newest: begun + 20 * MINUTE, etag: '"two"' })
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 1, published: 1 })
    expect(await titles()).toEqual([FERRY.title, LIBRARY.title])
  })

  it('do not bring an article again that was found before variants of its address had one key', async () => {
    expect(await runWith([LIBRARY])).toMatchObject({ found: 1 })
    const [article] = await articles()
    const old = { urlHash: hashPlainUrl(article!.url), canonicalHash: null, bands: [] }
    await board.database.db.updateTable('newsArticles').set(old).execute()
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 0 })
  })

  it('bring articles of the last day at the first read, and never those that were older then', async () => {
    for (const matter of MATTERS) paper.print(matter)
    // One article every ten minutes, the newest 23 hours old: the seventh and the older ones are
    // over a day old.
    await addSource(paper.announce('/feed', MATTERS, { newest: begun - 23 * HOUR - 5 * MINUTE }))
    expect(await runLater(0)).toMatchObject({ found: 6 })
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 0 })
    expect((await articles()).filter(({ problem }) => problem === 'too_old')).toHaveLength(6)
  })

  it('without dates bring five articles at the first read, and later only new ones', async () => {
    for (const matter of MATTERS) paper.print(matter)
    await addSource(paper.announce('/feed', MATTERS.slice(1), { newest: null }))
    expect(await runLater(0)).toMatchObject({ found: 5, published: 5 })
    paper.announce('/feed', MATTERS, { newest: null })
    expect(await runLater(30 * MINUTE)).toMatchObject({ found: 1, published: 1 })
  })

  it('without dates bring what its page dates within two days, and nothing older', async () => {
    const dated = (at: number) => ({
      head: `<meta property="article:published_time" content="${new Date(at).toISOString()}">`,
    })
    paper.print(LIBRARY, dated(begun - DAY))
    paper.print(FERRY, dated(begun - 30 * DAY))
    await addSource(paper.announce('/feed', [LIBRARY, FERRY], { newest: null }))
    expect(await runLater(0)).toMatchObject({ found: 2, skipped: 1, published: 1 })
    expect(await titles()).toEqual([LIBRARY.title])
    expect((await articles()).find(({ url }) => url.endsWith('ferry'))).toMatchObject({ problem: 'too_old' })
  })

  it('with more than twenty new articles bring the rest at the next read, even when unchanged', async () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ ...LIBRARY, slug: `same-${index}` }))
    for (const matter of many) paper.print(matter)
    await addSource(paper.announce('/feed', many, { newest: board.clock.now - MINUTE, etag: '"same"' }))
    expect(await runLater(0)).toMatchObject({ found: 20, stories: 1, published: 1 })
    expect(await runLater(30 * MINUTE)).toMatchObject({ found: 3, stories: 0 })
  })

  it('that cannot be read are requested less and less often until they work, and no more after twenty failures', async () => {
    paper.set('/feed', { body: '<html><body>メンテナンス中</body></html>' })
    const id = await addSource(`${paper.url}/feed`)
    await runLater(0)
    const once = { problem: 'not_a_feed', failures: 1, fetchedAt: null, nextFetchAt: later(HOUR) }
    expect(await sourceOf(id)).toMatchObject(once)
    paper.set('/feed', { status: 503, headers: { 'retry-after': '36000' } })
    await runLater(HOUR)
    const twice = { problem: 'http_error', failures: 2, active: true, nextFetchAt: later(10 * HOUR) }
    expect(await sourceOf(id)).toMatchObject(twice)
    publish([LIBRARY])
    expect(await runLater(10 * HOUR)).toMatchObject({ published: 1 })
    const usual = { problem: null, failures: 0, fetchedAt: later(0), nextFetchAt: later(30 * MINUTE) }
    expect(await sourceOf(id)).toMatchObject(usual)
    paper.set('/feed', { status: 503 })
    for (let failures = 1; failures <= 20; failures += 1) await runLater(DAY)
    expect(await sourceOf(id)).toMatchObject({ failures: 20, active: false })
    expect(await runLater(DAY)).toMatchObject({ feeds: 0 })
  })

  it('that have moved permanently are requested at their new address', async () => {
    publish([LIBRARY])
    paper.set('/old', { status: 301, headers: { location: '/feed' } })
    const id = await addSource(`${paper.url}/old`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await sourceOf(id)).url).toBe(`${paper.url}/feed`)
    const { body } = await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')
    expect(body.entries.find(({ action }) => action === 'news_source_change')).toMatchObject({ actor: null })
  })

  it("that redirect to another publisher's host are read there, but keep their own address", async () => {
    publish([LIBRARY], secondPaper)
    const elsewhere = secondPaper.url.replace('127.0.0.1', 'localhost')
    paper.set('/feed', { status: 301, headers: { location: `${elsewhere}/feed` } })
    const id = await addSource(`${paper.url}/feed`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await sourceOf(id)).url).toBe(`${paper.url}/feed`)
    await runLater(30 * MINUTE)
    expect(paper.asked('/feed')).toBe(2)
  })

  it('of a source that is stopped during the read bring nothing, not even after it is resumed', async () => {
    const id = await addSource(publish([LIBRARY]))
    const stopped = whenAsked('/feed', feedRoute(), () => stop(id))
    const run = runLater(0)
    await stopped
    expect(await run).toMatchObject({ feeds: 1, found: 0 })
    await setSource(id, { active: true })
    paper.set('/feed', { status: 304 })
    await runLater(30 * MINUTE)
    expect(await articles()).toEqual([])
    expect(await titles()).toEqual([])
  })

  it('are read again at once when an administrator asks for that during a failing read', async () => {
    const id = await addSource(`${paper.url}/feed`)
    board.clock.now += MINUTE
    paper.print(LIBRARY)
    const asked = whenAsked('/feed', { status: 500 }, async () => {
      paper.set('/feed', feedRoute())
      await admin.post(`/api/admin/news/sources/${id}/read`)
    })
    // The feed was due again before the end of this run.
    expect(await runLater(0)).toMatchObject({ feeds: 2, published: 1 })
    await asked
  })

  it('of blocked or switched-off sources are not requested', async () => {
    await addSource(publish([LIBRARY]), { permission: 'blocked' })
    await setSource(await addSource(publish([FERRY], secondPaper)), { active: false })
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect([...paper.requests, ...secondPaper.requests]).toEqual([])
  })

  it('without a category are not requested until they have one', async () => {
    const id = await addSource(publish([LIBRARY]))
    await setSource(id, { categoryId: null })
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect(await sourceOf(id)).toMatchObject({ problem: 'category_missing', failures: 0 })
    expect(paper.requests).toEqual([])
  })
})
