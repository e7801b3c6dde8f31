import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isConnectionLost } from '../lib/api-error.ts'
import type { Connections, StatementMeter } from './activity.ts'
import { createTransactionEnds } from './transaction-ends.ts'
import type { Workers } from './workers.ts'

/** PostgreSQL aborts longer statements, so that one bad query cannot block the board. */
const STATEMENT_TIMEOUT_MS = 15_000
/** A server that sends nothing for this long counts as unreachable. */
const QUERY_TIMEOUT_MS = 20_000
/** For work that lifts PostgreSQL's limit: 24 days, the longest that a timer can wait. */
const UNLIMITED_MS = 2 ** 31 - 1
const LIFTS_LIMIT = /^set (?:local )?statement_timeout = 0$/
const SETS_LIMIT_AGAIN = 'reset statement_timeout'
/** How long a query waits for a connection before the request fails with 503. */
const CONNECT_TIMEOUT_MS = 4_000

/**
 * Every statement of the board reads a few rows through an index. PostgreSQL cannot always know
 * that (a search asks bucket by bucket), and starting parallel workers or JIT for each step would
 * take a thousand times as long as the step.
 */
const SESSION_OPTIONS = '-c max_parallel_workers_per_gather=0 -c jit=off'

/** Maximum number of names; there are few texts, because values are parameters. */
const NAMES_MAX = 1_000
/**
 * Longer than any text but those with a parameter for each value of many rows, which occur in
 * hundreds of lengths: prepared, they would take 90 MB of each connection's server.
 */
const PREPARED_CHARS_MAX = 6_000

/**
 * Names of the prepared statements of a pool by text; the server parses and plans each text once
 * per connection.
 */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    if (text.length > PREPARED_CHARS_MAX) return undefined
    let name = names.get(text)
    if (name === undefined) {
      if (names.size >= NAMES_MAX) return undefined
      name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
      names.set(text, name)
    }
    return name
  }
}

export interface PoolOptions {
  /** Maximum connections. */
  readonly size: number
  readonly meter: StatementMeter
  readonly workers: Workers
  /** A short one, for searches. */
  readonly statementTimeoutMs?: number
  readonly queryTimeoutMs?: number
  readonly connectTimeoutMs?: number
  /** Settings of each session, besides those of all. */
  readonly sessionOptions?: string
}

/**
 * Connections to PostgreSQL for Kysely, with every statement prepared. When the server is lost,
 * queries under way are rejected and the next query connects again, so the board answers 503
 * meanwhile and recovers by itself.
 */
export function openPool(
  url: string,
  {
    size,
    meter,
    workers,
    statementTimeoutMs,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    sessionOptions = '',
  }: PoolOptions,
): { readonly pool: PostgresPool; readonly connections: () => Connections } {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    application_name: 'shinobi-ita',
    options: `${SESSION_OPTIONS} ${sessionOptions}`,
    statement_timeout: statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    // A statement is sent although the one before is not answered; only transactions do that.
    pipeline: true,
  })
  // A broken connection rejects its query and is dropped by the pool; without listeners its error
  // would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const nameOf = createNames()
  const measured = {
    async connect() {
      const since = performance.now()
      const client = await pool.connect().catch((error: unknown) => {
        meter.failed(since, error)
        throw error
      })
      const { stream } = client.connection
      /** The error that broke the connection. */
      let broken: Error | null = null
      /** Until the connection is released, at the latest. */
      let isUnlimited = false
      const send = (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        const limit = isUnlimited ? { query_timeout: UNLIMITED_MS } : {}
        return client.query({ name: nameOf(text)!, text, values: values as unknown[], ...limit })
      }
      const transaction = createTransactionEnds(send)
      const query = async (text: string, values: readonly unknown[]) => {
        // A rollback would wait behind the statement that got no answer.
        if (broken !== null) throw broken
        if (text === 'begin') return transaction.begin()
        if (LIFTS_LIMIT.test(text)) isUnlimited = true
        else if (text === SETS_LIMIT_AGAIN) isUnlimited = false
        try {
          return await meter.measure(
            { text, isSearch: statementTimeoutMs !== undefined },
            () => workers.run(text, values, () => inOneWrite(stream, () => transaction.send(text, values))),
            ({ rowCount, rows }) => rowCount ?? rows.length,
          )
        } catch (error) {
          if (isConnectionLost(error)) broken = error as Error
          throw error
        }
      }
      const release = (): void => {
        // A connection that timed out must not be reused by the next query, nor waited for.
        if (broken !== null) stream.destroy()
        client.release(broken !== null)
      }
      return { query, release } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
  return {
    pool: measured as PostgresPool,
    connections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

function inOneWrite<R>(stream: Writable, write: () => R): R {
  stream.cork()
  try {
    return write()
  } finally {
    stream.uncork()
  }
}
