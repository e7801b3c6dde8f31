import type { FastifyBaseLogger } from 'fastify'

/** A part of the server that does more than answer requests. */
export interface Service {
  /** Starts; called when everything is set up. */
  start?(): void | Promise<void>
  /** Resolves when all accepted work is done. */
  settle?(): Promise<void>
  /**
   * Deletes expired data, and repeats work that a crash interrupted. Ends early once the signal is
   * aborted.
   */
  sweep?(now: number, signal: AbortSignal): Promise<void>
  /** Finishes accepted work, and stops. */
  close?(): void | Promise<void>
}

/** The services of one server, in the order of their dependencies. */
export interface Services {
  /**
   * Adds a service, which may use those that were added before it.
   * @param name for the log
   * @param service null for one that the settings leave out
   */
  add<T extends Service | null>(name: string, service: T): T
  start(): Promise<void>
  /** Settles all, newest first, so that work which they give to older ones is done as well. */
  settle(): Promise<void>
  /**
   * Sweeps all at the same time, except those still busy with their last sweep. A failure is logged
   * and stops no other.
   */
  sweep(now: number): Promise<void>
  /**
   * Closes all, the newest first, each after its sweep has ended. A failure is logged and stops no
   * other.
   */
  close(): Promise<void>
}

interface Entry {
  readonly name: string
  readonly service: Service
  sweeping: Promise<void> | null
}

export function createServices(log: Pick<FastifyBaseLogger, 'error'>): Services {
  const entries: Entry[] = []
  const stop = new AbortController()

  async function guard(service: string, what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.error({ err: error, service }, `could not ${what} a service`)
    }
  }

  function sweepOne(entry: Entry, now: number): Promise<void> {
    const { name, service } = entry
    entry.sweeping ??= guard(name, 'sweep', () => service.sweep?.(now, stop.signal)).finally(() => {
      entry.sweeping = null
    })
    return entry.sweeping
  }

  return {
    add(name, service) {
      if (service !== null) entries.push({ name, service, sweeping: null })
      return service
    },
    async start() {
      for (const { service } of entries) await service.start?.()
    },
    async settle() {
      for (const { service } of entries.toReversed()) await service.settle?.()
    },
    async sweep(now) {
      if (stop.signal.aborted) return
      await Promise.all(entries.map((entry) => sweepOne(entry, now)))
    },
    async close() {
      stop.abort()
      for (const entry of entries.toReversed()) {
        await guard(entry.name, 'close', () => entry.service.close?.())
        await entry.sweeping
      }
    },
  }
}
