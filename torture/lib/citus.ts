/** A Citus cluster under torture: its servers, the lines to its workers, and where threads are. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { distributeTables } from '../../apps/server/src/db/distribute.ts'
import { migrateToLatest } from '../../apps/server/src/db/migrate.ts'
import { onEnd } from '../../bench/lib/cleanup.ts'
import { withPool } from '../../bench/lib/large-board.ts'
import { openLine, type Line } from './line.ts'
import { findLocalPostgres, type OwnPostgres } from './local-postgres.ts'
import type { Sql } from './sql.ts'

/** A worker as the coordinator knows it. */
export interface Worker {
  readonly nodeId: number
  /** What placements of shards name (`groupid`). */
  readonly id: number
  readonly host: string
  readonly port: number
}

export interface LocalWorker {
  readonly server: OwnPostgres
  /** Everything between other servers and this worker. */
  readonly line: Line
}

/** Servers of this machine, which may be killed and cut off. */
export interface LocalServers {
  readonly coordinator: OwnPostgres
  readonly workers: ReadonlyMap<Worker['id'], LocalWorker>
}

export interface Citus {
  readonly workers: readonly Worker[]
  /** Null when a server is on another machine, or of another user. */
  readonly local: LocalServers | null
}

/** A shard takes seconds to move; several tables have four and more. */
const REBALANCE_MS = 300_000
const AGAIN_MS = 500

/** Why the database cannot be used; null when it is empty and has workers. */
export async function whyNoCluster(url: string): Promise<string | null> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ hasCitus: boolean; isEmpty: boolean }>(
      `select to_regclass('pg_dist_node') is not null as "hasCitus", to_regclass('threads') is null as "isEmpty"`,
    ),
  )
  if (!rows[0]!.isEmpty) return 'the database of --citus-url is not empty'
  if (!rows[0]!.hasCitus) return 'the database of --citus-url has no Citus'
  const { length } = await readWorkers(url)
  return length < 2 ? `the coordinator knows ${length} workers, and two are needed` : null
}

async function readWorkers(url: string): Promise<Worker[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<Worker>(
      `select nodeid as "nodeId", groupid as id, nodename as host, nodeport as port from pg_dist_node
       where isactive and shouldhaveshards and noderole = 'primary' and groupid <> 0 order by groupid`,
    ),
  )
  return rows
}

/** Distributes an empty board, and puts a line before each worker of this machine. */
export async function openCitus(url: string): Promise<Citus> {
  await withPool(url, async (_, db) => {
    await migrateToLatest(db)
    await distributeTables(db)
  })
  const workers = await readWorkers(url)
  return { workers, local: await openLocal(url, workers) }
}

async function openLocal(url: string, workers: readonly Worker[]): Promise<LocalServers | null> {
  const coordinator = await findLocalPostgres(url)
  if (coordinator === null) return null
  const local = new Map<Worker['id'], LocalWorker>()
  const lines: Worker[] = []
  for (const worker of workers) {
    const server = await findLocalPostgres(addressOf(url, worker))
    if (server === null) return null
    const line = await openLine(worker.host, worker.port)
    onEnd(line.close)
    local.set(worker.id, { server, line })
    lines.push({ ...worker, host: '127.0.0.1', port: line.port })
  }
  onEnd(() => relocate(url, workers))
  await relocate(url, lines)
  return { coordinator, workers: local }
}

function addressOf(url: string, { host, port }: Worker): string {
  const address = new URL(url)
  address.hostname = host
  address.port = String(port)
  return address.href
}

/** Makes the cluster reach its workers at these addresses. */
async function relocate(url: string, workers: readonly Worker[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const { nodeId, host, port } of workers)
      await client.query('select citus_update_node($1, $2, $3)', [nodeId, host, port])
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The worker of each thread. */
export async function placesOf(sql: Sql, threadIds: readonly string[]): Promise<Map<string, Worker['id']>> {
  const rows = await sql.rows<{ threadId: string; worker: number }>(
    `select thread as "threadId", groupid as worker
     from unnest($1::uuid[]) as thread
       join pg_dist_placement on shardid = get_shard_id_for_distribution_column('threads', thread)`,
    [threadIds],
  )
  return new Map(rows.map(({ threadId, worker }) => [threadId, worker]))
}

/** Moves all shards away from a worker, or its share to it again. */
export async function moveShards(sql: Sql, { nodeId }: Worker, to: 'others' | 'all'): Promise<void> {
  await sql.rows(
    `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', $2) from pg_dist_node where nodeid = $1`,
    [nodeId, to === 'all'],
  )
  const [job] = await sql.rows<{ id: string | null }>(
    `select citus_rebalance_start(rebalance_strategy := 'by_shard_count') as id`,
  )
  // There was nothing to move.
  if (job!.id === null) return
  for (const end = performance.now() + REBALANCE_MS; ;) {
    const [{ state } = { state: 'missing' }] = await sql.rows<{ state: string }>(
      'select state::text from pg_dist_background_job where job_id = $1',
      [job!.id],
    )
    if (state === 'finished') return
    if (/^(failed|cancelled|missing)$/.test(state) || performance.now() > end)
      throw new Error(`the rebalance did not finish: ${state}`)
    await sleep(AGAIN_MS)
  }
}

/**
 * Ends transactions whose second phase a fault prevented. Citus does so by itself once a minute,
 * which is longer than the checks wait for a post. @returns how many
 */
export async function endPrepared(sql: Sql): Promise<number> {
  const [recovered] = await sql.rows<{ count: number }>('select recover_prepared_transactions() as count')
  return recovered!.count
}
