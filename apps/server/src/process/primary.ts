/**
 * The primary process of several that serve (WEB_CONCURRENCY): owns shared resources, supervises
 * the others, and stops them on SIGINT and SIGTERM.
 */
import cluster from 'node:cluster'
import type { Config } from '../config.ts'
import { openBoardDatabase } from '../db/board-database.ts'
import { createLogger } from '../logger.ts'
import { createSupervisor } from './supervisor.ts'
import { warnOfFewFiles, watchOpenFiles } from './file-limit.ts'
import { onHangup } from './hangup.ts'
import { createSystemd } from './systemd.ts'
import { loadSecret } from '../secret.ts'
import { describeBoard } from '../serve.ts'
import { addUpWorkers } from '../telemetry/workers.ts'

/**
 * Serves with WEB_CONCURRENCY workers, which share the port. Returns the line for the operator.
 * Ends the process when the first worker cannot serve: that worker has reported the reason.
 */
export async function serveByWorkers(config: Config): Promise<string> {
  const log = createLogger(config)
  const systemd = createSystemd(log)
  warnOfFewFiles(log)
  // The primary accepts all connections before it passes them on.
  watchOpenFiles(log)
  // The embedded database is a child of this process, and runs as long as the workers do.
  const database = await openBoardDatabase(config, log, 1)
  // Generated once, before the workers start: otherwise each would generate one.
  loadSecret(config)

  const supervisor = createSupervisor({ env: { DATABASE_URL: database.url }, timeoutMs: config.workerTimeoutMs, log })
  addUpWorkers(supervisor)

  let isStopping = false
  async function stop(): Promise<void> {
    if (isStopping) return
    isStopping = true
    systemd.stopping()
    const code = await supervisor.stop()
    await database.close()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  onHangup({ stop: () => void stop(), reload: () => void supervisor.renew() })
  cluster.once('listening', () => systemd.ready('listening'))

  // The first worker starts alone, so that an error is reported once.
  const port = await supervisor.start()
  if (port === null) {
    await database.close()
    process.exit(1)
  }
  supervisor.keepUp()
  await Promise.all(Array.from({ length: config.webConcurrency - 1 }, () => supervisor.start()))
  systemd.ready(`open, ${config.webConcurrency} processes`)
  return `${describeBoard(config, port)}, served by ${config.webConcurrency} processes`
}
