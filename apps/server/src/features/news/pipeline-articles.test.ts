/** From feeds to threads: which articles are read, and what they become. */
import { describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { MATTERS, pageOf, type Matter } from '@shinobi/newsroom/testing/outside/newspaper'
import { pictureBytes } from '../../testing/outside/picture.ts'
import { addArticle } from '../../testing/stories.ts'
import { MINUTE, HOUR, DAY, LIBRARY, FERRY, COMET, TEA, FOREIGN, ORDER } from '../../testing/news/matters.ts'
import { admin, board, change, guest, openNewsroom, paper, secondPaper } from '../../testing/news/newsroom.ts'
import { articles, onlyStory, stories, summaryOf, threads, titles } from '../../testing/news/seen.ts'
import { addSource, announce, approve, decide, publish, runLater, runWith } from '../../testing/news/work.ts'

openNewsroom()

/** Serves an article with a picture. */
function printPictured(matter: Matter, body: Buffer): void {
  paper.set(`/${matter.slug}.png`, { body, headers: { 'content-type': 'image/png' } })
  paper.print(matter, { head: `<meta property="og:image" content="${paper.url}/${matter.slug}.png">` })
}

describe('articles', () => {
  it('are skipped when they do not exist, and retried three times when they fail', async () => {
    const feed = publish([LIBRARY, FERRY, COMET])
    paper.set('/articles/library', null)
    paper.set('/articles/ferry', { status: 500 })
    paper.set('/articles/comet', { status: 500 })
    await addSource(feed)
    expect(await runLater(0)).toMatchObject({ read: 0, skipped: 1 })
    await runLater(4 * MINUTE)
    expect(paper.asked('/articles/ferry')).toBe(1)
    await runLater(MINUTE)
    expect(paper.asked('/articles/ferry')).toBe(2)
    paper.print(COMET)
    expect(await runLater(30 * MINUTE)).toMatchObject({ read: 1, skipped: 0, published: 1 })
    expect(await runLater(3 * HOUR)).toMatchObject({ skipped: 1 })
    await runLater(DAY)
    expect(paper.asked('/articles/ferry')).toBe(4)
    const ends = (await articles()).map(({ url, state, problem }) => [new URL(url).pathname, state, problem])
    expect(ends).toHaveLength(3)
    expect(ends).toEqual(
      expect.arrayContaining([
        ['/articles/library', 'skipped', 'gone'],
        ['/articles/ferry', 'skipped', 'http_error'],
        ['/articles/comet', 'told', null],
      ]),
    )
    expect(await titles()).toEqual([COMET.title])
  })

  it('on the same news become one thread with several sources, also when the second comes later', async () => {
    expect(await runWith([LIBRARY], { name: '朝の新聞' })).toMatchObject({ stories: 1, published: 1 })
    expect((await summaryOf()).sources).toHaveLength(1)
    const copied = { ...LIBRARY, slug: 'copy', title: '図書館が夜も開く' }
    await addSource(publish([copied], secondPaper), { name: '夕方の新聞' })
    expect(await runLater(MINUTE)).toMatchObject({ read: 1, stories: 0, published: 0 })
    expect(await titles()).toHaveLength(1)
    expect((await summaryOf()).sources).toMatchObject([
      { site: '朝の新聞', title: LIBRARY.title, url: `${paper.url}/articles/library` },
      { site: '夕方の新聞', title: '図書館が夜も開く', url: `${secondPaper.url}/articles/copy` },
    ])
  })

  it("that come later show the source's name when their title breaks a word rule or needs approval", async () => {
    await runWith([LIBRARY], { name: '朝の新聞' })
    const shown = async () => (await summaryOf()).sources.map(({ title }) => title)
    const rude = { ...LIBRARY, slug: 'rude', title: '詐欺師の館長が夜も開ける' }
    await addSource(publish([rude], secondPaper), { name: '夕方の新聞' })
    await runLater(MINUTE)
    expect(await shown()).toEqual([LIBRARY.title, rude.title])
    await admin.post('/api/admin/words', { word: '詐欺師', action: 'mask' })
    board.clock.now += MINUTE
    expect(await shown()).toEqual([LIBRARY.title, '＊＊＊の館長が夜も開ける'])
    await admin.post('/api/admin/words', { word: '館長', action: 'block' })
    board.clock.now += MINUTE
    expect(await shown()).toEqual([LIBRARY.title, '夕方の新聞'])
    await board.database.db.deleteFrom('bannedWords').execute()
    await board.deps.words.reload()
    await change({ newsApproval: true })
    board.clock.now += MINUTE
    expect(await shown()).toEqual([LIBRARY.title, '夕方の新聞'])
  })

  it('with instructions to machines are not shown below the thread of another article', async () => {
    await runWith([LIBRARY])
    const sly = { ...LIBRARY, slug: 'sly', paragraphs: [...LIBRARY.paragraphs, ORDER] }
    await addSource(publish([sly], secondPaper))
    expect(await runLater(MINUTE)).toMatchObject({ read: 1, stories: 0, skipped: 1 })
    expect((await summaryOf()).sources).toHaveLength(1)
    expect((await articles()).map(({ problem }) => problem)).toEqual([null, 'machine_talk'])
  })

  it('of one slow host do not delay other hosts beyond its time slice', async () => {
    const [quick, ...slow] = MATTERS.slice(0, 6) as [Matter, ...Matter[]]
    for (const matter of slow) {
      // Each of its pages takes twenty seconds.
      paper.set(`/articles/${matter.slug}`, () => {
        board.clock.now += 20_000
        return { body: pageOf(matter) }
      })
    }
    await addSource(announce(slow))
    let asked = 0
    secondPaper.set(`/articles/${quick.slug}`, () => {
      asked = paper.requests.filter(({ path }) => path.startsWith('/articles/')).length
      return { body: pageOf(quick) }
    })
    await addSource(announce([quick], secondPaper))
    expect(await runLater(0)).toMatchObject({ read: 6, published: 6 })
    expect(asked).toBeLessThanOrEqual(2)
  })

  it('of one slow host do not keep others waiting, however many they are', async () => {
    const sourceId = await addSource(announce([]))
    for (let place = 0; place < 120; place += 1) {
      await addArticle(board, { sourceId, url: `${paper.url}/articles/slow?${place}` })
    }
    board.clock.now += MINUTE
    let slow = 0
    paper.set('/articles/slow', () => {
      board.clock.now += 20_000
      slow += 1
      return { status: 404 }
    })
    let asked = 0
    secondPaper.set('/articles/library', () => {
      asked = slow
      return { body: pageOf(LIBRARY) }
    })
    await addSource(announce([LIBRARY], secondPaper))
    expect(await runLater(0)).toMatchObject({ read: 1, skipped: 120 })
    expect(asked).toBeLessThanOrEqual(2)
  })

  it('are recognised by their canonical address, and shown once below their thread', async () => {
    const link = `<link rel="canonical" href="${paper.url}/articles/library">`
    paper.print(LIBRARY, { head: link })
    const again = { ...LIBRARY, slug: 'library-amp', paragraphs: TEA.paragraphs }
    paper.print(again, { head: link })
    await addSource(announce([LIBRARY]))
    expect(await runLater(0)).toMatchObject({ stories: 1 })
    await addSource(announce([again], paper, '/amp'))
    expect(await runLater(3 * DAY - MINUTE)).toMatchObject({ found: 0 })
    announce([again], paper, '/amp')
    expect(await runLater(30 * MINUTE)).toMatchObject({ found: 1, read: 1, stories: 0 })
    expect((await summaryOf()).sources).toMatchObject([{ url: `${paper.url}/articles/library` }])
  })

  it('are not requested when their source allows only headlines', async () => {
    expect(await runWith([LIBRARY], { permission: 'headline' })).toMatchObject({ read: 1, published: 1 })
    const thread = (await threads()).get(LIBRARY.title)!
    expect(thread).toMatchObject({ summary: 'headline', aiGenerated: false, excerpt: messages.news_headline_text })
    expect(await summaryOf(thread)).toMatchObject({ kind: 'headline', sentences: [] })
    expect(paper.asked('/articles/library')).toBe(0)
    await runLater(2 * HOUR)
    expect(paper.asked('/articles/library')).toBe(0)
  })

  describe('in another language', () => {
    it('are skipped before they become a story when their source is Japanese', async () => {
      await addSource(publish([FOREIGN, LIBRARY]), { language: 'ja' })
      await addSource(publish([FOREIGN, LIBRARY], secondPaper), { language: 'ja-JP' })
      expect(await runLater(0)).toMatchObject({ read: 2, skipped: 2, published: 1, refused: 0 })
      const skipped = (await articles()).filter(({ title }) => title === FOREIGN.title)
      expect(skipped).toMatchObject([1, 2].map(() => ({ state: 'skipped', problem: 'language', document: null })))
      expect(await stories()).toHaveLength(1)
    })

    it('are read when their source is in that language, but not extracted, as its Japanese ones are', async () => {
      await addSource(publish([FOREIGN, LIBRARY]), { language: 'en' })
      expect(await runLater(0)).toMatchObject({ read: 2, published: 1, refused: 1 })
      expect(await stories('refused')).toMatchObject([{ title: FOREIGN.title, problem: 'language' }])
    })
  })

  it('have their picture in the thread, or none when it is broken', async () => {
    printPictured(LIBRARY, await pictureBytes())
    printPictured(FERRY, Buffer.from('no picture'))
    await addSource(announce([LIBRARY, FERRY]))
    expect(await runLater(0)).toMatchObject({ published: 2 })
    const shown = await threads()
    expect(shown.get(FERRY.title)!.imageUrl).toBeNull()
    const { imageUrl } = shown.get(LIBRARY.title)!
    expect((await guest.get(imageUrl!)).headers['content-type']).toBe('image/webp')
  })

  it('have no picture when their publisher has restricted its permission to headlines meanwhile', async () => {
    await change({ newsApproval: true })
    const bytes = await pictureBytes()
    printPictured(LIBRARY, bytes)
    const id = await addSource(announce([LIBRARY]))
    await runLater(0)
    const { db } = board.database
    await db.updateTable('newsSources').set({ permission: 'headline' }).where('id', '=', id).execute()
    const waiting = await onlyStory()
    expect(await approve(waiting)).toMatchObject({ refused: 1 })
    expect(paper.asked('/library.png')).toBe(0)

    // A picture that was stored before is removed as well.
    const image = await board.deps.images.save(bytes)
    const stored = JSON.stringify(image)
    await db.updateTable('newsStories').set({ image: stored }).execute()
    await change({ newsApproval: false })
    await decide(waiting, 'retry')
    expect(await runLater(0)).toMatchObject({ published: 1 })
    expect((await threads()).get(LIBRARY.title)).toMatchObject({ summary: 'headline', imageUrl: null })
    expect((await guest.get(`/images/${image.key}.webp`)).status).toBe(404)
  })

  it('are skipped when their source was deleted meanwhile', async () => {
    paper.set('/articles/library', { status: 500 })
    const id = await addSource(announce([LIBRARY]))
    await runLater(0)
    await board.database.db.deleteFrom('newsSources').where('id', '=', id).execute()
    paper.print(LIBRARY)
    expect(await runLater(5 * MINUTE)).toMatchObject({ read: 0, skipped: 1 })
    expect(paper.asked('/articles/library')).toBe(1)
  })
})
