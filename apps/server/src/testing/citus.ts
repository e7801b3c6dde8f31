/**
 * Databases for tests on a Citus cluster. PostgreSQL does not create databases on the workers, so
 * each server creates, copies and drops its own. A server that is no coordinator is the only one.
 */
import pg from 'pg'
import { isStandIn } from './stand-in-cluster.ts'

/** Addresses of a server and, if it is a Citus coordinator, of its workers. */
export async function findServers(server: string): Promise<string[]> {
  return withClient(server, async (client) => {
    const citus = await client.query(`select from pg_extension where extname = 'citus'`)
    if (citus.rows.length === 0) return [server]
    const { rows } = await client.query<{ nodename: string; nodeport: number }>(
      'select nodename, nodeport from pg_dist_node order by groupid <> 0, nodeid',
    )
    return rows.map(({ nodename, nodeport }) => {
      const url = new URL(server)
      url.hostname = nodename
      url.port = String(nodeport)
      return url.href
    })
  })
}

/**
 * Whether the tests run on a cluster or its stand-in, for those about what it has not
 * (docs/scaling.md).
 */
export async function isOnCluster(): Promise<boolean> {
  const given = process.env['TEST_DATABASE_URL']
  return isStandIn || (given !== undefined && (await findServers(given)).length > 1)
}

/** Runs a statement on each server. */
export async function runOnAll(servers: readonly string[], statement: string): Promise<void> {
  await Promise.all(servers.map((server) => withClient(server, (client) => client.query(statement))))
}

/** Adds an empty database to the cluster, on its coordinator and workers. */
export async function joinServers(servers: readonly string[], database: string): Promise<void> {
  const urls = servers.map((server) => inDatabase(server, database))
  await runOnAll(urls, 'create extension citus')
  const [{ hostname, port }, ...workers] = urls.map((url) => new URL(url)) as [URL, ...URL[]]
  await withClient(urls[0]!, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)])
    for (const worker of workers) {
      await client.query('select citus_add_node($1, $2)', [worker.hostname, Number(worker.port)])
    }
  })
}

export async function dropDatabase(servers: readonly string[], database: string): Promise<void> {
  // Citus' background worker does not end by itself while it is starting.
  if (servers.length > 1) await closeToAll(servers, database)
  await runOnAll(servers, `drop database ${database} with (force)`)
}

/**
 * Refuses and ends all connections to a database, Citus' background worker included, so that it can
 * be copied.
 */
export async function closeToAll(servers: readonly string[], database: string): Promise<void> {
  await runOnAll(servers, `alter database ${database} with allow_connections false`)
  await runOnAll(servers, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`)
}

export function inDatabase(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function withClient<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
