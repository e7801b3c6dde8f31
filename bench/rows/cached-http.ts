/**
 * Cached answers: requests per second of the board ÷ those of a bare node:http server that sends
 * the same bytes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { AS_BROWSERS, fetchRaw, headerOf } from '../lib/http.ts'
import { restMs, startBoard, type Board } from '../lib/server.ts'
import { median } from '../lib/stats.ts'
import { withBusy } from '../lib/usage.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { calls as BareHttp } from '../workers/bare-http.ts'
import type { calls as HttpLoad } from '../workers/http-load.ts'

const CONNECTIONS = 50
const WARM_SECONDS = 1

/** What is asked for, and what the answer must be. */
export interface Target {
  readonly what: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** Of the body; undefined for none. */
  readonly encoding: string | undefined
  readonly goal: Figure['goal']
}

/** The board, the reference, and the load generator of both. */
export interface Range {
  readonly board: Board
  readonly bare: Worker<typeof BareHttp>
  readonly bareUrl: string
  readonly load: Worker<typeof HttpLoad>
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_http')
  const { toRead } = await listFilled(databaseUrl)
  const thread = toRead[0]!.id
  const targets = [
    { what: 'thread list JSON, cached', path: '/api/threads', goal: 0.8 },
    { what: 'posts JSON (50 posts), cached', path: `/api/threads/${thread}/posts`, goal: 0.8 },
    { what: 'home page, rendered, cached', path: '/', goal: 0.75 },
    { what: 'thread page (50 posts), rendered, cached', path: `/thread/${thread}`, goal: 0.75 },
  ]
  const bare = startWorker<typeof BareHttp>('bare-http')
  const load = startWorker<typeof HttpLoad>('http-load')
  const bareUrl = await bare.call('listen', undefined)
  const figures: Figure[] = []
  for (const { what, path, goal } of targets) {
    // A new server for each row, so that no row depends on its position in the run.
    const board = await startBoard({ databaseUrl })
    const asked = { path, headers: AS_BROWSERS, status: 200, encoding: 'br' }
    const compare = (what: string, goal: Figure['goal']) =>
      compareCached({ board, bare, bareUrl, load }, { ...asked, what, goal }, options, progress)
    figures.push(await compare(what, atLeast(goal)))
    if (path === targets.at(-1)!.path) {
      const rest = restMs(options)
      progress(`${what}: at rest for ${rest / 1_000} s`)
      await sleep(rest)
      figures.push(await compare(`${what}, after ${rest / 1_000} s at rest`, null))
    }
    await board.stop()
  }
  bare.stop()
  load.stop()
  return figures
}

/** Requests per second of the board ÷ those of the reference, in turns. */
export async function compareCached(
  { board, bare, bareUrl, load }: Range,
  { what, path, headers, status, encoding, goal }: Target,
  options: Bench['options'],
  progress: Bench['say'],
): Promise<Figure> {
  const url = `${board.url}${path}`
  await fetchRaw(url, headers)
  const answer = await fetchRaw(url, headers)
  if (answer.status !== status || headerOf(answer, 'content-encoding') !== encoding)
    throw new Error(`${path} answered ${answer.status} ${headerOf(answer, 'content-encoding') ?? 'without encoding'}`)
  await bare.call('send', answer)
  const run = async (target: string, seconds: number): Promise<number> => {
    const input = { url: target, seconds, connections: CONNECTIONS, headers, status }
    return load.call('run', input)
  }
  await run(url, WARM_SECONDS)
  await run(bareUrl, WARM_SECONDS)
  const rounds: { board: number; bare: number; boardBusy: number; bareBusy: number }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`${what}: round ${round + 1} of ${options.rounds}`)
    const sums = { board: 0, bare: 0, boardBusy: 0, bareBusy: 0 }
    // Both sides alternate every second, so that a machine that is busy for a while slows both.
    for (let turn = 0; turn < options.seconds; turn += 1) {
      const ours = await withBusy(board.pid, () => run(url, 1))
      const theirs = await withBusy(bare.pid, () => run(bareUrl, 1))
      sums.board += ours.result / options.seconds
      sums.bare += theirs.result / options.seconds
      sums.boardBusy += (ours.busy ?? 1) / options.seconds
      sums.bareBusy += (theirs.busy ?? 1) / options.seconds
    }
    rounds.push(sums)
  }
  const middle = (key: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[key]))
  const cost = median(rounds.map((round) => round.bareBusy / round.bare / (round.boardBusy / round.board)))
  return toFigure(
    what,
    '×',
    rounds.map((round) => round.board / round.bare),
    goal,
    `${say(middle('board'))} ÷ ${say(middle('bare'))} requests/s, ${say(answer.body.length / 1_000)} kB${encoding === undefined ? '' : ` ${encoding}`}; ` +
      `core in use ${Math.round(middle('boardBusy') * 100)} % ÷ ${Math.round(middle('bareBusy') * 100)} %, ` +
      `by processor time ${say(cost)} ×`,
  )
}

export const cachedHttp: Row = { name: 'cached', measure }
