/**
 * A board spread over a Citus cluster ÷ the same board in one PostgreSQL on the same machine, in
 * turns. Both databases are the caller's (--citus-url, --plain-url): filled when empty, and kept.
 */
import pg from 'pg'
import { distributeTables } from '../../apps/server/src/db/distribute.ts'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { fetchRaw, PAST_THE_CACHE } from '../lib/http.ts'
import { fillLargeBoard, withPool } from '../lib/large-board.ts'
import { commonWord } from '../lib/natural-text.ts'
import { openStaff } from '../lib/people.ts'
import { median, quantile } from '../lib/stats.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as MixedWriters } from '../workers/mixed-writers.ts'
import { openWriters, runRound, runTurn, shareOut, toPostsFigure, type Writing } from './posts.ts'
import { compareCalls, openSide, toAreaFigure, type Side } from './scale.ts'

const POSTS = 100_000
const THREADS = 500
const SEARCHES = 60
const VISITORS = 20
/** A group of posts over all threads may take longer than a second there. */
const TURN_SECONDS = 3

/** One of the two boards. */
interface Board extends Side, Writing {
  readonly threadIds: readonly string[]
}

async function measure(bench: Bench): Promise<Figure[]> {
  const { citusUrl, plainUrl } = bench.options
  if (citusUrl === null || plainUrl === null) throw new Error('this row needs --citus-url and --plain-url')
  const citus = await openBoard(bench, citusUrl, true)
  const plain = await openBoard(bench, plainUrl, false)
  // What is left to do after a start must not disturb the first row: a cluster takes longer for it.
  for (const { databaseUrl } of [citus, plain]) await bench.cluster.untilQuiet(databaseUrl)
  const figures = [
    // Before the posts: a million more with common words make searches for them too broad.
    await measureSearches(bench, citus, plain),
    ...(await measureReading(bench, citus, plain)),
    ...(await measurePosts(bench, citus, plain)),
    await measurePeople(bench, await logInAgain(citus), await logInAgain(plain)),
  ]
  for (const { board, writers } of [citus, plain]) {
    writers.stop()
    await board.stop()
  }
  return figures
}

async function openBoard({ cluster, say: progress }: Bench, url: string, isSpread: boolean): Promise<Board> {
  if (!(await isFilled(url))) {
    await fillLargeBoard({ url, posts: POSTS, programs: cluster.programs, say: progress })
    if (isSpread) await withPool(url, async (_, db) => void (await distributeTables(db)))
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    `select id from threads where "removedAt" is null and "lockedAt" is null and "closedAt" is null order by id desc limit ${THREADS}`,
  )
  await client.end()
  const side = await openSide(url)
  return { ...side, ...(await openWriters(side.board, url)), threadIds: rows.map(({ id }) => id) }
}

/** Whether it is a board of an earlier run: one that is distributed cannot be filled. */
async function isFilled(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ is: boolean }>(`select to_regclass('threads') is not null as is`)
    return rows[0]!.is && (await client.query('select from threads limit 1')).rowCount === 1
  } finally {
    await client.end()
  }
}

async function measurePosts({ options, cluster, say: progress }: Bench, citus: Board, plain: Board): Promise<Figure[]> {
  const targets = [
    { what: 'one hot thread', goal: 0.8, threadsOf: ({ threadIds }: Board) => [threadIds.slice(0, 1)] },
    { what: `${THREADS} threads`, goal: 0.6, threadsOf: ({ threadIds }: Board) => shareOut(threadIds) },
  ]
  const figures: Figure[] = []
  for (const { what, goal, threadsOf } of targets) {
    const rounds: Awaited<ReturnType<typeof runRound>>[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`posts into ${what}: round ${round + 1} of ${options.rounds}`)
      const reference = async (): Promise<number> =>
        (await runTurn({ cluster }, plain, threadsOf(plain), TURN_SECONDS)).perSecond
      rounds.push(await runRound({ options, cluster }, citus, threadsOf(citus), reference, TURN_SECONDS))
    }
    figures.push(toPostsFigure(`acknowledged posts/s into ${what}, Citus ÷ PostgreSQL`, rounds, goal))
  }
  return figures
}

async function measurePeople({ options, cluster, say: progress }: Bench, citus: Board, plain: Board): Promise<Figure> {
  const people = startWorker<typeof MixedWriters>('mixed-writers')
  const run = async ({
    board,
    staff,
    threadIds,
    databaseUrl,
  }: Board): Promise<{ perSecond: number; times: number[] }> => {
    const result = await people.call('run', {
      url: board.url,
      threadIds,
      member: staff.member,
      moderator: staff.admin,
      visitors: VISITORS,
      seconds: TURN_SECONDS,
    })
    await cluster.untilQuiet(databaseUrl)
    return result
  }
  await run(citus)
  await run(plain)
  const rounds: { citus: number; plain: number; times: number[] }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`writes of members and moderators: round ${round + 1} of ${options.rounds}`)
    const sums = { citus: 0, plain: 0, times: [] as number[] }
    for (let turn = 0; turn < options.seconds; turn += 1) {
      const { perSecond, times } = await run(citus)
      sums.citus += perSecond / options.seconds
      sums.times.push(...times)
      sums.plain += (await run(plain)).perSecond / options.seconds
    }
    rounds.push(sums)
  }
  people.stop()
  const middle = (of: (round: (typeof rounds)[number]) => number): string => say(median(rounds.map(of)))
  return toFigure(
    'writes/s with members and moderators between, Citus ÷ PostgreSQL',
    '×',
    rounds.map((sums) => sums.citus / sums.plain),
    atLeast(0.4),
    `${middle((sums) => sums.citus)} ÷ ${middle((sums) => sums.plain)} writes/s, ${VISITORS} at a time; ` +
      `p50 ${middle(({ times }) => quantile(times, 0.5))} ms, p99 ${middle(({ times }) => quantile(times, 0.99))} ms`,
  )
}

/** Rows may take longer than the quarter of an hour that a log-in lasts. */
const logInAgain = async (board: Board): Promise<Board> => ({
  ...board,
  staff: await openStaff(board.board, board.databaseUrl),
})

async function measureReading(bench: Bench, citus: Board, plain: Board): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const area of ['list', 'list by speed or last post', 'page of posts', 'trending', 'profile rooms'] as const) {
    const compared = await compareCalls(bench, [citus, plain], area)
    figures.push(toAreaFigure(`${area}, not cached, Citus ÷ PostgreSQL: p50`, compared, 4))
  }
  return figures
}

async function measureSearches({ options, say: progress }: Bench, citus: Board, plain: Board): Promise<Figure> {
  let asked = 0
  const search = async ({ board }: Board): Promise<number> => {
    const words = `${commonWord(asked)} ${commonWord(asked + 11)}`
    const start = performance.now()
    const { status } = await fetchRaw(`${board.url}/api/threads?search=${encodeURIComponent(words)}`, PAST_THE_CACHE)
    if (status !== 200) throw new Error(`a search answered ${status}`)
    return performance.now() - start
  }
  const rounds: { citus: number; plain: number }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`searches of two words: round ${round + 1} of ${options.rounds}`)
    const sums = { citus: 0, plain: 0 }
    for (let count = 0; count < SEARCHES; count += 1) {
      asked += 1
      sums.citus += await search(citus)
      sums.plain += await search(plain)
    }
    rounds.push(sums)
  }
  const perSecond = (side: 'citus' | 'plain'): string =>
    say(median(rounds.map((sums) => (SEARCHES * 1_000) / sums[side])))
  return toFigure(
    'searches/s of two common words, Citus ÷ PostgreSQL',
    '×',
    rounds.map((sums) => sums.plain / sums.citus),
    atLeast(0.6),
    `${perSecond('citus')} ÷ ${perSecond('plain')} searches/s, one at a time`,
  )
}

export const clusterRow: Row = { name: 'cluster', isApart: true, measure }
