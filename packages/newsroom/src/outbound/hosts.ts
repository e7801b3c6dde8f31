/** Per-host throttle: one request to a host at a time, and a delay between two of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NewsRefusal } from '../news-refusal.ts'

export interface Hosts {
  /**
   * Runs work when it is the host's turn.
   * @param gapMs minimum time between the end of the previous work and this one, where the host
   * asks for more than the default
   * @throws NewsRefusal http_error while the host is paused; unreachable once closed
   */
  turn<T>(host: string, gapMs: number, work: () => Promise<T>): Promise<T>
  /** Refuses all work with a host for this long. */
  leaveAlone(host: string, forMs: number): void
  /** Ends all waits. */
  close(): void
}

export interface HostsOptions {
  /** Default delay between two requests to one host. */
  readonly delayMs: number
  readonly now: () => number
  /** Waits by the real clock unless given; rejects when `signal` is aborted. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
}

interface Host {
  /** Resolves when the last work in the queue is done. */
  last: Promise<void>
  queued: number
  workedAt: number
  /** The delay that was kept between the last two. */
  gapMs: number
  aloneUntil: number
}

/** From this many hosts on, idle ones are forgotten once their delay has passed. */
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
    // A clock that was set back must not make anybody wait longer than the delay.
    const ms = Math.min(host.workedAt + host.gapMs - now(), host.gapMs)
    if (ms <= 0) return
    // Only closing ends the wait early, which the next line checks.
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
