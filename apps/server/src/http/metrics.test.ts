import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBoard, type Board } from '../testing/board.ts'

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
