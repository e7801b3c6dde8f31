/**
 * A board that reads from a streaming replica of its PostgreSQL, while the replica lags or is down,
 * and while the primary is down.
 */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sql } from 'kysely'
import pg from 'pg'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { decodeCp932 } from '@shinobi/dat/cp932'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { openDatabase, type Database, type Db } from './db/client.ts'
import { migrateToLatest } from './db/migrate.ts'
import { followReplica } from './db/replica.ts'
import { selectThreadKeys } from './features/threads/thread-keys.queries.ts'
import { giveLevel, openBoard, startThread, visit, writeTo, type Board, type Guest } from './testing/board.ts'
import { gateTo, through } from './testing/outside/gate.ts'
import { ask } from './testing/wire.ts'

/** The tests start two clusters of their own, so one run without TEST_DATABASE_URL is enough. */
const hasPostgres = process.env['TEST_DATABASE_URL'] !== undefined
const soon = { timeout: 60_000, interval: 20 }

describe.runIf(hasPostgres)('a board with a replica', () => {
  type Cluster = Awaited<ReturnType<typeof startPostgres>>
  let original: Cluster
  let copy: Cluster
  let running: Set<Cluster>
  let atCopy: pg.Client
  let database: Database
  let board: Board
  let kaede: Guest

  beforeEach(async () => {
    original = await startPostgres()
    copy = await startPostgres({ replicaOf: original.url })
    running = new Set([original, copy])
    atCopy = new pg.Client({ connectionString: copy.url })
    atCopy.on('error', () => {})
    await atCopy.connect()
    database = openDatabase({ url: original.url, replicaUrl: copy.url })
    await migrateToLatest(database.db)
    board = await openBoard({}, database)
    kaede = visit(board)
  })
  afterEach(async () => {
    await board.close()
    await database.close()
    await atCopy.end()
    // The replica first: a primary that stops waits until the replica has received everything.
    for (const cluster of [copy, original]) if (running.has(cluster)) await cluster.stop()
  })

  async function takeAway(cluster: Cluster): Promise<void> {
    running.delete(cluster)
    await cluster.stop()
  }

  async function textsOf(thread: Thread): Promise<string[]> {
    const answer = await kaede.get<Post[]>(`/api/threads/${thread._id}/posts`)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body.map(({ content }) => content)
  }
  const titles = async (): Promise<string[]> =>
    (await kaede.get<ThreadItem[]>('/api/threads')).body.map(({ title }) => title)

  /** Requests an answer without any cache, and returns whether a table of the replica was read. */
  async function isMadeAtCopy(path: string, table: string): Promise<boolean> {
    const scans = async (): Promise<string> => {
      // Counts 0 for a table that has not been replicated yet.
      const text = `select coalesce(sum(idx_scan + seq_scan), 0)::text as count from pg_stat_all_tables where relname = $1`
      return (await atCopy.query<{ count: string }>(text, [table])).rows[0]!.count
    }
    const before = await scans()
    board.deps.cache.clear()
    expect((await kaede.get(path)).status).toBe(200)
    return (await scans()) !== before
  }
  const isReadAtCopy = ({ _id }: Thread): Promise<boolean> =>
    isMadeAtCopy(`/api/threads/${_id}/posts?after=0&limit=100`, 'posts')

  it('reads data from the replica that has not changed lately, and from the primary when the replica is down', async () => {
    const thread = await startThread(kaede, { title: '静かな夜' })
    await vi.waitUntil(() => isReadAtCopy(thread), soon)
    await takeAway(copy)
    expect(await textsOf(thread)).toEqual(['綺麗ですね'])
    await writeTo(kaede, thread, '独りでも')
    expect(await textsOf(thread)).toEqual(['綺麗ですね', '独りでも'])
  })

  it('shows new posts at once, however far the replica lags behind', async () => {
    const old = await startThread(kaede, { title: '古い巻物' })
    await vi.waitUntil(() => isReadAtCopy(old), soon)
    await atCopy.query('select pg_wal_replay_pause()')
    const thread = await startThread(kaede, { title: '遅れる影' })
    expect(await textsOf(thread)).toEqual(['綺麗ですね'])
    await writeTo(kaede, thread, 'すぐに見える')
    expect(await textsOf(thread)).toEqual(['綺麗ですね', 'すぐに見える'])
    board.clock.now += 1_100
    expect(await titles()).toContain('遅れる影')
    // The replica lacks the new thread, and is still read for older data.
    expect((await atCopy.query(`select 1 from threads where title = '遅れる影'`)).rowCount).toBe(0)
    await vi.waitUntil(() => isReadAtCopy(old), soon)
    await atCopy.query('select pg_wal_replay_resume()')
    await vi.waitUntil(() => isReadAtCopy(thread), soon)
    expect(await textsOf(thread)).toEqual(['綺麗ですね', 'すぐに見える'])
  })

  it('shows browsers of 2ch new threads, posts and removals at once, however far the replica lags behind', async () => {
    const old = await startThread(kaede, { title: '古い巻物' })
    await vi.waitUntil(() => isReadAtCopy(old), soon)
    await atCopy.query('select pg_wal_replay_pause()')
    const datOf = async ({ _id, category, categoryId }: Thread) => {
      const keys = await selectThreadKeys(database.db, [_id], categoryId)
      const { status, bytes } = await ask(`${await board.listen()}/${category}/dat/${keys.get(_id)}.dat`)
      return status === 200 ? decodeCp932(bytes).split('\n').length - 1 : status
    }
    const thread = await startThread(kaede, { title: '遅れる影' })
    expect(await datOf(thread)).toBe(1)
    await writeTo(kaede, old, 'すぐに見える')
    expect(await datOf(old)).toBe(2)
    const posts = (await kaede.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    expect((await kaede.delete(`/api/threads/${thread._id}/posts/${posts[0]!._id}`)).status).toBe(200)
    expect(await datOf(thread)).toBe(404)
  })

  it('quotes no post in a search that was folded since, however far the replica lags behind', async () => {
    const thread = await startThread(kaede, { title: '古い巻物' })
    const post = await writeTo(visit(board, '203.0.113.8'), thread, '畳まれる秘伝')
    await giveLevel(board, kaede, 3)
    await board.settle()
    const path = `/api/threads?search=${encodeURIComponent('秘伝')}`
    await vi.waitUntil(() => isMadeAtCopy(path, 'searchDocuments'), soon)
    await atCopy.query('select pg_wal_replay_pause()')
    const fold = { kind: 'fold', postId: post._id, text: '話がそれています' }
    expect((await kaede.post(`/api/threads/${thread._id}/owner-actions`, fold)).status).toBe(201)
    board.deps.cache.clear()
    expect((await kaede.get<ThreadItem[]>(path)).body).toMatchObject([{ _id: thread._id, match: { parts: [] } }])
  })

  it('does not treat a commit as replicated that is acknowledged but not yet applied', async () => {
    const { db, replica: copied } = database
    const replica = followReplica({ primary: db, replica: copied!, log: { info: () => {}, warn: () => {} } })
    await sql`create table marks (mark integer not null)`.execute(db)
    const marksAt = async (source: Db): Promise<string> =>
      (await sql<{ count: string }>`select count(*)::text as count from marks`.execute(source)).rows[0]!.count
    await vi.waitFor(() => marksAt(copied!), soon)
    for (let marks = 1; marks <= 50; marks += 1) {
      await sql`insert into marks values (${marks})`.execute(db)
      replica.changed(['marks'])
      await replica.look()
      expect(await marksAt(replica.isCaughtUp(['marks']) ? database.replica! : database.db)).toBe(String(marks))
    }
    await replica.close()
  })

  it('counts as not replicated whatever it has while the replica hangs', async () => {
    const gate = await gateTo(copy.url)
    const behind = openDatabase({ url: original.url, replicaUrl: through(gate, copy.url) })
    onTestFinished(async () => {
      await gate.close()
      await behind.close()
    })
    let warnings = 0
    const log = { info: () => {}, warn: () => void (warnings += 1) }
    gate.open()
    const replica = followReplica({ primary: behind.db, replica: behind.checking.replica!, log })
    await vi.waitUntil(() => replica.isCaughtUp([]), soon)
    gate.hang()
    await vi.waitUntil(() => !replica.isCaughtUp([]), soon)
    await vi.waitUntil(() => warnings > 0, soon)
    gate.open()
    await vi.waitUntil(() => replica.isCaughtUp([]), soon)
    await replica.close()
    expect(warnings).toBe(1)
  })

  it('still shows unchanged data while the primary is down', async () => {
    const thread = await startThread(kaede, { title: '留守の城' })
    await vi.waitUntil(() => isReadAtCopy(thread), soon)
    await takeAway(original)
    expect(await textsOf(thread)).toEqual(['綺麗ですね'])
    const refused = await kaede.post(`/api/threads/${thread._id}/posts`, { content: '届くか', name: '影' })
    expect(refused.status).toBe(503)
  })
})
