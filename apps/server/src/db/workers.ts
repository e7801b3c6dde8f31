/**
 * Workers of a cluster that do not answer. A statement on a worker that hangs cannot be cancelled:
 * the coordinator's backend waits for the worker even to cancel it. So a process that waits for a
 * statement asks whether each worker takes a connection. While one does not, statements that need
 * it are refused before they are sent, those under way are given up with their connections, and all
 * others go on. On one PostgreSQL this does nothing.
 */
import type { FastifyBaseLogger } from 'fastify'
import { isConnectionLost, WorkerAwayError } from '../lib/api-error.ts'
import { createPoller, type Poller } from '../lib/poller.ts'

/** How often a process considers a check, which starts a program on each worker. */
const CONSIDER_EVERY_MS = 500
/** A statement that takes longer may wait for a worker that hangs. */
const SLOW_MS = 500
/** The interval of checks while one may be away, and so how soon it is used again. */
const CHECK_EVERY_MS = 1_000
/** The interval of checks while all seem well. */
const CALM_CHECK_EVERY_MS = 10_000
/** Longer than a busy worker takes to accept a connection; a second try follows the first. */
export const WORKER_TIMEOUT_MS = 1_000
/** Maximum number of threads whose worker is remembered while one is away. */
const PLACES_MAX = 10_000

export interface Workers {
  /** Number of workers that do not answer; 0 on one PostgreSQL. */
  readonly away: number
  /** Sends a statement. @throws WorkerAwayError when it needs a worker that does not answer */
  run<R>(text: string, values: readonly unknown[], send: () => Promise<R>): Promise<R>
  /**
   * Checks the workers of a cluster, until the poller is closed: each second while a statement is
   * slow, has lost its connection, or a worker is away, and now and then in any case.
   */
  follow(cluster: Cluster, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Poller
  /** Calls a listener when a worker goes or is back. */
  onChange(listener: () => void): void
}

/** A worker as Citus numbers it (`groupid`). */
export type WorkerId = number

/** `coordinator`: no worker. `all`: every worker. Otherwise the workers of these threads. */
export type Reach = 'coordinator' | 'all' | { readonly threadIds: readonly string[] }

/** What is known of a cluster (coordinator.ts). */
export interface Cluster {
  /** Workers that hold rows and do not answer. */
  findAway(): Promise<ReadonlySet<WorkerId>>
  workerOf(threadId: string): Promise<WorkerId>
  /** The workers that a statement needs. */
  reachOf(text: string, values: readonly unknown[]): Reach
}

interface UnderWay {
  readonly text: string
  readonly values: readonly unknown[]
  readonly since: number
  readonly giveUp: (error: Error) => void
}

/** @param now a monotonic clock in milliseconds */
export function createWorkers(now: () => number = () => performance.now()): Workers {
  let cluster: Cluster | null = null
  let away: ReadonlySet<WorkerId> = new Set()
  let checkedAt = -Infinity
  /** Whether a statement has lost its connection since the last check, as when a worker dies. */
  let hasLost = false
  const listeners: (() => void)[] = []
  const underWay = new Set<UnderWay>()
  const places = new Map<string, Promise<WorkerId>>()

  async function run<R>(text: string, values: readonly unknown[], send: () => Promise<R>): Promise<R> {
    if (away.size > 0 && (await needsAway(text, values))) throw new WorkerAwayError()
    const { promise, reject } = Promise.withResolvers<never>()
    const statement = { text, values, since: now(), giveUp: reject }
    underWay.add(statement)
    try {
      return await Promise.race([send(), promise])
    } catch (error) {
      if (isConnectionLost(error)) hasLost = true
      throw error
    } finally {
      underWay.delete(statement)
    }
  }

  async function needsAway(text: string, values: readonly unknown[]): Promise<boolean> {
    const reach = cluster!.reachOf(text, values)
    if (typeof reach === 'string') return reach === 'all'
    const needed = await Promise.all(reach.threadIds.map(workerOf))
    return needed.some((worker) => away.has(worker))
  }

  function workerOf(threadId: string): Promise<WorkerId> {
    let place = places.get(threadId)
    if (place === undefined) {
      if (places.size >= PLACES_MAX) places.clear()
      place = cluster!.workerOf(threadId)
      places.set(threadId, place)
      place.catch(() => places.delete(threadId))
    }
    return place
  }

  function isDue(): boolean {
    const sinceCheck = now() - checkedAt
    if (sinceCheck >= CALM_CHECK_EVERY_MS) return true
    const isSlow = [...underWay].some(({ since }) => now() - since >= SLOW_MS)
    return sinceCheck >= CHECK_EVERY_MS && (isSlow || hasLost || away.size > 0)
  }

  async function look({ findAway }: Cluster, log: Pick<FastifyBaseLogger, 'info' | 'warn'>): Promise<void> {
    checkedAt = now()
    hasLost = false
    const found = await findAway()
    const hasChanged = found.size !== away.size || found.difference(away).size > 0
    away = found
    if (found.size === 0) places.clear()
    for (const statement of underWay) if (found.size > 0) void giveUpIfAway(statement)
    if (!hasChanged) return
    if (found.size > 0)
      log.warn({ workers: [...found] }, 'workers of the cluster do not answer: what needs them gets 503')
    else log.info('all workers of the cluster answer again')
    for (const listener of listeners) listener()
  }

  /** A commit does not say which workers it waits for; one that can end does so within a second. */
  async function giveUpIfAway({ text, values, since, giveUp }: UnderWay): Promise<void> {
    const isLongCommit = text === 'commit' && now() - since > WORKER_TIMEOUT_MS
    const isStuck = isLongCommit || (await needsAway(text, values).catch(() => false))
    if (!isStuck) return
    // 08006 is PostgreSQL's connection_failure: it is unknown whether the statement took effect.
    giveUp(Object.assign(new Error('a worker of the cluster does not answer: gave up waiting'), { code: '08006' }))
  }

  return {
    get away() {
      return away.size
    },
    run: (text, values, send) => (cluster === null ? send() : run(text, values, send)),
    follow(given, log) {
      cluster = given
      return createPoller({
        ...{ name: 'the workers', everyMs: CONSIDER_EVERY_MS, isDue, log },
        poll: () => look(given, log),
      })
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
