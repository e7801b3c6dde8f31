import type { FastifyBaseLogger } from 'fastify'

/** Looks at something that others change: once in a while, and at once when somebody asks. Never twice at the same time. */
export interface Watcher {
  /** Resolves when a look that began no earlier than this call is over, whether or not it failed. After the end at once. */
  look(): Promise<void>
  /** Waits for a look that is under way; there is none afterwards. */
  close(): Promise<void>
}

export interface WatcherOptions {
  /** What is looked at, for the log: "could not look at …". */
  readonly name: string
  readonly everyMs: number
  readonly look: () => Promise<void>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export function createWatcher({ name, everyMs, look: lookOnce, log }: WatcherOptions): Watcher {
  let looking: Promise<void> | null = null
  let again = false
  let closed = false
  const timer = setInterval(() => void look(), everyMs).unref()

  async function lookWhileAsked(): Promise<void> {
    do {
      again = false
      try {
        await lookOnce()
      } catch (error) {
        log.warn({ err: error }, `could not look at ${name}`)
      }
    } while (again && !closed)
  }

  function look(): Promise<void> {
    if (closed) return Promise.resolve()
    again = looking !== null
    looking ??= lookWhileAsked().finally(() => {
      looking = null
    })
    return looking
  }

  return {
    look,
    async close() {
      closed = true
      clearInterval(timer)
      await looking
    },
  }
}
