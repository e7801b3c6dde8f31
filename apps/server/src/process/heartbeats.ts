/**
 * Detects hanging processes: each sends heartbeats from its event loop, and one that is silent for
 * too long hangs.
 */
export interface Heartbeats<T> {
  /** A heartbeat of a process arrived. */
  hear(process: T): void
  /** A process has been started, or a heartbeat of a starting one arrived. */
  hearStarting(process: T): void
  forget(process: T): void
  /** Call it every `everyMs`. @returns processes that hang; each is reported once */
  findHung(): T[]
}

export interface HeartbeatOptions {
  /** Silence that counts as hanging. */
  readonly timeoutMs: number
  /** Interval of the calls of `findHung`. */
  readonly everyMs: number
  /** A monotonic clock. */
  readonly now: () => number
}

/**
 * A process that loads its program sends no heartbeat: for a second on an idle machine, ten and
 * more on a busy one.
 */
const START_GRACE_MS = 60_000
/** Heartbeats within a time-out: several may be late, or lost, before a process counts as hung. */
const BEATS_PER_TIMEOUT = 6

/** Interval of heartbeats, and of the checks. */
export const beatEveryMs = (timeoutMs: number): number => timeoutMs / BEATS_PER_TIMEOUT

export function createHeartbeats<T>({ timeoutMs, everyMs, now }: HeartbeatOptions): Heartbeats<T> {
  const heardAt = new Map<T, number>()
  let lookedAt = now()
  return {
    hear: (process) => void heardAt.set(process, now()),
    hearStarting: (process) => void heardAt.set(process, now() + START_GRACE_MS),
    forget: (process) => void heardAt.delete(process),
    findHung() {
      const at = now()
      // This process itself did not run (a sleeping laptop, a frozen machine), so it could not
      // receive heartbeats.
      const hasSlept = at - lookedAt > 2 * everyMs
      lookedAt = at
      if (hasSlept) for (const [process, heard] of heardAt) heardAt.set(process, Math.max(heard, at))
      const hung = [...heardAt].filter(([, heard]) => at - heard > timeoutMs).map(([process]) => process)
      for (const process of hung) heardAt.delete(process)
      return hung
    },
  }
}
