import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createTurns } from './turns.ts'

/**
 * Work that follows an answer and that nobody waits for, such as looking up who is to be mailed.
 */
export interface Background {
  /**
   * Starts work, or lets it wait for its turn. What it throws is logged; too much of it at once is left out, and logged.
   * @param afterMs begins no sooner than this
   */
  run(work: () => Promise<void>, afterMs?: number): void
  /** Works that are under way, or wait for their turn or their time. */
  waiting(): number
  /** Resolves when everything started so far is done. */
  settle(): Promise<void>
  /** Gives what is under way a little time, and takes no more. */
  close(): Promise<void>
}

/** Each holds a connection of the database. */
const AT_ONCE = 4
/** A flood shall not fill the memory. */
const WAITING_MAX = 1_000
/** A stop may not take longer than this for it. */
const CLOSE_WITHIN_MS = 3_000

export function createBackground(log: FastifyBaseLogger): Background {
  const turns = createTurns({ places: AT_ONCE, waitingMax: WAITING_MAX })
  const running = new Set<Promise<void>>()
  let closed = false
  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }
  return {
    run(work, afterMs = 0) {
      if (closed) return
      const done = (afterMs === 0 ? turns(work) : sleep(afterMs).then(() => turns(work)))
        .catch((error: unknown) => log.error({ err: error }, 'work in the background failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    waiting: () => running.size,
    settle,
    async close() {
      closed = true
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, CLOSE_WITHIN_MS)
      await Promise.race([settle(), late.promise])
      clearTimeout(timer)
    },
  }
}
