/** Types of postgres.mjs, for the bench and the tests. */

/** Folder with initdb and postgres, the newest version first; null when there is none. */
export function findPostgres(): string | null

/** Starts a cluster of its own; see postgres.mjs. */
export function startPostgres(options?: {
  readonly durable?: boolean
  readonly replicaOf?: string
}): Promise<{ readonly url: string; readonly stop: () => Promise<void> }>
