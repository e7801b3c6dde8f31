/** Politeness: one request to a host at a time, and time between two of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NewsRefusal } from '../news-refusal.ts'

export interface Hosts {
  /**
   * Does some work with a host when it is its turn.
   * @param gapMs the least time between the end of the work before and this one, where the host asks for more than is usual here
   * @throws NewsRefusal http_error while the host wants to be left alone; unreachable once closed
   */
  turn<T>(host: string, gapMs: number, work: () => Promise<T>): Promise<T>
  /** Refuses all work with a host for so long. */
  leaveAlone(host: string, forMs: number): void
  /** Ends the waiting of all who wait. */
  close(): void
}

export interface HostsOptions {
  /** Usual time between two requests to one host. */
  readonly delayMs: number
  readonly now: () => number
  /** Waits by the real clock; ends early with an error when `signal` is aborted. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

interface Host {
  /** Resolves when the last one in the queue is done. */
  last: Promise<void>
  queued: number
  workedAt: number
  /** The time that was left between the last two. */
  gapMs: number
  aloneUntil: number
}

/** Hosts that nobody waits for are forgotten from this many on, once their time is over. */
const REMEMBERED = 1_000

const waitReally = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })

export function createHosts({ delayMs, now, wait = waitReally }: HostsOptions): Hosts {
  const hosts = new Map<string, Host>()
  const closing = new AbortController()

  function recall(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    if (hosts.size >= REMEMBERED) forgetIdle()
    const fresh: Host = { last: Promise.resolve(), queued: 0, workedAt: -Infinity, gapMs: 0, aloneUntil: -Infinity }
    hosts.set(name, fresh)
    return fresh
  }

  function forgetIdle(): void {
    for (const [name, host] of hosts) {
      if (host.queued === 0 && host.workedAt + host.gapMs <= now() && host.aloneUntil <= now()) hosts.delete(name)
    }
  }

  function mustBeWelcome(name: string, host: Host): void {
    if (closing.signal.aborted) throw new NewsRefusal('unreachable', 'this server is stopping')
    const alone = host.aloneUntil - now()
    if (alone > 0) throw new NewsRefusal('http_error', `${name} asked to be left alone`, alone)
  }

  async function pause(host: Host): Promise<void> {
    // A clock that was set back must not make anybody wait longer than the gap.
    const ms = Math.min(host.workedAt + host.gapMs - now(), host.gapMs)
    if (ms <= 0) return
    // Only closing ends it early, and that is asked for next.
    await wait(ms, closing.signal).catch(() => {})
  }

  return {
    async turn(name, gapMs, work) {
      const host = recall(name)
      const before = host.last
      const done = Promise.withResolvers<void>()
      host.last = done.promise
      host.queued += 1
      try {
        await before
        mustBeWelcome(name, host)
        host.gapMs = Math.max(gapMs, delayMs)
        await pause(host)
        mustBeWelcome(name, host)
        try {
          return await work()
        } finally {
          host.workedAt = now()
        }
      } finally {
        host.queued -= 1
        done.resolve()
      }
    },
    leaveAlone(name, forMs) {
      const host = recall(name)
      host.aloneUntil = Math.max(host.aloneUntil, now() + forMs)
    },
    close() {
      closing.abort()
    },
  }
}
