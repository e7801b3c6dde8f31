/** The process that looks after several that serve: starts them, replaces one that died, and stops them all together. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { openBoardDatabase } from './db/board-database.ts'
import { createLogger } from './logger.ts'
import { loadSecret } from './secret.ts'
import { addUpWorkers } from './telemetry/workers.ts'
import { describeBoard, prepareDatabase, STOP_WITHIN_MS } from './serve.ts'

/** A worker that dies sooner after its start is replaced only after a pause, which doubles each time. */
const SOON_MS = 10_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Serves by WEB_CONCURRENCY workers, which share the port. Answers what the operator is told. Ends the process when the first one cannot serve: it has said why. */
export async function serveByWorkers(config: Config): Promise<string> {
  const log = createLogger(config)
  // The embedded one is a child of this process, and runs as long as the workers do.
  const database = await openBoardDatabase(config, log, 1)
  await prepareDatabase(database, config, log)
  // Made once, before two workers make one each.
  loadSecret(config)

  addUpWorkers()
  let isOpen = false
  let stopping = false
  let pause = FIRST_PAUSE_MS
  const running = new Set<Worker>()

  function fork(): Worker {
    const worker = cluster.fork({ DATABASE_URL: database.url })
    const since = performance.now()
    running.add(worker)
    worker.once('exit', (code, signal) => {
      running.delete(worker)
      if (stopping || !isOpen) return
      const livedLong = performance.now() - since > SOON_MS
      pause = livedLong ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
      log.error({ worker: worker.id, code, signal, pause }, 'a worker ended and is replaced')
      setTimeout(
        () => {
          if (!stopping) fork()
        },
        livedLong ? 0 : pause,
      )
    })
    return worker
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stopping) return
    stopping = true
    const ends = [...running].map(async (worker) => {
      const end = once(worker, 'exit') as Promise<[code: number | null]>
      worker.process.kill(signal)
      // One that had not even begun to serve ends by the signal itself, without a code.
      return (await end)[0] ?? 0
    })
    // They end by themselves within that time; one that hangs so much that it does not, does not hold the others.
    setTimeout(() => process.exit(1), STOP_WITHIN_MS + 1_000).unref()
    const code = Math.max(0, ...(await Promise.all(ends)))
    await database.close()
    process.exit(code)
  }
  process.on('SIGINT', (signal) => void stop(signal))
  process.on('SIGTERM', (signal) => void stop(signal))

  /** Resolves with the address where it listens, or with null when it ended before. */
  const settled = (worker: Worker): Promise<AddressInfo | null> =>
    Promise.race([
      once(worker, 'listening').then(([address]) => address as AddressInfo),
      once(worker, 'exit').then(() => null),
    ])

  // One alone, so that what keeps it from serving is told once.
  const address = await settled(fork())
  if (address === null) process.exit(1)
  isOpen = true
  await Promise.all(Array.from({ length: config.webConcurrency - 1 }, () => settled(fork())))
  return `${describeBoard(config, address.port)}, served by ${config.webConcurrency} processes`
}
