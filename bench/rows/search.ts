/**
 * Search on the large board: the time of the first page for words of every kind, and the cost of
 * indexing for writers.
 */
import pg from 'pg'
import { openBoards } from '../lib/boards.ts'
import { atLeast, atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { fetchRaw, PAST_THE_CACHE } from '../lib/http.ts'
import { noteThreads, takeBack, type LargeBoard } from '../lib/large-board.ts'
import { ABSENT_WORD, commonWord, rareWord } from '../lib/natural-text.ts'
import { startBoard, type Board } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as Writers, Texts } from '../workers/writers.ts'

const SEARCHES = 40
const QUICK_SEARCHES = 10

/** The n-th query of a kind, with new words each time as far as there are any. */
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  '1 character, very common': (n) => [...'のがはをにでとも'][n % 8]!,
  '1 character, rare': (n) => rareWord(n * 3 + 1).slice(0, 1),
  '2 characters, very common': (n) => commonWord(n).slice(0, 2),
  '2 characters, rare': (n) => rareWord(n * 3 + 2).slice(0, 2),
  'a rare word': (n) => rareWord(n * 3),
  'a phrase of common words': (n) => `"${commonWord(n)}${commonWord(n + 7)}"`,
  'a phrase of a common and a rare word': (n) => `"の${rareWord(n * 5)}"`,
  'two common words': (n) => `${commonWord(n)} ${commonWord(n + 11)}`,
  'a common and a rare word': (n) => `${commonWord(n)} ${rareWord(n * 11)}`,
  'no hit': (n) => `${ABSENT_WORD}${n % 10}`,
}

async function measure(bench: Bench): Promise<Figure[]> {
  const { large } = await openBoards(bench)
  const board = await startBoard({ databaseUrl: large.url })
  const figures = [await measureSearch(bench, board, large), ...(await measureWriting(bench, board, large))]
  await board.stop()
  bench.say('taking back what was written')
  await takeBack(large.url)
  return figures
}

async function measureSearch({ options, say: progress }: Bench, board: Board, large: LargeBoard): Promise<Figure> {
  const kinds = Object.entries(KINDS)
  const searches = options.quick ? QUICK_SEARCHES : SEARCHES
  const ask = async (words: string): Promise<number> => {
    const path = `/api/threads?search=${encodeURIComponent(words)}`
    const start = performance.now()
    const { status } = await fetchRaw(`${board.url}${path}`, PAST_THE_CACHE)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    return performance.now() - start
  }
  for (const [, words] of kinds) for (let n = 0; n < 3; n += 1) await ask(words(900 + n))
  const rounds: Map<string, number[]>[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`search: round ${round + 1} of ${options.rounds}`)
    const times = new Map(kinds.map(([kind]) => [kind, [] as number[]]))
    for (let n = 0; n < searches; n += 1)
      for (const [kind, words] of kinds) times.get(kind)!.push(await ask(words(round * searches + n)))
    rounds.push(times)
  }
  const p95 = (kind: string): number => median(rounds.map((times) => quantile(times.get(kind)!, 0.95)))
  const slowestFirst = kinds.map(([kind]) => kind).toSorted((one, other) => p95(other) - p95(one))
  return toFigure(
    `search over ${large.posts.toLocaleString('en-US')} posts, first page, newest first: p95 of the slowest kind`,
    'ms',
    rounds.map((times) => quantile(times.get(slowestFirst[0]!)!, 0.95)),
    atMost(50),
    slowestFirst.map((kind) => `${kind} ${say(p95(kind))}`).join(', '),
  )
}

const WRITTEN_THREADS = 1_000
const SOCKETS = 100
const POST_CHARACTERS = 60
const POSTS_PER_SECOND = 200

/**
 * Writes fully indexed texts, alternating with texts of the same length that are hardly indexed.
 */
async function measureWriting(
  { options, cluster, say: progress }: Bench,
  board: Board,
  large: LargeBoard,
): Promise<Figure[]> {
  const client = new pg.Client({ connectionString: large.url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select id from threads where "removedAt" is null and "lockedAt" is null and "closedAt" is null order by id desc limit ${WRITTEN_THREADS}`,
  )
  await client.end()
  const ids = rows.map(({ id }) => id)
  await noteThreads(large.url, ids)
  const texts = {
    indexed: { length: POST_CHARACTERS, words: 'natural' },
    bare: { length: POST_CHARACTERS, words: 'none' },
  } as const satisfies Record<string, Texts>
  const writers = startWorker<typeof Writers>('writers')
  await writers.call('connect', { url: board.url, count: SOCKETS })
  const each = Math.floor(ids.length / SOCKETS)
  const threads = Array.from({ length: SOCKETS }, (_, index) => ids.slice(index * each, (index + 1) * each))
  const flood = async (of: Texts): Promise<number> => {
    const input = { threads, inFlight: 5, warmSeconds: 0.5, seconds: 1, texts: of }
    const { perSecond } = await writers.call('run', input)
    await cluster.untilQuiet(large.url)
    return perSecond
  }
  const pace = async (of: Texts): Promise<number[]> => {
    const times = await writers.call('paceOver', { threadIds: ids, perSecond: POSTS_PER_SECOND, seconds: 2, texts: of })
    await cluster.untilQuiet(large.url)
    return times
  }
  for (const kind of Object.values(texts)) {
    await flood(kind)
    await pace(kind)
  }
  const rounds: { indexed: number; bare: number; indexedTimes: number[]; bareTimes: number[] }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`writing while the index learns: round ${round + 1} of ${options.rounds}`)
    const sums = { indexed: 0, bare: 0, indexedTimes: [] as number[], bareTimes: [] as number[] }
    for (let turn = 0; turn < options.seconds; turn += 1) {
      sums.indexed += (await flood(texts.indexed)) / options.seconds
      sums.bare += (await flood(texts.bare)) / options.seconds
      sums.indexedTimes.push(...(await pace(texts.indexed)))
      sums.bareTimes.push(...(await pace(texts.bare)))
    }
    rounds.push(sums)
  }
  writers.stop()
  const middle = (of: (round: (typeof rounds)[number]) => number): string => say(median(rounds.map(of)))
  const p = (which: 'indexedTimes' | 'bareTimes', share: number): string =>
    middle((round) => quantile(round[which], share))
  return [
    toFigure(
      'posts/s whose texts are indexed ÷ posts/s with next to nothing to index',
      '×',
      rounds.map(({ indexed, bare }) => indexed / bare),
      atLeast(0.95),
      `${middle(({ indexed }) => indexed)} ÷ ${middle(({ bare }) => bare)} posts/s over ${WRITTEN_THREADS} threads of the large board; ` +
        `at ${POSTS_PER_SECOND} posts/s acknowledged after ${p('indexedTimes', 0.5)} ÷ ${p('bareTimes', 0.5)} ms (p50), ` +
        `${p('indexedTimes', 0.99)} ÷ ${p('bareTimes', 0.99)} ms (p99)`,
    ),
  ]
}

export const search: Row = { name: 'search', measure }
