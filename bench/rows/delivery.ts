/** From one visitor's send to the screens of 500 others in the thread. */
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { startBoard, type Board } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { POST_TEXT } from '../lib/text.ts'
import { withBusy } from '../lib/usage.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as DeliveryLoad } from '../workers/delivery-load.ts'
import type { calls as RawWs } from '../workers/raw-ws.ts'
import type { calls as Readers } from '../workers/readers.ts'
import type { calls as Writers } from '../workers/writers.ts'

const READERS = 500
const POSTS_PER_SECOND = 20
const IN_FLIGHT = 8

async function measure(bench: Bench): Promise<Figure[]> {
  const databaseUrl = await bench.cluster.copyBoard('board_delivery')
  const { toWrite } = await listFilled(databaseUrl)
  const board = await startBoard({ databaseUrl })
  const figures = [
    await measureDelay(bench, board, toWrite[0]!.id),
    await measureThroughput(bench, board, toWrite[1]!.id),
  ]
  await board.stop()
  return figures
}

async function measureDelay({ options, say: progress }: Bench, board: Board, threadId: string): Promise<Figure> {
  const readers = startWorker<typeof Readers>('readers')
  const writers = startWorker<typeof Writers>('writers')
  await readers.call('open', { url: board.url, threadId, count: READERS })
  await writers.call('connect', { url: board.url, count: 20 })
  const pace = (seconds: number) =>
    writers.call('pace', {
      threadId,
      perSecond: POSTS_PER_SECOND,
      seconds,
      texts: { length: POST_TEXT.length, words: 'common' },
    })
  await pace(2)
  await sleep(500)
  await readers.call('take', undefined)
  const load = startWorker<typeof DeliveryLoad>('delivery-load')
  const raw = startWorker<typeof RawWs>('raw-ws')
  const rawUrl = await raw.call('listen', undefined)
  await load.call('gather', { url: rawUrl, count: READERS, threadId: null })
  const rounds: number[][] = []
  const rawRounds: number[][] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`delivery to ${READERS} sockets: round ${round + 1} of ${options.rounds}`)
    const sent = await pace(options.seconds * 2)
    await sleep(500)
    const delays = await readers.call('take', undefined)
    if (delays.length !== sent * READERS)
      throw new Error(`${sent} posts for ${READERS} sockets made ${delays.length} deliveries`)
    rounds.push(delays)
    const rawPace = { url: rawUrl, text: POST_TEXT, perSecond: POSTS_PER_SECOND, seconds: options.seconds }
    rawRounds.push(await load.call('pace', rawPace))
  }
  for (const worker of [readers, writers, load, raw]) worker.stop()
  const at = (share: number): number[] => rounds.map((delays) => quantile(delays, share))
  const rawAt = (share: number): string => say(median(rawRounds.map((delays) => quantile(delays, share))))
  return toFigure(
    `send to the screens of ${READERS} others at ${POSTS_PER_SECOND} posts/s: p99`,
    'ms',
    at(0.99),
    atMost(50),
    `p50 ${say(median(at(0.5)))} ms, slowest ${say(Math.max(...at(1)))} ms; every post reached all ${READERS}; ` +
      `raw ws in between: p50 ${rawAt(0.5)} ms, p99 ${rawAt(0.99)} ms`,
  )
}

async function measureThroughput({ options, say: progress }: Bench, board: Board, threadId: string): Promise<Figure> {
  const load = startWorker<typeof DeliveryLoad>('delivery-load')
  const raw = startWorker<typeof RawWs>('raw-ws')
  const rawUrl = await raw.call('listen', undefined)
  await load.call('gather', { url: board.url, count: READERS, threadId })
  await load.call('gather', { url: rawUrl, count: READERS, threadId: null })
  const post = `42${JSON.stringify(['newPost', { threadId, content: POST_TEXT, name: '送り手' }])}`
  const runBoard = (seconds: number) =>
    load.call('run', { url: board.url, message: post, inFlight: IN_FLIGHT, seconds })
  await runBoard(1)
  const message = (await load.call('sample', undefined))!
  const runRaw = (seconds: number) => load.call('run', { url: rawUrl, message, inFlight: IN_FLIGHT, seconds })
  await runRaw(1)
  const rounds: { board: number; raw: number; boardBusy: number; rawBusy: number }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`delivery ÷ raw ws: round ${round + 1} of ${options.rounds}`)
    const sums = { board: 0, raw: 0, boardBusy: 0, rawBusy: 0 }
    // Both sides alternate every second, so that a machine that is busy for a while slows both.
    for (let turn = 0; turn < options.seconds; turn += 1) {
      const ours = await withBusy(board.pid, () => runBoard(1))
      const theirs = await withBusy(raw.pid, () => runRaw(1))
      sums.board += ours.result / options.seconds
      sums.raw += theirs.result / options.seconds
      sums.boardBusy += (ours.busy ?? 1) / options.seconds
      sums.rawBusy += (theirs.busy ?? 1) / options.seconds
    }
    rounds.push(sums)
  }
  load.stop()
  raw.stop()
  const cost = median(rounds.map((round) => round.rawBusy / round.raw / (round.boardBusy / round.board)))
  const middle = (key: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[key]))
  return toFigure(
    `delivery to ${READERS} sockets in one thread ÷ raw ws broadcast`,
    '×',
    rounds.map((round) => round.board / round.raw),
    atLeast(0.85),
    `${say(middle('board'))} ÷ ${say(middle('raw'))} deliveries/s, ${Buffer.byteLength(message)} bytes each; ` +
      `core in use ${Math.round(middle('boardBusy') * 100)} % ÷ ${Math.round(middle('rawBusy') * 100)} %, by processor time ${say(cost)} ×`,
  )
}

export const delivery: Row = { name: 'delivery', measure }
