/** Which processes still run their event loop: each says so regularly, and one that is silent for too long hangs. */
export interface Heartbeats<T> {
  /** A process has just been heard. */
  hear(process: T): void
  /** A process has just begun, or has been heard and is still starting. */
  hearStarting(process: T): void
  forget(process: T): void
  /** To be called every `everyMs`. @returns processes that hang; each is reported once */
  findHung(): T[]
}

export interface HeartbeatOptions {
  /** Silence that counts as hanging. */
  readonly timeoutMs: number
  /** How often `findHung` is called. */
  readonly everyMs: number
  /** A clock that never goes back. */
  readonly now: () => number
}

/** A process that loads its program says nothing meanwhile: a second on a quiet machine, ten and more on a busy one. */
const START_GRACE_MS = 60_000
/** Heartbeats within a timeout: several may be late, or lost, before anybody takes a process for hung. */
const BEATS_PER_TIMEOUT = 6

/** How often processes say that they run, and how often that is looked at. */
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
      // This process itself did not run (a laptop that slept, a frozen machine): it could not hear anybody meanwhile.
      const hasSlept = at - lookedAt > 2 * everyMs
      lookedAt = at
      if (hasSlept) for (const [process, heard] of heardAt) heardAt.set(process, Math.max(heard, at))
      const hung = [...heardAt].filter(([, heard]) => at - heard > timeoutMs).map(([process]) => process)
      for (const process of hung) heardAt.delete(process)
      return hung
    },
  }
}
