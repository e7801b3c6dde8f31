/**
 * Opens the board's database, as configured: the embedded PostgreSQL of DATA_DIR, or the one of
 * DATABASE_URL.
 */
import { CHECKS_AT_ONCE, openDatabase, SEARCHES_AT_ONCE, type Database } from './client.ts'
import { shareEmbedded, startEmbedded, type EmbeddedPostgres } from './embedded/embedded-postgres.ts'
import type { Log } from './embedded/server.ts'

export interface BoardDatabase extends Database {
  /** Its address for node-postgres. */
  readonly url: string
}

/** Settings of the database (config.ts). */
interface Settings {
  /** Null: the embedded one in DATA_DIR. */
  readonly databaseUrl: string | null
  readonly databaseReplicaUrl: string | null
  /** Connections of one process. */
  readonly databasePool: number
  readonly dataDir: string
  /** Processes of the server. */
  readonly webConcurrency: number
}

/**
 * Opens it for the server, which owns the embedded one and stops it at `close`.
 * @param pool connections of this process
 * @throws FolderInUseError, EmbeddedPostgresError
 */
export async function openBoardDatabase(
  settings: Settings,
  log: Log,
  pool: number = settings.databasePool,
): Promise<BoardDatabase> {
  const { databaseUrl, databaseReplicaUrl: replicaUrl } = settings
  if (databaseUrl !== null) return { ...openDatabase({ url: databaseUrl, replicaUrl, pool }), url: databaseUrl }
  return onEmbedded(await startEmbedded(settings.dataDir, { connections: connectionsOf(settings), log }), pool)
}

/** Opens it for a program beside the server: the embedded one is shared with a running server. */
export async function shareBoardDatabase(settings: Settings, pool: number, log: Log): Promise<BoardDatabase> {
  const { databaseUrl } = settings
  if (databaseUrl !== null) return { ...openDatabase({ url: databaseUrl, pool }), url: databaseUrl }
  return onEmbedded(await shareEmbedded(settings.dataDir, { connections: connectionsOf(settings), log }), pool)
}

/** Connections of all server processes together; a rolling restart has one process more. */
const connectionsOf = ({ databasePool, webConcurrency }: Settings): number =>
  (databasePool + SEARCHES_AT_ONCE + CHECKS_AT_ONCE) * (webConcurrency === 1 ? 1 : webConcurrency + 1)

function onEmbedded(postgres: EmbeddedPostgres, pool: number): BoardDatabase {
  const database = openDatabase({ url: postgres.url, pool })
  return {
    ...database,
    url: postgres.url,
    async close() {
      await database.close()
      await postgres.close()
    },
  }
}
