/** From feeds to threads with a language model that is wrong, unavailable or too expensive. */
import { describe, expect, it } from 'vitest'
import { MATTERS } from '@shinobi/newsroom/testing/outside/newspaper'
import { MINUTE, HOUR, LIBRARY, FERRY, COMET, FOREIGN } from '../../testing/news/matters.ts'
import { begun, board, change, llm, openNewsroom } from '../../testing/news/newsroom.ts'
import { onlyStory, status, stories, summaryOf, threads } from '../../testing/news/seen.ts'
import { addSource, approve, decide, publish, runLater, runWith } from '../../testing/news/work.ts'

const METRICS_TOKEN = 'a-token-for-the-scraper'

openNewsroom({
  ...{ LLM_MODEL: 'shinobi-8b', LLM_PRICES: 'shinobi-8b 20 60.5', LLM_CURRENCY: 'JPY', METRICS_TOKEN },
})

describe('a thread made by a language model', () => {
  it('names the model, and the quote of each sentence', async () => {
    expect(await runWith([LIBRARY])).toMatchObject({ published: 1, refused: 0 })
    const [item] = [...(await threads()).values()]
    expect(item).toMatchObject({ aiGenerated: true, summary: 'ai', sourceSite: '忍日報' })
    const summary = await summaryOf(item)
    expect(summary).toMatchObject({ kind: 'ai', model: 'shinobi-8b', madeAt: new Date(board.clock.now).toISOString() })
    expect(summary.sentences.length).toBeGreaterThanOrEqual(3)
    for (const { quote } of summary.sentences) expect(LIBRARY.paragraphs.join('\n')).toContain(quote)
    const { inputTokens, outputTokens } = await onlyStory()
    expect(Math.min(inputTokens, outputTokens)).toBeGreaterThan(0)
  })

  it('is paid by the prices of the model, in sums of a day and of a month', async () => {
    await runWith([LIBRARY])
    const { inputTokens, outputTokens } = await onlyStory()
    const price = (20 * inputTokens + 60.5 * outputTokens) / 1_000_000
    expect(price).toBeGreaterThan(0)
    const { cost } = await status()
    expect(cost).toMatchObject({ currency: 'JPY', unpriced: [] })
    expect(cost!.day).toBeCloseTo(price, 9)
    expect(cost!.month).toBeCloseTo(price, 9)
    const { db } = board.database
    const aDayAgo = new Date(board.clock.now - 25 * HOUR)
    await db.updateTable('newsCalls').set({ at: aDayAgo }).execute()
    expect((await status()).cost).toMatchObject({ day: 0, month: cost!.month })
    await db.updateTable('newsCalls').set({ model: 'of-before' }).execute()
    expect((await status()).cost).toEqual({ currency: 'JPY', day: 0, month: 0, unpriced: ['of-before'] })
  })

  it('is counted in the metrics, like failures and pending work', async () => {
    const count = async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      const { body } = await board.app.inject({ url: '/metrics', headers })
      const lines = body.split('\n').filter((line) => line.startsWith('shinobi_news_'))
      return (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0)
    }
    const before = await count()
    await runWith([LIBRARY])
    llm.behave('invented')
    publish([FERRY])
    await runLater(30 * MINUTE)
    const after = await count()
    const risen = (name: string) => after(name) - before(name)
    expect(risen('shinobi_news_run_seconds_count{outcome="done"}')).toBe(2)
    expect(risen('shinobi_news_items_total{what="published"}')).toBe(1)
    expect(risen('shinobi_news_items_total{what="refused"}')).toBe(1)
    expect(risen('shinobi_news_model_call_seconds_count{outcome="ok"}')).toBe(1)
    expect(risen('shinobi_news_model_call_seconds_count{outcome="ungrounded"}')).toBe(2)
    expect(risen('shinobi_news_model_tokens_total{direction="output"}')).toBeGreaterThan(0)
    expect(after('shinobi_news_waiting{what="approval"}')).toBe(0)
    expect(after('shinobi_news_waiting{what="failing_sources"}')).toBe(0)
  })

  it('is not opened when the model invents facts, and an administrator sees the findings and can retry', async () => {
    llm.behave('invented')
    expect(await runWith([LIBRARY])).toMatchObject({ published: 0, refused: 1 })
    const story = await onlyStory()
    expect(story).toMatchObject({ state: 'refused', problem: 'ungrounded', model: 'shinobi-8b' })
    expect(story.findings.length).toBeGreaterThan(0)
    llm.behave('honest')
    expect((await decide(story, 'retry')).status).toBe(200)
    expect(await runLater(0)).toMatchObject({ published: 1 })
    const again = await onlyStory()
    expect(again).toMatchObject({ state: 'published', findings: [], problem: null })
    expect(again.inputTokens).toBeGreaterThan(story.inputTokens)
  })

  it("is made of another newspaper's article when the first one could not be summarised", async () => {
    llm.behave('invented')
    await runWith([LIBRARY])
    llm.behave('honest')
    publish([{ ...LIBRARY, slug: 'copy' }])
    expect(await runLater(30 * MINUTE)).toMatchObject({ stories: 1, published: 1 })
  })

  it('waits for approval when its article is in another language, whatever the settings', async () => {
    await addSource(publish([FOREIGN]), { language: 'en' })
    expect(await runLater(0)).toMatchObject({ stories: 1, published: 0 })
    const story = await onlyStory()
    expect(story).toMatchObject({ state: 'waiting', suspicious: [] })
    expect(await approve(story)).toMatchObject({ published: 1 })
  })

  it('is opened while a slow model is still busy with the next stories', async () => {
    // Each answer takes three minutes.
    llm.behave(() => {
      board.clock.now += 3 * MINUTE
      return 'honest'
    })
    expect(await runWith([LIBRARY, FERRY, COMET])).toMatchObject({ stories: 3, published: 3 })
    const opened = [...(await threads()).values()].map(({ createdAt }) => Date.parse(createdAt) - begun)
    expect(opened).toEqual([9 * MINUTE, 6 * MINUTE, 3 * MINUTE])
  })

  it('costs no tokens while more stories are ready than six hours can publish', async () => {
    await change({ newsThreadsPerHour: 1 })
    const asked = llm.requests.length
    await addSource(publish(MATTERS.slice(0, 9)))
    expect(await runLater(0)).toMatchObject({ stories: 9, published: 1 })
    expect(llm.requests.length).toBe(asked + 6)
    // One story was published, so one more is summarised.
    await runLater(MINUTE)
    expect(llm.requests.length).toBe(asked + 7)
    await change({ newsThreadsPerHour: 20 })
    expect(await runLater(MINUTE)).toMatchObject({ published: 8 })
  })

  it('waits while the budget is used up, and is opened when it has room again', async () => {
    await addSource(publish([LIBRARY]))
    await change({ newsTokensPerHour: 0 })
    const asked = llm.requests.length
    expect(await runLater(0)).toMatchObject({ stories: 1, published: 0, refused: 0 })
    expect(llm.requests.length).toBe(asked)
    expect(await stories()).toMatchObject([{ state: 'new' }])
    const until = new Date(board.clock.now + HOUR).toISOString()
    expect((await status()).paused).toEqual({ until, cause: 'budget' })
    await change({ newsTokensPerHour: 200_000 })
    expect((await status()).paused).toBeNull()
    expect(await runLater(2 * HOUR)).toMatchObject({ published: 1 })
  })

  it('is given up after a day without budget', async () => {
    await addSource(publish([LIBRARY]))
    await change({ newsTokensPerDay: 0 })
    for (let hours = 0; hours < 28; hours += 2) await runLater(2 * HOUR)
    expect(await stories()).toMatchObject([{ state: 'refused', problem: 'no_budget' }])
  })
})
