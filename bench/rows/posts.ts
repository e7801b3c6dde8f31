/** Acknowledged posts a second ÷ pgbench, on a PostgreSQL that waits for the disk. */
import pg from 'pg'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled, WRITTEN_THREADS } from '../lib/fill.ts'
import { openReference } from '../lib/pgbench.ts'
import { startBoard } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { POST_TEXT } from '../lib/text.ts'
import { withBusy } from '../lib/usage.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as Writers } from '../workers/writers.ts'

const SOCKETS = 100
const IN_FLIGHT = 5
/** Nicknames are claimed and groups filled by then. */
const WARM_SECONDS = 0.5

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_posts')
  const { toWrite } = await listFilled(databaseUrl)
  const ids = toWrite.map((thread) => thread.id)
  const each = WRITTEN_THREADS / SOCKETS
  const targets = [
    { what: 'acknowledged posts/s into one hot thread ÷ pgbench on one row', threads: [[ids[0]!]], rows: 1, goal: 6 },
    {
      what: 'acknowledged posts/s over 1,000 threads ÷ pgbench over 1,000 rows',
      // Every visitor keeps to ten threads, as a nickname is claimed once in each.
      threads: Array.from({ length: SOCKETS }, (_, index) => ids.slice(index * each, (index + 1) * each)),
      rows: WRITTEN_THREADS,
      goal: 1.5,
    },
  ]
  const reference = await openReference(cluster, POST_TEXT, WRITTEN_THREADS)
  const board = await startBoard({ databaseUrl })
  const writers = startWorker<typeof Writers>('writers')
  await writers.call('connect', { url: board.url, count: SOCKETS })
  const figures: Figure[] = []
  for (const { what, threads, rows, goal } of targets) {
    const rounds: { board: number; reference: number; busy: number; times: number[]; quietAfter: number }[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`${what}: round ${round + 1} of ${options.rounds}`)
      const sums = { board: 0, reference: 0, busy: 0, times: [] as number[], quietAfter: 0 }
      // In turns of a second: a machine that is busy for a while then slows both.
      for (let turn = 0; turn < options.seconds; turn += 1) {
        const before = await countPosts(databaseUrl)
        const input = { threads, inFlight: IN_FLIGHT, warmSeconds: WARM_SECONDS, seconds: 1, content: POST_TEXT }
        const { result, busy } = await withBusy(board.pid, () => writers.call('run', input))
        const stored = (await countPosts(databaseUrl)) - before
        if (stored !== result.all) throw new Error(`${result.all} posts were acknowledged, and ${stored} are stored`)
        const quiet = performance.now()
        await cluster.untilQuiet(databaseUrl)
        sums.quietAfter += (performance.now() - quiet) / 1_000 / options.seconds
        sums.board += result.perSecond / options.seconds
        sums.busy += (busy ?? 1) / options.seconds
        sums.times.push(...result.times)
        sums.reference += (await reference.run(rows, 1)) / options.seconds
      }
      rounds.push(sums)
    }
    const middle = (of: (round: (typeof rounds)[number]) => number): string => say(median(rounds.map(of)))
    figures.push(
      toFigure(
        what,
        '×',
        rounds.map((round) => round.board / round.reference),
        atLeast(goal),
        `${middle((round) => round.board)} ÷ ${middle((round) => round.reference)} posts/s; acknowledged after ` +
          `${middle((round) => quantile(round.times, 0.5))} ms (p50), ${middle((round) => quantile(round.times, 0.99))} ms (p99); ` +
          `server's core in use ${Math.round(median(rounds.map((round) => round.busy)) * 100)} %; ` +
          `after a second of posts index and ranking are done ${middle((round) => round.quietAfter)} s later`,
      ),
    )
  }
  writers.stop()
  await board.stop()
  return figures
}

async function countPosts(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ posts: string }>('select sum("postCount") as posts from threads')
  await client.end()
  return Number(rows[0]!.posts)
}

export const posts: Row = { name: 'posts', measure }
