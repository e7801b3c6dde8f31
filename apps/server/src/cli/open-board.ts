/**
 * Opens the board of the programs beside the server (`npm run admin`, `news`, `seed` …), and prints
 * which one it is.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { loadConfig, type Config } from '../config.ts'
import { shareBoardDatabase, type BoardDatabase } from '../db/board-database.ts'
import { holdsEmbedded } from '../db/embedded/cluster.ts'
import { migrateToLatest } from '../db/migrate.ts'
import { createProgramLogger } from '../logger.ts'

/** An option of each of these programs, for `parseArgs`. */
export const ENV_FILE_OPTION = { 'env-file': { type: 'string' } } as const
/** Options of the programs that can also create a board. */
export const BOARD_OPTIONS = { ...ENV_FILE_OPTION, 'new-board': { type: 'boolean' } } as const

export const ENV_FILE_HELP =
  '  --env-file FILE             reads the settings from FILE instead of .env, such as the one of the systemd unit'
/** Their lines of the help. */
export const BOARD_HELP = `${ENV_FILE_HELP}
  --new-board                 makes the board when there is none yet`

export interface BoardArguments {
  readonly 'env-file'?: string | undefined
  readonly 'new-board'?: boolean | undefined
}

/** There is no board where the settings say. The message is the one line that the user sees. */
export class NoBoardError extends Error {}

/** @throws ConfigError */
export const configFor = (values: BoardArguments): Config => loadConfig(values['env-file'])

/**
 * Opens the configured board, also while its server runs, and prints which one it is.
 * @param pool maximum connections
 * @throws NoBoardError when there is none and `--new-board` was not given
 */
export async function openBoard(config: Config, values: BoardArguments, pool: number): Promise<BoardDatabase> {
  const mayMake = values['new-board'] === true
  nameBoard(config)
  if (config.databaseUrl === null && !holdsEmbedded(config.dataDir) && !mayMake) throw noBoard(config)
  mkdirSync(config.dataDir, { recursive: true })
  const log = createProgramLogger()
  const database = await shareBoardDatabase(config, pool, log)
  try {
    const { rows } = await sql<{ is: boolean }>`select to_regclass('threads') is not null as is`.execute(database.db)
    if (rows[0]?.is !== true && !mayMake) throw noBoard(config)
    await migrateToLatest(database.db)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Prints where the board is, without the password. Not to standard output, which is for the
 * program's result.
 */
export function nameBoard({ databaseUrl, dataDir }: Config): void {
  console.error(`Board: PostgreSQL ${databaseUrl === null ? `in ${dataDir}` : `at ${placeOf(databaseUrl)}`}`)
}

/** As the driver reads the address, which may name a folder of sockets instead of a host. */
function placeOf(databaseUrl: string): string {
  const { host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `${host}:${port}/${database}`
}

function noBoard(config: Config): NoBoardError {
  const place = config.databaseUrl === null ? `in ${config.dataDir}` : 'in this database'
  const seen = existsSync('.env') || config.databaseUrl !== null ? '' : ' No .env was found in this folder.'
  return new NoBoardError(
    `There is no board ${place}.${seen} Name the settings of yours with --env-file FILE, ` +
      'or make a new one with --new-board.',
  )
}
