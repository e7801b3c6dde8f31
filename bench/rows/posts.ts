/**
 * Acknowledged posts per second ÷ pgbench, on a PostgreSQL that waits for the disk; and the
 * embedded one ÷ that one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled, WRITTEN_THREADS } from '../lib/fill.ts'
import { openReference } from '../lib/pgbench.ts'
import { startBoard, temporaryFolder, type Board } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { POST_TEXT } from '../lib/text.ts'
import { withBusy } from '../lib/usage.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { calls as Writers } from '../workers/writers.ts'

const SOCKETS = 100
const IN_FLIGHT = 5
/** By then nicknames are claimed and batches are full. */
const WARM_SECONDS = 0.5

/** A board under load, and its writers. */
export interface Writing {
  readonly board: Board
  readonly databaseUrl: string
  readonly writers: Worker<typeof Writers>
}

interface Round {
  board: number
  reference: number
  busy: number
  readonly times: number[]
  quietAfter: number
}

async function measure(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.cluster.copyBoard('board_posts')
  const given = await open(databaseUrl)
  const figures = [...(await measureGiven(bench, given)), await measureEmbedded(bench, given)]
  given.writers.stop()
  await given.board.stop()
  return figures
}

/** @param databaseUrl null for the embedded one */
async function open(databaseUrl: string | null): Promise<Writing> {
  const dataDir = temporaryFolder()
  const board = await startBoard({ databaseUrl, dataDir })
  return openWriters(board, databaseUrl ?? readFileSync(join(dataDir, 'run/url'), 'utf8'))
}

export async function openWriters(board: Board, databaseUrl: string): Promise<Writing> {
  const writers = startWorker<typeof Writers>('writers')
  await writers.call('connect', { url: board.url, count: SOCKETS })
  return { board, writers, databaseUrl }
}

/** Threads for each socket: every visitor keeps to some, because each claims a nickname there. */
export const shareOut = (ids: readonly string[]): string[][] => {
  const each = ids.length / SOCKETS
  return Array.from({ length: SOCKETS }, (_, index) => ids.slice(index * each, (index + 1) * each))
}

async function measureGiven({ options, cluster, say: progress }: Bench, side: Writing): Promise<Figure[]> {
  const { toWrite } = await listFilled(side.databaseUrl)
  const ids = toWrite.map((thread) => thread.id)
  const targets = [
    { what: 'acknowledged posts/s into one hot thread ÷ pgbench on one row', threads: [[ids[0]!]], rows: 1, goal: 6 },
    {
      what: 'acknowledged posts/s over 1,000 threads ÷ pgbench over 1,000 rows',
      threads: shareOut(ids),
      rows: WRITTEN_THREADS,
      goal: 1.5,
    },
  ]
  const reference = await openReference(cluster, POST_TEXT, WRITTEN_THREADS)
  const figures: Figure[] = []
  for (const { what, threads, rows, goal } of targets) {
    const rounds: Round[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`${what}: round ${round + 1} of ${options.rounds}`)
      rounds.push(await runRound({ options, cluster }, side, threads, () => reference.run(rows, 1)))
    }
    figures.push(toPostsFigure(what, rounds, goal))
  }
  return figures
}

/** The embedded database compared with an operator's, alternating. */
async function measureEmbedded({ options, cluster, say: progress }: Bench, given: Writing): Promise<Figure> {
  const what = 'acknowledged posts/s into one hot thread, embedded database ÷ PostgreSQL'
  const embedded = await open(null)
  const [hot, there] = [await openThread(embedded.board), await openThread(given.board)]
  const rounds: Round[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`${what}: round ${round + 1} of ${options.rounds}`)
    const reference = async (): Promise<number> => (await runTurn({ cluster }, given, [[there]])).perSecond
    rounds.push(await runRound({ options, cluster }, embedded, [[hot]], reference))
  }
  embedded.writers.stop()
  await embedded.board.stop()
  return toPostsFigure(what, rounds, null)
}

async function openThread({ url }: Board): Promise<string> {
  const answer = await fetch(`${url}/api/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: '早い者勝ち', content: '一', category: 'general' }),
  })
  if (!answer.ok) throw new Error(`a thread was refused: ${answer.status}`)
  return ((await answer.json()) as { _id: string })._id
}

/** Both sides alternate every turn, so that a machine that is busy for a while slows both. */
export async function runRound(
  { options, cluster }: Pick<Bench, 'options' | 'cluster'>,
  side: Writing,
  threads: readonly (readonly string[])[],
  reference: () => Promise<number>,
  turnSeconds = 1,
): Promise<Round> {
  const sums: Round = { board: 0, reference: 0, busy: 0, times: [], quietAfter: 0 }
  for (let turn = 0; turn < options.seconds; turn += 1) {
    const { perSecond, busy, times, quietAfter } = await runTurn({ cluster }, side, threads, turnSeconds)
    sums.quietAfter += quietAfter / options.seconds
    sums.board += perSecond / options.seconds
    sums.busy += busy / options.seconds
    sums.times.push(...times)
    sums.reference += (await reference()) / options.seconds
  }
  return sums
}

export async function runTurn(
  { cluster }: Pick<Bench, 'cluster'>,
  { board, databaseUrl, writers }: Writing,
  threads: readonly (readonly string[])[],
  seconds = 1,
) {
  const before = await countPosts(databaseUrl)
  const input = {
    threads,
    inFlight: IN_FLIGHT,
    warmSeconds: WARM_SECONDS,
    seconds,
    texts: { length: POST_TEXT.length, words: 'common' as const },
  }
  const { result, busy } = await withBusy(board.pid, () => writers.call('run', input))
  const stored = (await countPosts(databaseUrl)) - before
  if (stored !== result.all) throw new Error(`${result.all} posts were acknowledged, and ${stored} are stored`)
  const quiet = performance.now()
  await cluster.untilQuiet(databaseUrl)
  const { perSecond, times } = result
  return { perSecond, times, busy: busy ?? 1, quietAfter: (performance.now() - quiet) / 1_000 }
}

export function toPostsFigure(what: string, rounds: readonly Round[], goal: number | null): Figure {
  const middle = (of: (round: Round) => number): string => say(median(rounds.map(of)))
  return toFigure(
    what,
    '×',
    rounds.map((round) => round.board / round.reference),
    goal === null ? null : atLeast(goal),
    `${middle((round) => round.board)} ÷ ${middle((round) => round.reference)} posts/s; acknowledged after ` +
      `${middle((round) => quantile(round.times, 0.5))} ms (p50), ${middle((round) => quantile(round.times, 0.99))} ms (p99); ` +
      `server's core in use ${Math.round(median(rounds.map((round) => round.busy)) * 100)} %; ` +
      `after a second of posts index and ranking are done ${middle((round) => round.quietAfter)} s later`,
  )
}

async function countPosts(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ posts: string }>('select sum("postCount") as posts from threads')
  await client.end()
  return Number(rows[0]!.posts)
}

export const posts: Row = { name: 'posts', measure }
