import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../testing/log-lines.ts'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { logOfRequests, runInRequest } from '../telemetry/request-log.ts'
import { watchDatabase } from '../telemetry/database.ts'
import type { Statement } from './activity.ts'
import { openDatabase } from './client.ts'
import { createSlowQueries } from './slow-queries.ts'

describe('the log of slow queries', () => {
  const statement = (text: string, milliseconds: number, error: unknown = null): Statement => ({
    ...{ text, milliseconds, error, isSearch: false },
    rows: 3,
  })
  function open(slowMs: number) {
    const log = openLog()
    return { lines: log.lines, slow: createSlowQueries(pino({}, log), slowMs) }
  }

  it('has the statement, its duration and its number of rows', () => {
    const { lines, slow } = open(100)
    slow.see(statement('select 1', 99))
    slow.see(statement('select *\n  from posts\n  where id = $1', 100.4))
    expect(lines).toMatchObject([
      { level: 40, msg: 'slow query', sql: 'select * from posts where id = $1', ms: 100, rows: 3 },
    ])
    expect(slow.count()).toBe(1)
  })

  it('says when the query failed, and cuts repetitive texts', () => {
    const { lines, slow } = open(100)
    slow.see(statement(`insert ${'($1, $2), '.repeat(1_000)}`, 200, new Error('too late')))
    expect(lines[0]).toMatchObject({ failed: true })
    expect(lines[0]!['sql']).toHaveLength(2_000)
  })

  it('is empty when it is off', () => {
    const { lines, slow } = open(0)
    slow.see(statement('select 1', 60_000))
    expect(lines).toEqual([])
  })
})

describe('the activity of a database', () => {
  const log = openLog()
  const metrics = new Registry()
  let database: TestDatabase
  let watch: { close(): void }
  beforeAll(async () => {
    database = await openTestDatabase()
    const { activity, workers } = database
    watch = watchDatabase({ activity, workers, metrics, log: logOfRequests(pino({}, log)), slowMs: 50 })
  })
  afterAll(async () => {
    watch.close()
    await database.close()
  })
  const figure = async (name: string): Promise<Record<string, number>> => {
    const { values } = (await metrics.getSingleMetric(name)!.get()) as {
      values: { metricName?: string; labels: Record<string, string>; value: number }[]
    }
    return Object.fromEntries(
      values.map(({ metricName, labels, value }) => [
        [metricName ?? '', ...Object.values(labels)].join(' ').trim(),
        value,
      ]),
    )
  }

  it('logs slow queries with their request, and without their values', async () => {
    await new Promise<void>((resolve, reject) => {
      runInRequest(pino({}, log).child({ requestId: 'kaede-0001' }), () => {
        sql`select pg_sleep(${0.06}), ${'a secret'}::text as secret`.execute(database.db).then(() => resolve(), reject)
      })
    })
    expect(log.lines).toMatchObject([
      { msg: 'slow query', sql: 'select pg_sleep($1), $2::text as secret', rows: 1, requestId: 'kaede-0001' },
    ])
    expect(log.lines[0]!['ms']).toBeGreaterThanOrEqual(60)
    expect(JSON.stringify(log.lines)).not.toContain('a secret')
  })

  it('counts queries, and failures by cause', async () => {
    const before = await figure('shinobi_database_query_seconds')
    const { db } = database
    await db.selectFrom('categories').select('id').execute()
    await expect(sql`select nothing from nowhere`.execute(db)).rejects.toThrow('nowhere')
    const all = ['id', 'name', 'description', 'position', 'createdAt'] as const
    const again = db.insertInto('categories').columns(all).expression(db.selectFrom('categories').select(all).limit(1))
    await expect(again.execute()).rejects.toThrow('duplicate key')
    const after = await figure('shinobi_database_query_seconds')
    const count = 'shinobi_database_query_seconds_count'
    expect(after[count]! - before[count]!).toBe(3)
    expect(await figure('shinobi_database_errors_total')).toEqual({ away: 0, cut_off: 0, rule: 1, other: 1 })
    // On a busy machine other queries may be slow, too.
    expect((await figure('shinobi_database_slow_queries_total'))['']).toBeGreaterThanOrEqual(1)
  })

  it('does not count a search that takes too long as a database that is away', async () => {
    const before = await figure('shinobi_database_errors_total')
    const search = database.searching.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 20`.execute(tx)
      await sql`select pg_sleep(60)`.execute(tx)
    })
    await expect(search).rejects.toThrow('statement timeout')
    expect(await figure('shinobi_database_errors_total')).toEqual({ ...before, cut_off: before['cut_off']! + 1 })
  })

  it('counts connections', async () => {
    const connections = await figure('shinobi_database_connections')
    expect(connections).toEqual({ busy: 0, idle: expect.any(Number), waiting: 0 })
  })

  it('counts an unreachable database as such, although no query began', async () => {
    // Nothing listens on port 1.
    const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' })
    const seen: Statement[] = []
    const ignore = away.activity.watch((statement) => seen.push(statement))
    await expect(sql`select 1`.execute(away.db)).rejects.toThrow('ECONNREFUSED')
    ignore()
    await away.close()
    expect(seen).toMatchObject([{ text: 'connect', rows: 0, error: { code: 'ECONNREFUSED' } }])
  })
})
