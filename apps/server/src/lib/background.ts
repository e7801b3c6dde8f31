import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createFairSemaphore } from './fair-semaphore.ts'

/** Work after an answer that no request waits for, such as looking up recipients of mails. */
export interface Background {
  /**
   * Starts work, or queues it. Its errors are logged; work beyond the limit of the queue is dropped
   * and logged.
   * @param afterMs minimum delay
   */
  run(work: () => Promise<void>, afterMs?: number): void
  /** Number of works that run, or wait in the queue or for their delay. */
  waiting(): number
  /** Resolves when everything started so far is done. */
  settle(): Promise<void>
  /** Waits a little for work under way, and accepts no more. */
  close(): Promise<void>
}

/** Each uses a connection to the database. */
const AT_ONCE = 4
/** Limits the memory in a flood. */
const WAITING_MAX = 1_000
/** Longest wait of a stop. */
const CLOSE_WITHIN_MS = 3_000

export function createBackground(log: FastifyBaseLogger): Background {
  const semaphore = createFairSemaphore({ places: AT_ONCE, waitingMax: WAITING_MAX })
  const running = new Set<Promise<void>>()
  let closed = false
  const settle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }
  return {
    run(work, afterMs = 0) {
      if (closed) return
      const done = (afterMs === 0 ? semaphore(work) : sleep(afterMs).then(() => semaphore(work)))
        .catch((error: unknown) => log.error({ err: error }, 'background work failed'))
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
