/** Types of postgres.mjs, for the bench and the tests. */

/** Folder with initdb and postgres, the newest version first; null when there is none. */
export function findPostgres(): string | null

/** Starts a cluster of its own; see postgres.mjs. */
export function startPostgres(options?: { readonly durable?: boolean; readonly replicaOf?: string }): Promise<Postgres>

export interface Postgres {
  readonly url: string
  /** Its data folder. */
  readonly data: string
  /** Starts it again, at the same address, after it was killed. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}
