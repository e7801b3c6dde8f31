/**
 * Supervises the workers of one board on one machine (WEB_CONCURRENCY) in the primary: a worker
 * that dies or hangs is replaced.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { STOP_WITHIN_MS } from './graceful-stop.ts'
import { beatEveryMs, createHeartbeats } from './heartbeats.ts'
import { IS_FIRST_WORKER, isAlive, isOpen, type RetireMessage } from './messages.ts'
import { createRestartPauses } from './restart-pauses.ts'

export interface Supervisor {
  /** Starts a worker. Resolves with its port once it serves, or with null when it ended before. */
  start(): Promise<number | null>
  /** From now on a worker that ends is replaced. */
  keepUp(): void
  /** Workers that serve. */
  open(): readonly Worker[]
  /**
   * Number of replacements by cause: the worker ended, hung and was killed, or was replaced by
   * `renew`.
   */
  readonly replaced: Readonly<Record<'ended' | 'hung' | 'reload', number>>
  /**
   * Rolling restart: replaces all workers, one after another; each ends when its successor serves.
   * Does nothing while one is under way.
   */
  renew(): Promise<void>
  /** Stops all workers for good. Resolves with the exit code for the primary. */
  stop(): Promise<number>
}

export interface SupervisorOptions {
  /** Environment variables of the workers, besides the primary's. */
  readonly env: Readonly<Record<string, string>>
  /** Silence after which a worker counts as hung. */
  readonly timeoutMs: number
  readonly log: Logger
}

interface Member {
  readonly worker: Worker
  readonly since: number
  readonly opened: PromiseWithResolvers<number | null>
  /** Resolves with its exit code; one that ended by a signal has none. */
  readonly ended: PromiseWithResolvers<number | null>
  isOpen: boolean
  isHung: boolean
  /**
   * It must not be replaced: a successor exists, or it is itself a successor that does not serve
   * yet.
   */
  isSpare: boolean
}

export function createSupervisor({ env, timeoutMs, log }: SupervisorOptions): Supervisor {
  const members = new Set<Member>()
  const replaced = { ended: 0, hung: 0, reload: 0 }
  let isKept = false
  let isStopping = false
  let isRenewing = false
  const pauses = createRestartPauses()

  const everyMs = beatEveryMs(timeoutMs)
  const heartbeats = createHeartbeats<Member>({ timeoutMs, everyMs, now: () => performance.now() })
  function killHung(): void {
    for (const member of heartbeats.findHung()) {
      const { id, process } = member.worker
      log.error({ worker: id, workerPid: process.pid, silentMs: timeoutMs }, 'a worker hangs and is killed')
      member.isHung = true
      process.kill('SIGKILL')
    }
  }
  // After pending messages: when this process was busy, heartbeats wait to be read.
  setInterval(() => setImmediate(killHung), everyMs).unref()

  const openMembers = (): Member[] => [...members].filter((member) => member.isOpen)

  function fork(isSpare = false): Member {
    const worker = cluster.fork({ ...env, [IS_FIRST_WORKER]: String(openMembers().length === 0) })
    const member: Member = {
      ...{ worker, since: performance.now(), opened: Promise.withResolvers(), ended: Promise.withResolvers() },
      ...{ isOpen: false, isHung: false, isSpare },
    }
    members.add(member)
    heartbeats.hearStarting(member)
    worker.on('message', (message: unknown) => {
      if (isOpen(message)) {
        member.isOpen = true
        member.opened.resolve(message.port)
      } else if (!isAlive(message)) return
      // From its opening on it has no more time than the others, also before its next heartbeat.
      heartbeats[member.isOpen ? 'hear' : 'hearStarting'](member)
    })
    const end = (code: number | null, signal: string | null): void => {
      if (!members.delete(member)) return
      heartbeats.forget(member)
      member.ended.resolve(code)
      // The stop ends this process; until then a worker that failed to open is ignored.
      if (isStopping) return
      member.opened.resolve(null)
      if (isKept && !member.isSpare) void replace(member, { code, signal })
    }
    worker.once('exit', end)
    // Without a process (too many of them, or its program is missing) nothing exits.
    worker.on('error', (err) => {
      log.error({ err, worker: worker.id }, 'a worker failed')
      if (worker.isDead()) end(null, null)
    })
    return member
  }

  async function replace({ worker, since, isHung }: Member, how: { code: number | null; signal: string | null }) {
    let pauseMs = pauses.next(performance.now() - since)
    log.error({ worker: worker.id, ...how, pauseMs }, 'a worker ended and is replaced')
    replaced[isHung ? 'hung' : 'ended'] += 1
    for (;;) {
      if (pauseMs > 0) await sleep(pauseMs)
      if (isStopping) return
      try {
        fork()
        return
      } catch (err) {
        // There is no memory for a process.
        pauseMs = pauses.next(0)
        log.error({ err, pauseMs }, 'a worker cannot be started')
      }
    }
  }

  /** @returns false when the successor ended before it served; then the old worker stays */
  async function renewOne(old: Member): Promise<boolean> {
    // The worker ended by itself and was replaced already.
    if (!members.has(old)) return true
    const next = fork(true)
    if ((await next.opened.promise) === null) return false
    next.isSpare = false
    const leaving = members.has(old) ? old : next
    leaving.isSpare = true
    if (leaving.worker.isConnected()) leaving.worker.send({ type: 'shinobi:retire' } satisfies RetireMessage, () => {})
    await leaving.ended.promise
    replaced.reload += 1
    return true
  }

  return {
    start: () => fork().opened.promise,
    keepUp: () => void (isKept = true),
    open: () => openMembers().map(({ worker }) => worker),
    replaced,
    async renew() {
      if (isRenewing || isStopping || !isKept) return
      isRenewing = true
      log.info('replacing the workers one after another')
      let isDone = true
      for (const member of [...members]) {
        isDone = await renewOne(member).catch((err: unknown) => {
          log.error({ err }, 'a worker cannot be started')
          return false
        })
        if (!isDone) break
      }
      isRenewing = false
      if (isDone) log.info('the workers are replaced')
      else log.error('the new worker ended before it served: the old ones stay')
    },
    async stop() {
      isStopping = true
      let isLate = false
      // They end by themselves within that time, unless they hang.
      setTimeout(() => {
        isLate = true
        for (const { worker } of members) worker.process.kill('SIGKILL')
      }, STOP_WITHIN_MS + 1_000).unref()
      for (const { worker } of members) worker.process.kill('SIGTERM')
      // A worker that had not begun to serve ends by the signal itself, without a code.
      const codes = await Promise.all([...members].map(async ({ ended }) => (await ended.promise) ?? 0))
      return Math.max(isLate ? 1 : 0, ...codes)
    },
  }
}
