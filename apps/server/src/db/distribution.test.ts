import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { isOnCluster } from '../testing/citus.ts'
import { isStandIn, standInForCluster } from '../testing/stand-in-cluster.ts'
import { distributeTables, DistributionRefusal } from './distribute.ts'
import { distribution } from './distribution.ts'

const onCluster = await isOnCluster()

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const columnOf = (table: string): string | null => {
  const placement = distribution[table as keyof typeof distribution]
  return typeof placement === 'object' ? placement.spreadBy : null
}
const spread = Object.keys(distribution).filter((table) => columnOf(table) !== null)

describe('the placement of tables', () => {
  it('names every table of the schema, and nothing else', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
        and relname not like 'kysely%'`.execute(database.db)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(distribution).toSorted())
  })

  it('distributes tables by a column that each of their unique keys contains', async () => {
    const { rows } = await sql<{ table: string; key: string; columns: string[] }>`
      select c.relname as table, i.indexrelid::regclass::text as key, (
        select coalesce(json_agg(a.attname), '[]') from pg_attribute as a
        where a.attrelid = c.oid and a.attnum = any (i.indkey::smallint[])
      ) as columns
      from pg_index as i join pg_class as c on c.oid = i.indrelid
      where i.indisunique and c.relnamespace = current_schema()::regnamespace`.execute(database.db)
    for (const table of spread) {
      const keys = rows.filter((row) => row.table === table)
      expect(keys).not.toEqual([])
      expect(keys.filter(({ columns }) => !columns.includes(columnOf(table)!))).toEqual([])
    }
  })

  it('lets distributed tables refer to reference tables only, and reference tables to nothing placed elsewhere', async () => {
    const { rows } = await sql<{ from: string; to: string }>`
      select own.relname as from, other.relname as to
      from pg_constraint as key join pg_class as own on own.oid = key.conrelid join pg_class as other on other.oid = key.confrelid
      where key.contype = 'f' and own.relnamespace = current_schema()::regnamespace`.execute(database.db)
    const placements: Readonly<Record<string, unknown>> = distribution
    const from = rows.filter((row) => placements[row.from] !== 'coordinator')
    expect(from.filter(({ to }) => placements[to] !== 'copied')).toEqual([])
    expect(rows.filter(({ to }) => columnOf(to) !== null)).toEqual([])
  })

  it('leaves tables with a trigger on the coordinator', async () => {
    const { rows } = await sql<{ table: string }>`
      select c.relname as table from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace`.execute(database.db)
    const placements: Readonly<Record<string, unknown>> = distribution
    expect(rows).toContainEqual({ table: 'auditLog' })
    expect(rows.filter(({ table }) => placements[table] !== 'coordinator')).toEqual([])
  })
})

/** How the migrations that a distributed board may still have to run alter tables. */
function listAlterations(): string[] {
  const folder = join(import.meta.dirname, 'migrations')
  const later = readdirSync(folder).filter((name) => !name.startsWith('0001'))
  return later.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    const [up = ''] = source.split('export async function down')
    return Array.from(up.matchAll(/sql`([^`]*)`/g), ([, statement = '']) => statement.replace(/\s+/g, ' ').trim())
      .filter((statement) => statement.startsWith('alter table'))
      .map((statement) => `${name}: ${statement}`)
  })
}

describe('migrations', () => {
  it('change a distributed table as Citus can: each constraint is a statement of its own', () => {
    const alterations = listAlterations()
    expect(alterations.length).toBeGreaterThan(10)
    const combined = alterations.filter(
      (statement) =>
        /\badd column\b.*\b(?:check|references|unique) ?\(/.test(statement) ||
        (/ constraint /.test(statement) && statement.split(/, ?(?=(?:add|drop|alter) )/).length > 1),
    )
    expect(combined).toEqual([])
  })
})

describe('distributing', () => {
  it.skipIf(onCluster)('is refused without Citus, and changes nothing', async () => {
    await expect(distributeTables(database.db)).rejects.toThrow(DistributionRefusal)
  })

  it('is done once, but each run vacuums, because that of an earlier one may have failed', async () => {
    if (!onCluster) await standInForCluster(database.db)
    const { placed, kept } = await distributeTables(database.db)
    expect(placed).toEqual([])
    expect(kept).toEqual(expect.arrayContaining(spread))
    // -1 before a table is vacuumed for the first time.
    const rows = sql<{ tuples: number }>`
      select reltuples::float8 as tuples from pg_class where relkind = 'r' and relname = any(${spread})`
    const shards = sql<{ tuples: number }>`
      select result::float8 as tuples
      from run_command_on_shards('posts', 'select reltuples from pg_class where oid = ''%s''::regclass')`
    const isReal = onCluster && !isStandIn
    const counted = (await (isReal ? shards : rows).execute(database.db)).rows
    for (const { tuples } of counted) expect(tuples).toBeGreaterThan(-1)
  })
})
