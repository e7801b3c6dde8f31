/** The database of a live board, as it was at one moment, in parts of bounded size. */
import pg, { type Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { selectSchema, selectTableNames, selectTables, type CatalogTable } from './catalog.ts'
import type { TableHead } from './manifest.ts'
import { BackupRefusal } from './refusal.ts'

/** A part is held in memory, as tar names an entry's size before its bytes. */
const PART_BYTES = 8 * 1024 * 1024
const LINE_END = 0x0a
/** How long a change of the schema that is under way is waited for. */
const LOCK_WAIT_MS = 60_000

const quote = pg.escapeIdentifier

export interface Snapshot {
  /** The last migration. */
  readonly schema: string
  readonly tables: readonly (TableHead & Pick<CatalogTable, 'rows' | 'bytes'>)[]
}

/** Some whole rows of a table in PostgreSQL's text format for COPY. */
export interface Part {
  readonly bytes: Buffer
  readonly rows: number
}

/**
 * Runs work on one snapshot of the database: whatever is committed before it is in, nothing later is. The board goes on
 * meanwhile; only changes of its schema wait.
 * @throws BackupRefusal when the database holds no board
 */
export async function inSnapshot<T>(client: Client, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  if ((await selectSchema(client)) === null) {
    throw new BackupRefusal('The database holds no board: it was never set up by a start.')
  }
  const names = await selectTableNames(client)
  // Ends with the connection.
  await client.query('begin isolation level repeatable read, read only')
  // Before the first query takes the snapshot: no change of the schema can come in between.
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
  await client.query(`lock table ${['kysely_migration', ...names].map(quote).join(', ')} in access share mode`)
  const schema = (await selectSchema(client))!
  const tables = []
  for (const table of await selectTables(client)) {
    tables.push({ ...table, sequences: await readSequences(client, table) })
  }
  return work({ schema, tables })
}

/** Sequences know no snapshot: read after it was taken, their values are beyond those of its rows. */
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

/** The rows of a table, in no order. */
export async function* dumpTable(client: Client, { name, columns }: TableHead): AsyncGenerator<Part, void> {
  const selected = `select ${columns.map(quote).join(', ')} from ${quote(name)}`
  const stream = client.query(copyTo(`copy (${selected}) to stdout`))
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    // A line end within a value is written as \n, so each one in the stream ends a row.
    const bytes = Buffer.concat(chunks)
    const end = bytes.lastIndexOf(LINE_END) + 1
    chunks = [bytes.subarray(end)]
    size -= end
    if (end > 0) yield toPart(bytes.subarray(0, end))
  }
  if (size > 0) yield toPart(Buffer.concat(chunks))
}

const toPart = (bytes: Buffer): Part => ({ bytes, rows: countRows(bytes) })

/** How many rows end in these bytes of a dump. */
export function countRows(bytes: Buffer): number {
  let rows = 0
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) rows += 1
  return rows
}
