/** Reads the board's tables from PostgreSQL's catalog. */
import type { Client } from 'pg'
import type { TableHead } from './manifest.ts'

/**
 * The board's tables: those of its schema, without Kysely's own and what belongs to an extension.
 * Left out are unlogged ones, whose rows must not be in an archive, and the heads of threads, which
 * are copies of rows.
 */
const TABLES = `
  select c.oid, c.relname as name from pg_class as c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence <> 'u'
    and c.relname not in ('kysely_migration', 'kysely_migration_lock', 'threadHeads')
    and not exists (select from pg_depend as d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

export async function selectTableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`${TABLES} order by 2`)
  return rows.map((row) => row.name)
}

export interface CatalogTable extends Omit<TableHead, 'sequences'> {
  /** PostgreSQL's estimate. */
  readonly rows: number
  /** Size of the table on the disk. */
  readonly bytes: number
  /** Columns numbered by a sequence, with that sequence, quoted. */
  readonly sequences: readonly { readonly column: string; readonly sequence: string }[]
}

/**
 * The tables with their columns except generated ones; each after those that its foreign keys refer
 * to.
 */
export async function selectTables(client: Client): Promise<CatalogTable[]> {
  const { rows } = await client.query<CatalogTable & { readonly refersTo: readonly string[] }>(`
    with tables as (${TABLES}), numbered as (
      select d.refobjid as oid, a.attname as column, d.objid::regclass::text as sequence
      from pg_depend as d
      join pg_class as s on s.oid = d.objid and s.relkind = 'S'
      join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    )
    select t.name, greatest(c.reltuples, 0)::float8 as rows, pg_table_size(t.oid)::float8 as bytes,
      array(
        select a.attname::text from pg_attribute as a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns,
      (
        select coalesce(json_agg(json_build_object('column', n.column, 'sequence', n.sequence) order by n.column), '[]')
        from numbered as n where n.oid = t.oid
      ) as sequences,
      array(
        select r.name::text from pg_constraint as f join tables as r on r.oid = f.confrelid
        where f.conrelid = t.oid and f.contype = 'f' and f.confrelid <> f.conrelid
      ) as "refersTo"
    from tables as t join pg_class as c on c.oid = t.oid order by t.name`)
  return sortByReference(rows)
}

function sortByReference<T extends { readonly name: string; readonly refersTo: readonly string[] }>(
  tables: readonly T[],
): T[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const sorted = new Set<T>()
  const visit = (table: T, path: readonly string[]): void => {
    if (sorted.has(table)) return
    if (path.includes(table.name)) throw new Error(`foreign keys form a cycle: ${[...path, table.name].join(', ')}`)
    for (const name of table.refersTo) visit(byName.get(name)!, [...path, table.name])
    sorted.add(table)
  }
  for (const table of tables) visit(table, [])
  return [...sorted]
}

/** The last migration of the database; null where none ever ran, so that it is not a board's. */
export async function selectSchema(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('kysely_migration') is not null as there`)
  if (!rows[0]!.there) return null
  const last = await client.query<{ name: string | null }>('select max(name) as name from kysely_migration')
  return last.rows[0]!.name
}
