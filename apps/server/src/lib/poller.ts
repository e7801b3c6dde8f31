import type { FastifyBaseLogger } from 'fastify'

/**
 * A poller for state that others change: at an interval, and at once on request. Never two polls at
 * a time.
 */
export interface Poller {
  /**
   * Resolves when a poll that began no earlier than this call has ended, successful or not. After
   * `close`, at once.
   */
  poll(): Promise<void>
  /** Waits for a poll under way; there is none afterwards. */
  close(): Promise<void>
}

export interface PollerOptions {
  /** Name of the polled state in the log: "could not poll …". */
  readonly name: string
  readonly everyMs: number
  /** Whether a poll of the interval is needed; always when not given. */
  readonly isDue?: () => boolean
  readonly poll: () => Promise<void>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createPoller({ name, everyMs, isDue, poll: pollOnce, log }: PollerOptions): Poller {
  let polling: Promise<void> | null = null
  let again = false
  let closed = false
  const timer = setInterval(() => {
    if (isDue?.() !== false) void poll()
  }, everyMs).unref()

  async function pollWhileAsked(): Promise<void> {
    do {
      again = false
      try {
        await pollOnce()
      } catch (error) {
        log.warn({ err: error }, `could not poll ${name}`)
      }
    } while (again && !closed)
  }

  function poll(): Promise<void> {
    if (closed) return Promise.resolve()
    again = polling !== null
    polling ??= pollWhileAsked().finally(() => {
      polling = null
    })
    return polling
  }

  return {
    poll,
    async close() {
      closed = true
      clearInterval(timer)
      await polling
    },
  }
}
