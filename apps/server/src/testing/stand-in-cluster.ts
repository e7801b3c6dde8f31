/**
 * One PostgreSQL that the board takes for a Citus cluster, because it has Citus's catalogue: two
 * workers that have two shards each. Tests with TEST_STAND_IN_CLUSTER=1 send the statements for a
 * cluster, so that everybody can test these without one. A cluster also refuses some statements,
 * which only the tests on a real one show (CONTRIBUTING.md).
 */
import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { distribution } from '../db/distribution.ts'

export const isStandIn = process.env['TEST_STAND_IN_CLUSTER'] === '1'

/** Citus's system tables and functions, as far as the board uses them. */
const CATALOGUE = [
  // As Citus's own, they are no tables of the board.
  'set local allow_system_table_mods = on',
  `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
     values (1, 'citus', 10, 'pg_catalog'::regnamespace, false, '0')`,
  'create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text, repmodel "char")',
  `create function pg_catalog.column_to_column_name(regclass, text) returns text language sql as 'select $2'`,
  'create table pg_catalog.pg_dist_placement (shardid bigint, groupid integer)',
  'insert into pg_dist_placement values (0, 1), (1, 2), (2, 1), (3, 2)',
  `create table pg_catalog.pg_dist_node
     (groupid integer, nodename text, nodeport integer, isactive boolean, shouldhaveshards boolean, noderole text)`,
  `insert into pg_dist_node values (1, 'one', 5432, true, true, 'primary'), (2, 'other', 5432, true, true, 'primary')`,
  `create function pg_catalog.get_shard_id_for_distribution_column(regclass, uuid) returns bigint
     language sql immutable as 'select uuid_hash($2)::bigint & 3'`,
  `create function pg_catalog.citus_check_connection_to_node(text, integer) returns boolean
     language sql as 'select true'`,
  `create view pg_catalog.citus_lock_waits as
     select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
]

/** Makes a migrated database a stand-in. Its user must be a superuser. */
export async function standInForCluster(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const statement of CATALOGUE) await sql.raw(statement).execute(tx)
    for (const [table, placement] of Object.entries(distribution)) {
      if (placement === 'coordinator') continue
      const [method, column, model] = placement === 'copied' ? ['n', null, 't'] : ['h', placement.spreadBy, 's']
      await sql`
        insert into pg_dist_partition values (quote_ident(${table})::regclass, ${method}, ${column}, ${model})`.execute(
        tx,
      )
    }
  })
}
