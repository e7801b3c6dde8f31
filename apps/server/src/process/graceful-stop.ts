/** How a process that serves ends: what was opened is closed, the newest first, within a limit. */
import type { Logger } from 'pino'

/** A graceful stop that takes longer than this is ended. */
export const STOP_WITHIN_MS = 10_000

export interface GracefulStop {
  /** Adds what is to be closed before everything that was added earlier. */
  add(close: () => Promise<unknown>): void
  /** Closes everything that was added. @returns whether all of it closed cleanly */
  close(): Promise<boolean>
  /** Closes everything and ends the process. @param reason for the log */
  now(reason: string): Promise<void>
}

/** Stops on SIGINT and SIGTERM from now on. @param onStop called when that begins */
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
