/** The operator's PostgreSQL, or one of this run whose commits wait for the disk. */
import { onEnd } from '../../bench/lib/cleanup.ts'
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs'
import { ownPostgres, type OwnPostgres } from './local-postgres.ts'
import type { Options } from './options.ts'

export interface GivenPostgres {
  readonly url: string
  /** Null for the operator's, which must not be stopped. */
  readonly own: OwnPostgres | null
}

/** Null where there is none. */
export async function openGivenPostgres({ postgresUrl }: Options): Promise<GivenPostgres | null> {
  if (postgresUrl !== null) return { url: postgresUrl, own: null }
  if (findPostgres() === null) return null
  const postgres = await startPostgres({ durable: true })
  onEnd(postgres.stop)
  return { url: postgres.url, own: ownPostgres(postgres.data, postgres.restart) }
}
