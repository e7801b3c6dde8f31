/**
 * Distributes the tables of a migrated database over a Citus cluster, as distribution.ts defines.
 */
import { sql } from 'kysely'
import type { Db } from './client.ts'
import { distribution, type Placement } from './distribution.ts'
import { inTransaction } from './transaction.ts'

/** Why the tables cannot be distributed; the message is for the operator. */
export class DistributionRefusal extends Error {}

export interface DistributionReport {
  /** Tables that this run distributed. */
  readonly placed: readonly string[]
  /** Tables that were distributed before. */
  readonly kept: readonly string[]
  /** Workers that hold rows. */
  readonly workers: number
}

type Remote = Exclude<Placement, 'coordinator'>

const remoteTables = Object.entries(distribution).filter(
  (entry): entry is [string, Remote] => entry[1] !== 'coordinator',
)

/**
 * Distributes the remaining tables in one transaction, so that it happens completely or not at all.
 * Existing rows are moved; the tables are locked meanwhile. Then they are vacuumed: without that
 * the workers have no statistics to plan by, and the index of grams is an unsorted list at first.
 * @throws DistributionRefusal
 */
export async function distributeTables(db: Db): Promise<DistributionReport> {
  const workers = await countWorkers(db)
  const report = await inTransaction(db, async (tx) => {
    // Needed to change several tables with foreign keys between them in one transaction.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
    const placements = await readPlacements(tx)
    const missing = remoteTables.filter(([table, wanted]) => !isPlaced(table, wanted, placements.get(table)))
    const kept = remoteTables.map(([table]) => table).filter((table) => !missing.some(([name]) => name === table))
    if (missing.length > 0) {
      const keys = await dropForeignKeys(tx)
      // Reference tables come first: distributed tables may refer to them.
      for (const [table] of missing.filter(([, wanted]) => wanted === 'copied')) {
        await sql`select create_reference_table(${name(table)}::regclass)`.execute(tx)
      }
      for (const [table, wanted] of missing) {
        if (wanted !== 'copied') await spread(tx, table, wanted.spreadBy)
      }
      // Copies of an earlier distribution; a server that finds none makes them (thread-heads.ts).
      if (missing.some(([table]) => table === 'threads')) await sql`truncate "threadHeads"`.execute(tx)
      for (const key of keys)
        await sql.raw(`alter table ${key.table} add constraint ${key.name} ${key.definition}`).execute(tx)
    }
    return { placed: missing.map(([table]) => table), kept, workers }
  })
  // Of all, also those of an earlier run: that may have failed here.
  await sql.raw(`vacuum analyze ${remoteTables.map(([table]) => name(table)).join(', ')}`).execute(db)
  return report
}

const name = (table: string): string => `"${table}"`

async function countWorkers(db: Db): Promise<number> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  if (rows.length === 0) {
    throw new DistributionRefusal(
      'This database has no Citus: run "create extension citus" in it on every server first.',
    )
  }
  const nodes = await sql<{ workers: number }>`
    select count(*)::integer as workers from pg_dist_node where shouldhaveshards and isactive and noderole = 'primary'`.execute(
    db,
  )
  const { workers } = nodes.rows[0]!
  if (workers === 0) throw new DistributionRefusal('No worker holds rows: add one with citus_add_node() first.')
  return workers
}

/**
 * Citus's metadata of a table: `h` distributed by the hash of a column, `n` with `t` a reference
 * table, `n` with `s` known but local to the coordinator.
 */
interface Known {
  readonly method: string
  readonly model: string
  readonly column: string | null
}

async function readPlacements(tx: Db): Promise<Map<string, Known>> {
  const { rows } = await sql<Known & { table: string }>`
    select c.relname as table, p.partmethod as method, p.repmodel as model,
      case when p.partkey is not null then column_to_column_name(p.logicalrelid, p.partkey) end as column
    from pg_dist_partition as p join pg_class as c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace`.execute(tx)
  return new Map(rows.map(({ table, ...known }) => [table, known]))
}

function isPlaced(table: string, wanted: Remote, known: Known | undefined): boolean {
  if (known === undefined || (known.method === 'n' && known.model === 's')) return false
  const fits = wanted === 'copied' ? known.method === 'n' && known.model === 't' : known.column === wanted.spreadBy
  if (!fits)
    throw new DistributionRefusal(
      `The table ${name(table)} is spread in another way already: undistribute_table() brings it back.`,
    )
  return true
}

async function spread(tx: Db, table: string, column: string): Promise<void> {
  // Colocated with threads, so that the rows of a thread are on one worker.
  const beside = table === 'threads' ? 'default' : 'threads'
  await sql`select create_distributed_table(${name(table)}::regclass, ${column}::text, colocate_with => ${beside}::text)`.execute(
    tx,
  )
  // The rows were copied to the workers; the local ones are not visible any more.
  await sql`select truncate_local_data_after_distributing_table(${name(table)}::regclass)`.execute(tx)
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/**
 * Citus distributes no table that others refer to. On a board that is distributed already, the
 * pieces that the coordinator has of tables have keys of their own, which Citus looks after.
 */
async function dropForeignKeys(tx: Db): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(key.oid) as definition
    from pg_constraint as key join pg_class as c on c.oid = key.conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
      and c.relname = any(${Object.keys(distribution)})
    order by conname`.execute(tx)
  for (const key of rows) await sql.raw(`alter table ${key.table} drop constraint ${key.name}`).execute(tx)
  return rows
}
