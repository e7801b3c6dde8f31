/** A connection to the board's database that reconnects after each fault. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Sql {
  /**
   * Retries until the database answers. @throws Error on time-out, or when the statement is wrong
   */
  rows<T extends object>(statement: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

const WITHIN_MS = 60_000
const AGAIN_MS = 50
/**
 * SQLSTATE of a wrong statement, for which retries are useless: syntax, unknown names, wrong types.
 */
const WRONG = /^(42|22)/

/** @param urlOf the address, which may change with a restart */
export function openSql(urlOf: () => string): Sql {
  let client: pg.Client | null = null

  async function connected(): Promise<pg.Client> {
    if (client !== null) return client
    const next = new pg.Client({ connectionString: urlOf(), connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
    next.on('error', () => {
      if (client === next) client = null
    })
    await next.connect()
    client = next
    return next
  }

  return {
    async rows<T extends object>(statement: string, values: readonly unknown[] = []) {
      for (const end = performance.now() + WITHIN_MS; ;) {
        try {
          return (await (await connected()).query<T>(statement, [...values])).rows
        } catch (error) {
          void client?.end().catch(() => {})
          client = null
          if (performance.now() > end || WRONG.test(String((error as { code?: unknown }).code))) throw error
          await sleep(AGAIN_MS)
        }
      }
    },
    async close() {
      await client?.end().catch(() => {})
      client = null
    },
  }
}
