/**
 * Memory per visitor who has a thread open and only reads: resident memory of the server, with many
 * of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { fetchRaw } from '../lib/http.ts'
import { startBoard } from '../lib/server.ts'
import { residentMegabytes } from '../lib/usage.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as IdleSockets } from '../workers/idle-sockets.ts'

const SOCKETS = 10_000
const QUICK_SOCKETS = 2_000
/** Each visitor shares an open thread with nine others. */
const THREADS = 1_000
/**
 * Garbage of the connection phase is collected while the server is idle; by then everybody has had
 * the first ping.
 */
const REST_MS = 35_000

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_idle')
  const { toWrite } = await listFilled(databaseUrl)
  const threadIds = toWrite.slice(0, THREADS).map(({ id }) => id)
  const count = options.quick ? QUICK_SOCKETS : SOCKETS
  const rounds: number[] = []
  let resident = ''
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`${say(count)} idle sockets: round ${round + 1} of ${options.rounds}`)
    const board = await startBoard({ databaseUrl })
    const visitors = startWorker<typeof IdleSockets>('idle-sockets')
    await fetchRaw(`${board.url}/thread/${threadIds[0]}`)
    // Some visitors connect before the measurement, so that memory that any visitor causes is not
    // counted.
    await visitors.call('open', { url: board.url, threadIds, count: 200 })
    await sleep(REST_MS)
    const before = residentMegabytes(board.pid)
    await visitors.call('open', { url: board.url, threadIds, count: count + 200 })
    await sleep(REST_MS)
    const after = residentMegabytes(board.pid)
    const open = await visitors.call('count', undefined)
    if (open !== count + 200) throw new Error(`${count + 200 - open} of ${count + 200} sockets were closed`)
    visitors.stop()
    await board.stop()
    if (before === null || after === null) throw new Error('this system does not tell the memory of a process')
    rounds.push(((after - before) / count) * 1_000)
    resident = `${say(before)} MB before, ${say(after)} MB with them`
  }
  return [toFigure(`${say(count)} idle sockets in ${say(THREADS)} threads, each`, 'kB', rounds, atMost(20), resident)]
}

export const idleSockets: Row = { name: 'idle', measure }
