/** Dumps the database of a live board from one snapshot, in parts of limited size. */
import pg, { type Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { selectSchema, selectTableNames, selectTables, type CatalogTable } from './catalog.ts'
import type { TableHead } from './manifest.ts'
import { BackupRefusal } from './refusal.ts'

/** A part is buffered in memory, because tar writes an entry's size before its bytes. */
const PART_BYTES = 8 * 1024 * 1024
const LINE_END = 0x0a
/** Longest wait for a schema change under way. */
const LOCK_WAIT_MS = 60_000

const quote = pg.escapeIdentifier

export interface Snapshot {
  /** The last migration. */
  readonly schema: string
  readonly tables: readonly (TableHead & Pick<CatalogTable, 'rows' | 'bytes'>)[]
}

/** Whole rows of a table in PostgreSQL's text format for COPY. */
export interface Part {
  readonly bytes: Buffer
  readonly rows: number
}

/**
 * Runs work on one snapshot of the database: everything committed before it is included, and
 * nothing later. The board goes on meanwhile; only schema changes wait.
 * @throws BackupRefusal when the database contains no board
 */
export async function inSnapshot<T>(client: Client, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  if ((await selectSchema(client)) === null) {
    throw new BackupRefusal('The database holds no board: it was never set up by a start.')
  }
  const names = await selectTableNames(client)
  // The transaction ends with the connection.
  await client.query('begin isolation level repeatable read, read only')
  // Before the first query, which takes the snapshot, so that no schema change can come in between.
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
  await client.query(`lock table ${['kysely_migration', ...names].map(quote).join(', ')} in access share mode`)
  const schema = (await selectSchema(client))!
  const tables = []
  for (const table of await selectTables(client)) {
    tables.push({ ...table, sequences: await readSequences(client, table) })
  }
  return work({ schema, tables })
}

/**
 * Sequences are not part of snapshots: read after it was taken, their values are at least those of
 * its rows.
 */
async function readSequences(client: Client, { sequences }: CatalogTable): Promise<TableHead['sequences']> {
  const states = []
  for (const { column, sequence } of sequences) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${sequence}`,
    )
    states.push({ column, ...rows[0]! })
  }
  return states
}

/** The rows of a table, in no particular order. */
export async function* dumpTable(client: Client, { name, columns }: TableHead): AsyncGenerator<Part, void> {
  const selected = `select ${columns.map(quote).join(', ')} from ${quote(name)}`
  const stream = client.query(copyTo(`copy (${selected}) to stdout`))
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    // A line end within a value is written as \n, so each real one ends a row.
    const bytes = Buffer.concat(chunks)
    const end = bytes.lastIndexOf(LINE_END) + 1
    chunks = [bytes.subarray(end)]
    size -= end
    if (end > 0) yield toPart(bytes.subarray(0, end))
  }
  if (size > 0) yield toPart(Buffer.concat(chunks))
}

const toPart = (bytes: Buffer): Part => ({ bytes, rows: countRows(bytes) })

/** Number of rows that end in these bytes of a dump. */
export function countRows(bytes: Buffer): number {
  let rows = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) rows += 1
  return rows
}
