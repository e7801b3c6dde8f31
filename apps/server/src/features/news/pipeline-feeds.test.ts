/**
 * From feeds to threads, with publishers of the test: which articles feeds bring, and when they are
 * requested.
 */
import { describe, expect } from 'vitest'
import type { AuditEntry } from '@shinobi/contract/moderation'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { hashPlainUrl } from '@shinobi/newsroom/articles/urls'
import { MATTERS } from '@shinobi/newsroom/testing/outside/newspaper'
import {
  LIBRARY,
  FERRY,
  COMET,
  TEA,
  RUGBY,
  BEAR,
  CHIP,
  VIOLIN,
  FLU,
  RAIL,
  CORAL,
  MANGA,
  newsTest as it,
} from '../../testing/news-fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('feeds', () => {
  it('of all four kinds in three charsets lead to one thread per article, in lists, search and feeds', async ({
    board,
    guest,
    paper,
    helpers: { addSource, runLater, threadsSince, summaryOf },
  }) => {
    const begun = board.clock.now
    const desks = [
      { kind: 'rss', charset: 'shift_jis', matters: [LIBRARY, FERRY, COMET] },
      { kind: 'atom', charset: 'utf-8', matters: [TEA, RUGBY, BEAR] },
      { kind: 'rdf', charset: 'euc-jp', matters: [CHIP, VIOLIN, FLU] },
      { kind: 'json', charset: 'utf-8', matters: [RAIL, CORAL, MANGA] },
    ] as const
    for (const { kind, charset, matters } of desks) {
      for (const matter of matters) paper.print(matter, { charset })
      await addSource(paper.announce(`/${kind}`, matters, { newest: begun - MINUTE, kind, charset }), { name: kind })
    }
    expect(await runLater(0)).toEqual({
      ...{ feeds: 4, found: 12, read: 12, skipped: 0, stories: 12, published: 12, refused: 0 },
    })
    const threads = await threadsSince(begun)
    expect([...threads.keys()].toSorted()).toEqual(MATTERS.map(({ title }) => title).toSorted())
    for (const { kind, matters } of desks) {
      for (const { slug, title } of matters) {
        expect(threads.get(title)).toMatchObject({
          ...{ aiGenerated: false, summary: 'extractive', nickname: null, userId: null, category: 'general' },
          ...{ sourceSite: kind, sourceUrl: `${paper.url}/articles/${slug}` },
        })
      }
    }

    const coral = threads.get(CORAL.title)!
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
    const feed = await guest.get<string>('/feed.xml')
    expect(feed.body).toContain(coral._id)
    // A second run finds nothing to do.
    expect(await runLater(0)).toMatchObject({ feeds: 0, found: 0, published: 0 })
  })

  it('are not sent again when unchanged, and bring new articles after a change', async ({
    board,
    paper,
    helpers: { addSource, runLater, threadsSince },
  }) => {
    const begun = board.clock.now
    for (const matter of [LIBRARY, FERRY]) paper.print(matter)
    const url = paper.announce('/feed', [LIBRARY], { newest: begun - MINUTE, etag: '"one"' })
    await addSource(url)
    expect(await runLater(0)).toMatchObject({ found: 1, published: 1 })
    expect(await runLater(29 * MINUTE)).toMatchObject({ feeds: 0 })
    expect(await runLater(MINUTE)).toMatchObject({ feeds: 1, found: 0 })
    expect(paper.requests.findLast(({ path }) => path === '/feed')!.headers['if-none-match']).toBe('"one"')
    paper.announce('/feed', [FERRY, LIBRARY], { newest: begun + 20 * MINUTE, etag: '"two"' })
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 1, published: 1 })
    expect([...(await threadsSince(begun)).keys()]).toEqual([FERRY.title, LIBRARY.title])
  })

  it('do not bring an article again that was found before variants of its address had one key', async ({
    board,
    paper,
    helpers: { addSource, runLater },
  }) => {
    paper.print(LIBRARY)
    const url = paper.announce('/feed', [LIBRARY], { newest: board.clock.now - MINUTE })
    await addSource(url)
    expect(await runLater(0)).toMatchObject({ found: 1 })
    const { db } = board.database
    const article = await db.selectFrom('newsArticles').select(['id', 'url']).executeTakeFirstOrThrow()
    const old = { urlHash: hashPlainUrl(article.url), canonicalHash: null, bands: [] }
    await db.updateTable('newsArticles').set(old).where('id', '=', article.id).execute()
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 0 })
  })

  it('bring articles of the last day at the first read, and never those that were older then', async ({
    board,
    paper,
    helpers: { addSource, articles, runLater },
  }) => {
    const begun = board.clock.now
    for (const matter of MATTERS) paper.print(matter)
    // One article every ten minutes, the newest 23 hours old: the seventh and the older ones are
    // over a day old.
    const url = paper.announce('/feed', MATTERS, { newest: begun - 23 * HOUR - 5 * MINUTE })
    await addSource(url)
    expect(await runLater(0)).toMatchObject({ found: 6 })
    expect(await runLater(30 * MINUTE)).toMatchObject({ feeds: 1, found: 0 })
    expect((await articles()).filter(({ problem }) => problem === 'too_old')).toHaveLength(6)
  })

  it('without dates bring five articles at the first read, and later only new ones', async ({
    paper,
    helpers: { addSource, runLater },
  }) => {
    for (const matter of MATTERS) paper.print(matter)
    const url = paper.announce('/feed', MATTERS.slice(1), { newest: null })
    await addSource(url)
    expect(await runLater(0)).toMatchObject({ found: 5, published: 5 })
    paper.announce('/feed', MATTERS, { newest: null })
    expect(await runLater(30 * MINUTE)).toMatchObject({ found: 1, published: 1 })
  })

  it('with more than twenty new articles bring the rest at the next read, even when unchanged', async ({
    board,
    paper,
    helpers: { addSource, runLater },
  }) => {
    const many = Array.from({ length: 23 }, (_, index) => ({ ...LIBRARY, slug: `same-${index}` }))
    for (const matter of many) paper.print(matter)
    await addSource(paper.announce('/feed', many, { newest: board.clock.now - MINUTE, etag: '"same"' }))
    expect(await runLater(0)).toMatchObject({ found: 20, stories: 1, published: 1 })
    expect(await runLater(30 * MINUTE)).toMatchObject({ found: 3, stories: 0 })
  })

  it('that cannot be read are requested less and less often, and no more after twenty failures', async ({
    board,
    paper,
    helpers: { addSource, sourceOf, runLater },
  }) => {
    paper.set('/feed', { body: '<html><body>メンテナンス中</body></html>' })
    const id = await addSource(`${paper.url}/feed`)
    await runLater(0)
    let source = await sourceOf(id)
    expect(source).toMatchObject({ problem: 'not_a_feed', failures: 1, fetchedAt: null })
    expect(source.nextFetchAt.getTime() - board.clock.now).toBe(HOUR)
    paper.set('/feed', { status: 503, headers: { 'retry-after': '36000' } })
    await runLater(HOUR)
    source = await sourceOf(id)
    expect(source).toMatchObject({ problem: 'http_error', failures: 2, active: true })
    expect(source.nextFetchAt.getTime() - board.clock.now).toBe(10 * HOUR)
    for (let failures = 3; failures <= 20; failures += 1) await runLater(DAY)
    source = await sourceOf(id)
    expect(source).toMatchObject({ failures: 20, active: false })
    expect(await runLater(DAY)).toMatchObject({ feeds: 0 })
  })

  it('that work again are requested at the usual interval', async ({
    board,
    paper,
    helpers: { addSource, sourceOf, runLater, publish },
  }) => {
    const id = await addSource(`${paper.url}/feed`)
    await runLater(0)
    expect(await sourceOf(id)).toMatchObject({ problem: 'gone', failures: 1 })
    publish([LIBRARY])
    expect(await runLater(HOUR)).toMatchObject({ published: 1 })
    const source = await sourceOf(id)
    expect(source).toMatchObject({ problem: null, failures: 0, fetchedAt: new Date(board.clock.now) })
    expect(source.nextFetchAt.getTime() - board.clock.now).toBe(30 * MINUTE)
  })

  it('that have moved permanently are requested at their new address', async ({
    admin,
    paper,
    helpers: { addSource, sourceOf, runLater, publish },
  }) => {
    publish([LIBRARY])
    paper.set('/old', { status: 301, headers: { location: '/feed' } })
    const id = await addSource(`${paper.url}/old`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await sourceOf(id)).url).toBe(`${paper.url}/feed`)
    const { body } = await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')
    expect(body.entries.find(({ action }) => action === 'news_source_change')).toMatchObject({ actor: null })
  })

  it("that redirect to another publisher's host are read there, but keep their own address", async ({
    paper,
    secondPaper,
    helpers: { addSource, sourceOf, runLater, publish },
  }) => {
    publish([LIBRARY], secondPaper)
    const elsewhere = secondPaper.url.replace('127.0.0.1', 'localhost')
    paper.set('/feed', { status: 301, headers: { location: `${elsewhere}/feed` } })
    const id = await addSource(`${paper.url}/feed`)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await sourceOf(id)).url).toBe(`${paper.url}/feed`)
    await runLater(30 * MINUTE)
    expect(paper.asked('/feed')).toBe(2)
  })

  it('of a source that is stopped during the read bring nothing, not even after it is resumed', async ({
    board,
    paper,
    helpers: { addSource, articles, stop, runLater, threadsSince, publish, feedRoute },
  }) => {
    const begun = board.clock.now
    const id = await addSource(publish([LIBRARY]))
    const route = feedRoute([LIBRARY])
    const stopped = Promise.withResolvers<void>()
    // The source is stopped before the answer is complete.
    paper.set('/feed', () => {
      void stop(id).then(() => stopped.resolve(), stopped.reject)
      return { ...route, pace: 'trickle' }
    })
    const run = runLater(0)
    await stopped.promise
    expect(await run).toMatchObject({ feeds: 1, found: 0 })
    await board.database.db.updateTable('newsSources').set({ active: true }).where('id', '=', id).execute()
    paper.set('/feed', { status: 304 })
    await runLater(30 * MINUTE)
    expect(await articles()).toEqual([])
    expect((await threadsSince(begun)).size).toBe(0)
  })

  it('are read again at once when an administrator asks for that during a failing read', async ({
    board,
    admin,
    paper,
    helpers: { addSource, runLater, feedRoute },
  }) => {
    const asked = Promise.withResolvers<void>()
    const id = await addSource(`${paper.url}/feed`)
    board.clock.now += MINUTE
    paper.set('/feed', () => {
      void admin.post(`/api/admin/news/sources/${id}/read`).then(() => asked.resolve(), asked.reject)
      return { status: 500, body: '直しています'.repeat(20), pace: 'trickle' }
    })
    const run = runLater(0)
    await asked.promise
    paper.print(LIBRARY)
    paper.set('/feed', feedRoute([LIBRARY]))
    // The feed was due again before the end of this run.
    expect(await run).toMatchObject({ feeds: 2, published: 1 })
  })

  it('of blocked or switched-off sources are not requested', async ({
    board,
    paper,
    secondPaper,
    helpers: { addSource, runLater, publish },
  }) => {
    await addSource(publish([LIBRARY]), { permission: 'blocked' })
    const off = await addSource(publish([FERRY], secondPaper))
    await board.database.db.updateTable('newsSources').set({ active: false }).where('id', '=', off).execute()
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect([...paper.requests, ...secondPaper.requests]).toEqual([])
  })

  it('without a category are not requested until they have one', async ({
    board,
    paper,
    helpers: { addSource, sourceOf, runLater, publish },
  }) => {
    const id = await addSource(publish([LIBRARY]))
    await board.database.db.updateTable('newsSources').set({ categoryId: null }).where('id', '=', id).execute()
    expect(await runLater(0)).toMatchObject({ feeds: 0 })
    expect(await sourceOf(id)).toMatchObject({ problem: 'category_missing', failures: 0 })
    expect(paper.requests).toEqual([])
  })
})
