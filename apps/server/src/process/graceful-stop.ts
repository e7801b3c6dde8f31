/**
 * Graceful stop of a process that serves: closes everything that was opened, newest first, within a
 * time limit. serve.ts adds the steps. The primary of several processes stops in primary.ts.
 */
import type { Logger } from 'pino'

/** Time limit of a graceful stop. */
export const STOP_WITHIN_MS = 10_000

export interface GracefulStop {
  /** Adds a step, which runs before all those added earlier. */
  add(close: () => Promise<unknown>): void
  /** Runs all steps. @returns whether all succeeded */
  close(): Promise<boolean>
  /** Runs all steps and ends the process. @param reason for the log */
  now(reason: string): Promise<void>
}

/** Stops on SIGINT and SIGTERM from now on. @param onStop called at the beginning */
export function stopOnSignals(log: Logger, onStop: () => void): GracefulStop {
  const closes: (() => Promise<unknown>)[] = []
  let isStopping = false
  async function close(): Promise<boolean> {
    let isClean = true
    for (const closeOne of closes.splice(0).toReversed()) {
      try {
        await closeOne()
      } catch (error) {
        log.error({ err: error }, 'could not close cleanly')
        isClean = false
      }
    }
    return isClean
  }
  async function now(reason: string): Promise<void> {
    if (isStopping) return
    isStopping = true
    log.info(`${reason}: stopping`)
    setTimeout(() => {
      log.error('could not stop in time')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    onStop()
    process.exit((await close()) ? 0 : 1)
  }
  process.on('SIGINT', (signal) => void now(signal))
  process.on('SIGTERM', (signal) => void now(signal))
  return { add: (closeOne) => void closes.push(closeOne), close, now }
}
