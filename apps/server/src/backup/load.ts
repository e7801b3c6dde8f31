/** Loads the parts of an archive into a database without a board. */
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg, { type Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '../db/client.ts'
import { isDistributed } from '../db/distribution.ts'
import { findUsedTables } from '../db/empty-board.ts'
import { currentName, migrateTo, migrateToNothing, REPLACED, type Migrations } from '../db/migrate.ts'
import type { Tables } from '../db/tables.ts'
import { selectTables } from './catalog.ts'
import type { Head, Manifest } from './manifest.ts'
import { BackupRefusal } from './refusal.ts'

const quote = pg.escapeIdentifier

/** Memory for building an index; sorting on the disk takes several times as long. */
const INDEX_MEMORY = '256MB'

export interface Loading {
  /** The transaction, for further work in it. */
  readonly db: Db
  /** Loads one part of a table. */
  load(table: string, body: AsyncIterable<Buffer>): Promise<void>
  /**
   * Builds indexes, sets sequences, and migrates the schema. @throws BackupRefusal when a table has
   * fewer or more rows than the archive says
   */
  finish(manifest: Manifest): Promise<void>
  /** Tables of the archive that are none of the board's, so that they are not loaded. */
  readonly leftOut: readonly string[]
}

/**
 * Loads in one transaction, so that a failure leaves the database as it was.
 * @throws BackupRefusal when this version cannot make the archive's schema, or the database
 *   contains a board or is in use
 */
export async function inLoading<T>(
  client: Client,
  head: Head,
  migrations: Migrations,
  work: (loading: Loading) => Promise<T>,
): Promise<T> {
  refuseUnknown(head, migrations)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(client) }) })
  return db.transaction().execute(async (tx) => {
    await refuseUsed(tx)
    await sql`select set_config('maintenance_work_mem', ${INDEX_MEMORY}, true)`.execute(tx)
    // Create the archive's own schema first, because its rows fit no other.
    await migrateToNothing(tx, migrations)
    await migrateTo(tx, currentName(head.schema), migrations)
    return work(await prepareTables(tx, client, head, migrations))
  })
}

function refuseUnknown({ schema, version }: Head, migrations: Migrations): void {
  if (Object.hasOwn(migrations, currentName(schema))) return
  if (REPLACED.includes(schema)) {
    throw new BackupRefusal(
      `The archive was written by version ${version} with the schema ${schema}, from before 0.2.0: ` +
        'restore it with version 0.2.0, then update the board.',
    )
  }
  throw new BackupRefusal(
    `The archive was written by version ${version} with the schema ${schema}, which this version does not know ` +
      `(its newest is ${newestOf(migrations)}): update the board first.`,
  )
}

const newestOf = (migrations: Migrations): string => Object.keys(migrations).toSorted().at(-1)!

async function refuseUsed(tx: Db): Promise<void> {
  const servers = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'shinobi-ita' and pid <> pg_backend_pid()`.execute(
    tx,
  )
  if (servers.rows.length > 0) {
    throw new BackupRefusal('The board is running on this database: stop its servers first.')
  }
  if (await isDistributed(tx)) {
    throw new BackupRefusal(
      'The tables of this database are spread over Citus: restore into a plain one, then spread it.',
    )
  }
  const used = await findUsedTables(tx)
  if (used.length > 0) {
    throw new BackupRefusal(
      `The database is not empty (${used.slice(0, 3).join(', ')}${used.length > 3 ? ', …' : ''}): a restore takes an empty one.`,
    )
  }
}

/** Empties the tables of the new schema, and drops their indexes until all rows are loaded. */
async function prepareTables(tx: Db, client: Client, head: Head, migrations: Migrations): Promise<Loading> {
  const there = new Map((await selectTables(client)).map((table) => [table.name, table]))
  const wanted = head.tables.filter(({ name }) => there.has(name))
  for (const { name, columns } of wanted) {
    const unknown = columns.find((column) => !there.get(name)!.columns.includes(column))
    if (unknown === undefined) continue
    throw new BackupRefusal(`The archive cannot be loaded: its table ${name} has a column ${unknown} of its own.`)
  }
  // Rows inserted by migrations are in the archive as well, or were deleted since. Tables in
  // reverse order, because of foreign keys.
  for (const { name } of [...there.values()].toReversed()) {
    // Skip empty tables: the trigger of the log forbids the statement itself.
    const some = await client.query(`select from ${quote(name)} limit 1`)
    if (some.rows.length > 0) await client.query(`delete from ${quote(name)}`)
  }
  const indexes = await dropIndexes(client)
  const columns = new Map(wanted.map((table) => [table.name, table.columns]))
  const loaded = new Map(wanted.map(({ name }) => [name, 0]))

  return {
    db: tx,
    leftOut: head.tables.filter(({ name }) => !there.has(name)).map(({ name }) => name),
    async load(table, body) {
      const names = columns.get(table)
      if (names === undefined) {
        for await (const _ of body);
        return
      }
      // FREEZE saves a rewrite of the table later; it is allowed because this transaction created
      // the table.
      const stream = client.query(
        copyFrom(`copy ${quote(table)} (${names.map(quote).join(', ')}) from stdin with (freeze)`),
      )
      await pipeline(body, stream)
      loaded.set(table, loaded.get(table)! + stream.rowCount)
    },
    async finish(manifest) {
      for (const [name, rows] of loaded) {
        if (manifest.tables[name]?.rows !== rows) {
          throw new BackupRefusal(`The archive is damaged: ${name} has fewer or more rows than were written.`)
        }
      }
      for (const index of indexes) await client.query(index)
      for (const { name, sequences } of wanted) {
        for (const { column, value, isCalled } of sequences) {
          await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
            ...[quote(name), column, value, isCalled],
          ])
        }
      }
      await migrateTo(tx, newestOf(migrations), migrations)
      // Update the planner's statistics now; autovacuum would do so only a minute later.
      await client.query('analyze')
    },
  }
}

/**
 * Drops all indexes but those of keys; building them after the rows is faster. @returns statements
 * that create them
 */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index as i join pg_class as c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and not exists (select from pg_constraint as k where k.conindid = i.indexrelid)
      and c.relname not in ('kysely_migration', 'kysely_migration_lock')
    order by 1`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map((row) => row.definition)
}

/** One connection as the pool of a Kysely, so that COPY runs in its transaction. */
const poolOf = (client: Client): PostgresPool => ({
  options: {},
  connect: async () => {
    const query = (text: string, values: readonly unknown[]) => client.query(text, [...values])
    return { query, release: () => {} } as unknown as PostgresPoolClient
  },
  end: async () => {},
})
