import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Thread } from '@shinobi/contract/threads'
import { inTransaction } from '../../db/transaction.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { reachOf } from '../../db/statement-reach.ts'
import { openBoard, openTestDatabase, startThread, visit, writeTo } from '../../testing/board.ts'
import type { Board, Guest, TestDatabase } from '../../testing/board.ts'
import { isOnCluster } from '../../testing/citus.ts'
import { untilHeadsFollow } from './thread-heads.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describe('heads of threads', () => {
  it('have what lists show of a thread, and its newest like, but no browser', async () => {
    const columnsOf = async (table: string): Promise<string[]> => {
      const { rows } = await sql<{ name: string }>`
        select attname || ' ' || format_type(atttypid, atttypmod) as name from pg_attribute
        where attrelid = ${`"${table}"`}::regclass and attnum > 0 and not attisdropped`.execute(database.db)
      return rows.map(({ name }) => name).toSorted()
    }
    const ofThreads = await columnsOf('threads')
    const notCopied = ['visitorId uuid', 'namesForgotten boolean']
    expect(ofThreads).toEqual(expect.arrayContaining(notCopied))
    expect(await columnsOf('threadHeads')).toEqual(
      [...ofThreads.filter((column) => !notCopied.includes(column)), 'lastLikeAt timestamp with time zone'].toSorted(),
    )
  })

  it('have the indexes of lists that threads have', async () => {
    const indexesOf = async (table: string): Promise<string[]> => {
      const { rows } = await sql<{ definition: string }>`
        select regexp_replace(indexdef, '^.* USING ', '') as definition from pg_indexes
        where schemaname = current_schema() and tablename = ${table} and indexdef like ${'%"removedAt" IS NULL%'}`.execute(
        database.db,
      )
      return rows.map(({ definition }) => definition).toSorted()
    }
    const ofThreads = await indexesOf('threads')
    expect(ofThreads.length).toBeGreaterThan(10)
    // The list of locked threads is for moderators, who read the threads.
    expect(await indexesOf('threadHeads')).toEqual(ofThreads.filter((index) => !index.includes('lockedAt')))
  })
})

describe.runIf(await isOnCluster())('on a cluster', () => {
  let board: Board
  let guest: Guest
  let thread: Thread

  beforeAll(async () => {
    board = await openBoard({}, database)
    guest = visit(board)
    thread = await startThread(guest, { title: '一番の谷' })
  })
  afterAll(() => board.close())

  const LISTS = ['', '?sort=oldest', '?sort=popular', '?sort=liked', '?sort=active', '?sort=speed', '?state=past']
  const addresses = [
    ...LISTS.map((query) => `/api/threads${query}`),
    '/api/threads/trending',
    '/sitemap.xml',
    '/feed.xml',
  ]

  it.each(addresses)('%s is read from the coordinator alone', async (address) => {
    await board.deps.sortColumns.settle()
    const texts: string[] = []
    const stop = database.activity.watch(({ text }) => void texts.push(text))
    expect((await guest.get(`${address}${address.includes('?') ? '&' : '?'}`)).status).toBe(200)
    stop()
    // Lists name the thread `t`; the search index may be written at the same time.
    const ofLists = texts.filter((text) => /\bas t\b/.test(text) && !text.includes('insert into'))
    expect(ofLists).not.toEqual([])
    expect(ofLists.filter((text) => reachOf(text, []) !== 'coordinator')).toEqual([])
  })

  it('a list shows what has just been written, and no removed thread', async () => {
    await writeTo(guest, thread, '谷に着いた')
    const counts = async (): Promise<number[]> =>
      (await guest.get<Thread[]>('/api/threads')).body
        .filter(({ _id }) => _id === thread._id)
        .map(({ postCount }) => postCount)
    expect(await counts()).toEqual([2])
    await database.db.updateTable('threads').set({ removedAt: new Date() }).where('id', '=', thread._id).execute()
    board.deps.cache.drop([`thread:${thread._id}`, 'threads'], 'at once')
    expect(await counts()).toEqual([])
    await database.db.updateTable('threads').set({ removedAt: null }).where('id', '=', thread._id).execute()
    board.deps.cache.drop([`thread:${thread._id}`, 'threads'], 'at once')
    expect(await counts()).toEqual([2])
  })

  it('what staff removes is in the heads before the answer, without waiting for posts', async () => {
    const { cache, db, sortColumns } = board.deps
    const setRemoved = async (removedAt: Date | null): Promise<Date | null> => {
      await db.updateTable('threads').set({ removedAt }).where('id', '=', thread._id).execute()
      cache.drop([`thread:${thread._id}`, 'threads'], 'at once')
      await untilHeadsFollow(db)
      expect(sortColumns.waiting()).toBeGreaterThan(0)
      return (await db.selectFrom('threadHeads').select('removedAt').executeTakeFirstOrThrow()).removedAt
    }
    const at = new Date(board.clock.now)
    expect(await setRemoved(at)).toEqual(at)
    await sortColumns.settle()
    expect(await setRemoved(null)).toBeNull()
  })

  it('what staff removes of replies is in the heads with the posts, and the answer does not wait for it', async () => {
    const { cache, db, sortColumns } = board.deps
    const revision = async (): Promise<number> =>
      (await db.selectFrom('threadHeads').select('revision').executeTakeFirstOrThrow()).revision
    const before = await revision()
    await db
      .updateTable('threads')
      .set({ revision: before + 1 })
      .where('id', '=', thread._id)
      .execute()
    cache.drop([`thread:${thread._id}`], 'at once')
    await untilHeadsFollow(db)
    expect(await revision()).toBe(before)
    await sortColumns.settle()
    expect(await revision()).toBe(before + 1)
  })

  it('a head that a crash left behind is mended by the sweep', async () => {
    await database.db.deleteFrom('threadHeads').execute()
    await board.deps.sortColumns.sweep(board.clock.now)
    const heads = await database.db.selectFrom('threadHeads').select(['id', 'postCount']).execute()
    expect(heads).toEqual([{ id: thread._id, postCount: 2 }])
  })

  it('a removal whose server died is in the lists once the audit log is followed', async () => {
    const { db } = database
    const at = new Date(board.clock.now)
    const isListed = async (): Promise<boolean> =>
      (await db.selectFrom('threadHeads').select('removedAt').executeTakeFirstOrThrow()).removedAt === null
    const set = (removedAt: Date | null, action: 'thread_remove' | 'thread_restore') =>
      inTransaction(db, async (tx) => {
        await tx.updateTable('threads').set({ removedAt }).where('id', '=', thread._id).execute()
        await insertAudit(tx, { actor: null, at, threadId: thread._id, action })
      })
    // The poller of the log is stopped, as on a server that was down.
    await board.deps.removalFollower.close()
    await set(at, 'thread_remove')
    expect(await isListed()).toBe(true)
    await board.deps.removalFollower.sweep(board.clock.now)
    await board.settle()
    expect(await isListed()).toBe(false)
    await set(null, 'thread_restore')
    await board.deps.removalFollower.sweep(board.clock.now)
    await board.settle()
    expect(await isListed()).toBe(true)
  })

  it('a board without heads makes them when it starts', async () => {
    await database.db.deleteFrom('threadHeads').execute()
    const other = await openBoard({}, database)
    expect(await database.db.selectFrom('threadHeads').select('id').execute()).toEqual([{ id: thread._id }])
    await other.close()
  })
})
