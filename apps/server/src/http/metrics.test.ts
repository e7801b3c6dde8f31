import { AggregatorRegistry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBoard, type Board } from '../testing/board.ts'
import { readScrape } from '../testing/scrape.ts'

const TOKEN = 'a-token-for-the-scraper'

const scrape = (board: Board, authorization?: string) =>
  board.app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

describe('/metrics', () => {
  let board: Board
  beforeAll(async () => {
    board = await openBoard({ METRICS_TOKEN: TOKEN })
  })
  afterAll(() => board.close())

  it('answers the state of the process to a client with the token', async () => {
    const answer = await scrape(board, `Bearer ${TOKEN}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('text/plain'),
      'cache-control': 'no-store',
    })
    expect(answer.body).toMatch(/^process_resident_memory_bytes \d+$/m)
    expect(answer.body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  })

  it('has of several processes the event loop that lags most, and the most open files', async () => {
    const figures = await board.deps.metrics.getMetricsAsJSON()
    // As they come from another process.
    const worse = JSON.parse(JSON.stringify(figures)) as typeof figures
    const worst = { nodejs_eventloop_lag_p99_seconds: 2, process_open_fds: 1_000_000 }
    for (const { name, values } of worse) if (name in worst) values[0]!.value = worst[name as keyof typeof worst]
    const { figures: whole } = readScrape(await AggregatorRegistry.aggregate([figures, worse]).metrics())
    for (const [name, value] of Object.entries(worst)) expect(whole.get(name)).toBe(value)
  })

  it('is 404 for everybody else', async () => {
    for (const authorization of [undefined, TOKEN, `Bearer ${TOKEN}x`, 'Bearer ', `bearer ${TOKEN.slice(1)}`]) {
      const answer = await scrape(board, authorization)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).not.toContain('process_')
    }
  })

  it('is 404 without a token in the settings', async () => {
    const silent = await openBoard()
    expect((await scrape(silent, 'Bearer ')).statusCode).toBe(404)
    expect((await scrape(silent, 'Bearer null')).statusCode).toBe(404)
    await silent.close()
  })
})
