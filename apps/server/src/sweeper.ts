import type { Service, Services } from './lib/services.ts'

/**
 * Interval of sweeps, which delete expired data and finish work that a crash or another server left
 * undone.
 */
const SWEEP_EVERY_MS = 600_000

/** Sweeps all services once the server is ready, while it serves, and then regularly. */
export function createSweeper(services: Pick<Services, 'sweep'>, now: () => number): Service {
  let timer: NodeJS.Timeout | null = null
  const sweep = (): void => void services.sweep(now())
  return {
    start() {
      timer = setInterval(sweep, SWEEP_EVERY_MS).unref()
      sweep()
    },
    close() {
      if (timer !== null) clearInterval(timer)
    },
  }
}
