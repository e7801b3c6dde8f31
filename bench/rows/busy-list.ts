/**
 * The thread list while others write: how much longer its slowest answers take than on a quiet
 * board.
 */
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { AS_BROWSERS } from '../lib/http.ts'
import { startBoard } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { POST_TEXT } from '../lib/text.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as PacedHttp } from '../workers/paced-http.ts'
import type { calls as Writers } from '../workers/writers.ts'

const POSTS_PER_SECOND = 200
const READS_PER_SECOND = 500

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_busy')
  const { toWrite } = await listFilled(databaseUrl)
  const board = await startBoard({ databaseUrl })
  const writers = startWorker<typeof Writers>('writers')
  const reader = startWorker<typeof PacedHttp>('paced-http')
  await writers.call('connect', { url: board.url, count: 20 })
  const write = (seconds: number): Promise<number[]> =>
    writers.call('paceOver', {
      threadIds: toWrite.map(({ id }) => id),
      perSecond: POSTS_PER_SECOND,
      seconds,
      texts: { length: POST_TEXT.length, words: 'common' },
    })
  const read = (seconds: number): Promise<number[]> =>
    reader.call('run', { url: `${board.url}/api/threads`, perSecond: READS_PER_SECOND, seconds, headers: AS_BROWSERS })
  await Promise.all([read(2), write(2)])
  const rounds: { quiet: number[]; busy: number[] }[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`thread list under ${POSTS_PER_SECOND} posts/s: round ${round + 1} of ${options.rounds}`)
    const times = { quiet: [] as number[], busy: [] as number[] }
    for (let turn = 0; turn < options.seconds; turn += 1) {
      await cluster.untilQuiet(databaseUrl)
      times.quiet.push(...(await read(2)))
      const [, busy] = await Promise.all([write(3), read(2)])
      times.busy.push(...busy)
    }
    rounds.push(times)
  }
  writers.stop()
  reader.stop()
  await board.stop()
  const p = (which: 'quiet' | 'busy', share: number): string =>
    say(median(rounds.map((times) => quantile(times[which], share))))
  return [
    toFigure(
      `thread list while ${POSTS_PER_SECOND} posts/s come in ÷ the quiet one: p99`,
      '×',
      rounds.map(({ quiet, busy }) => quantile(busy, 0.99) / quantile(quiet, 0.99)),
      atMost(3),
      `${p('busy', 0.99)} ÷ ${p('quiet', 0.99)} ms (p50 ${p('busy', 0.5)} ÷ ${p('quiet', 0.5)} ms), ${READS_PER_SECOND} requests/s`,
    ),
  ]
}

export const busyList: Row = { name: 'busy', measure }
