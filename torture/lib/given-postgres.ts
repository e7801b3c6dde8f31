/** The operator's PostgreSQL, or one of this run whose commits wait for the disk. */
import { onEnd } from '../../bench/lib/cleanup.ts'
import { descendantsOf } from '../../bench/lib/usage.ts'
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs'
import type { Options } from './options.ts'
import { killNow, postmasterOf } from './site.ts'

export interface GivenPostgres {
  readonly url: string
  /** Null for the operator's, which must not be stopped. */
  readonly own: OwnPostgres | null
}

export interface OwnPostgres {
  /** Process ids, the postmaster first. */
  readonly processes: () => number[]
  /** Sends a signal to all of its processes. */
  signalAll(signal: NodeJS.Signals): void
  /** Starts it again after it was killed or stopped. */
  readonly restart: () => Promise<void>
}

/** Null where there is none. */
export async function openGivenPostgres({ postgresUrl }: Options): Promise<GivenPostgres | null> {
  if (postgresUrl !== null) return { url: postgresUrl, own: null }
  if (findPostgres() === null) return null
  const postgres = await startPostgres({ durable: true })
  onEnd(postgres.stop)
  const processes = (): number[] => {
    const first = postmasterOf(postgres.data)
    return [first, ...descendantsOf(first)]
  }
  return {
    url: postgres.url,
    own: {
      processes,
      signalAll(signal) {
        for (const pid of processes()) killNow(pid, signal)
      },
      restart: postgres.restart,
    },
  }
}
