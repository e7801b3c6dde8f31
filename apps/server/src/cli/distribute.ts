/**
 * `npm run db:distribute`: distributes the board over a Citus cluster, once its coordinator knows
 * its workers. Existing rows are moved. Running it again does what is left to do, for instance
 * after an update with another table.
 */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DistributionRefusal, distributeTables, type DistributionReport } from '../db/distribute.ts'
import { migrateToLatest } from '../db/migrate.ts'
import type { Tables } from '../db/tables.ts'
import { configFor, ENV_FILE_HELP, ENV_FILE_OPTION, nameBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram } from './program.ts'

const HELP = `usage: npm run db:distribute [-- --env-file FILE]

${ENV_FILE_HELP}

Spreads the tables that grow with posts over the workers of a Citus cluster, by thread, and copies those they are joined with to every
server. DATABASE_URL names the cluster's coordinator, which knows its workers already (citus_add_node). Stop the servers of the board
first, and start them again afterwards: each asks once, at its start, how the tables lie. docs/scaling.md tells more.`

/** Null for the help. */
function readWanted(): BoardArguments | null {
  const options = { ...ENV_FILE_OPTION, help: { type: 'boolean', short: 'h' } } as const
  const { values } = readArguments({ options })
  return values.help === true ? null : values
}

async function run(values: BoardArguments): Promise<string> {
  const config = configFor(values)
  nameBoard(config)
  const { databaseUrl } = config
  if (databaseUrl === null) {
    throw new DistributionRefusal('Setting DATABASE_URL is missing: the database in DATA_DIR cannot be spread.')
  }
  // A separate connection without the server's statement time-out, because moving a large board
  // takes longer.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: 'shinobi-ita' })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrateToLatest(db)
    return describe(await distributeTables(db))
  } finally {
    await db.destroy()
  }
}

function describe({ placed, kept, workers }: DistributionReport): string {
  const over = `over ${workers} ${workers === 1 ? 'worker' : 'workers'}`
  if (placed.length === 0) return `All ${kept.length} tables are spread ${over} or copied already.`
  const before = kept.length === 0 ? '' : ` ${kept.length} were before.`
  return `Spread ${over}, or copied to all: ${placed.join(', ')}.${before} Start the servers of the board again.`
}

await runProgram({ help: HELP, read: readWanted, run, refusals: [DistributionRefusal] })
