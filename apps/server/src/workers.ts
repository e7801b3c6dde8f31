/** The primary process of several that serve (WEB_CONCURRENCY): owns what they share, and looks after them. */
import cluster from 'node:cluster'
import type { Config } from './config.ts'
import { openBoardDatabase } from './db/board-database.ts'
import { createLogger } from './logger.ts'
import { createCrew } from './process/crew.ts'
import { warnOfFewFiles, watchOpenFiles } from './process/file-limit.ts'
import { onHangup } from './process/hangup.ts'
import { createSystemd } from './process/systemd.ts'
import { loadSecret } from './secret.ts'
import { describeBoard } from './serve.ts'
import { addUpWorkers } from './telemetry/workers.ts'

/**
 * Serves by WEB_CONCURRENCY workers, which share the port. Answers what the operator is told. Ends the process when the first one cannot
 * serve: it has said why.
 */
export async function serveByWorkers(config: Config): Promise<string> {
  const log = createLogger(config)
  const systemd = createSystemd(log)
  warnOfFewFiles(log)
  // It takes all connections before it passes them on.
  watchOpenFiles(log)
  // The embedded one is a child of this process, and runs as long as the workers do.
  const database = await openBoardDatabase(config, log, 1)
  // Made once, before two workers make one each.
  loadSecret(config)

  const crew = createCrew({ env: { DATABASE_URL: database.url }, timeoutMs: config.workerTimeoutMs, log })
  addUpWorkers(crew)

  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    systemd.stopping()
    const code = await crew.stop()
    await database.close()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  onHangup({ stop: () => void stop(), reload: () => void crew.renew() })
  cluster.once('listening', () => systemd.ready('listening'))

  // One alone, so that what keeps it from serving is told once.
  const port = await crew.start()
  if (port === null) {
    await database.close()
    process.exit(1)
  }
  crew.keepUp()
  await Promise.all(Array.from({ length: config.webConcurrency - 1 }, () => crew.start()))
  systemd.ready(`open, ${config.webConcurrency} processes`)
  return `${describeBoard(config, port)}, served by ${config.webConcurrency} processes`
}
