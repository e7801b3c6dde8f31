/** A thread's page that no cache has: the time of its rendering, and of its data. */
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { AS_BROWSERS, fetchRaw, PAST_THE_CACHE } from '../lib/http.ts'
import { watchQueries } from '../lib/query-watch.ts'
import { startBoard } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'

const WARM_PAGES = 150
const PAGES = 150

/** Milliseconds from asking for a page to its last byte, and the bytes that were transferred. */
async function timePage(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ ms: number; bytes: number }> {
  const start = performance.now()
  const { status, body } = await fetchRaw(url, { ...AS_BROWSERS, ...headers })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  return { ms: performance.now() - start, bytes: body.length }
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_page')
  const { toRead, toWrite } = await listFilled(databaseUrl)
  const watch = await watchQueries(databaseUrl)
  const watched = await countQueries(watch, toRead.at(-1)!.id)

  const board = await startBoard({ databaseUrl })
  const pageOf = (thread: { id: string } | undefined): string => `${board.url}/thread/${thread!.id}`
  progress('rendered pages: warming up')
  const warm = toRead.at(-1)
  for (let page = 0; page < WARM_PAGES; page += 1) {
    await timePage(pageOf(warm), PAST_THE_CACHE)
    await timePage(pageOf(toWrite[page]))
  }
  const share = Math.floor((toRead.length - 1) / options.rounds)
  const first: number[][] = []
  const again: number[][] = []
  const cached: number[][] = []
  const bytes: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`rendered pages: round ${round + 1} of ${options.rounds}`)
    const times = { first: [] as number[], again: [] as number[], cached: [] as number[] }
    for (const thread of toRead.slice(round * share, (round + 1) * share)) {
      const page = await timePage(pageOf(thread))
      times.first.push(page.ms)
      bytes.push(page.bytes)
    }
    for (let page = 0; page < PAGES; page += 1) {
      times.again.push((await timePage(pageOf(warm), PAST_THE_CACHE)).ms)
      times.cached.push((await timePage(pageOf(warm))).ms)
    }
    first.push(times.first)
    again.push(times.again)
    cached.push(times.cached)
  }
  await board.stop()

  const p50 = (times: readonly number[]): number => quantile(times, 0.5)
  const p95 = (rounds: readonly number[][]): string => say(median(rounds.map((times) => quantile(times, 0.95))))
  const hit = median(cached.map(p50))
  // Requests of another site's pages are not cached; if they were, the figure would be that of a
  // cache hit.
  if (median(again.map(p50)) < 2 * hit) throw new Error('pages that should be rendered come from a cache')
  return [
    toFigure(
      'thread page (50 posts) not cached, first visit: p50',
      'ms',
      first.map(p50),
      atMost(8),
      `p95 ${p95(first)} ms; ${say(median(bytes) / 1_000)} kB compressed; ${watched.all} queries, ${watched.twice === 0 ? 'none twice' : `${watched.twice} of them asked before`}`,
    ),
    toFigure(
      'thread page (50 posts) not cached, data at hand: p50',
      'ms',
      again.map(p50),
      atMost(8),
      `p95 ${p95(again)} ms; cached ${say(hit)} ms`,
    ),
  ]
}

/** Queries of a first visit to a page, on an otherwise warm board. */
async function countQueries(watch: Awaited<ReturnType<typeof watchQueries>>, threadId: string) {
  const board = await startBoard({ databaseUrl: watch.url })
  await timePage(`${board.url}/`)
  watch.take()
  await timePage(`${board.url}/thread/${threadId}`)
  // Work in the background has queries of its own.
  const queries = watch.take().filter((query) => query.includes(threadId))
  await board.stop()
  return { all: queries.length, twice: queries.length - new Set(queries).size }
}

export const uncachedPage: Row = { name: 'page', measure }
