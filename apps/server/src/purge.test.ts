/** Removed content is deleted after a while, and the tallies stay exact. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REMOVED_KEPT_DAYS, UNDO_HOURS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { inTransaction } from './db/transaction.ts'
import { uuidv7 } from './lib/uuid.ts'
import type { Db } from './db/client.ts'
import {
  openBoard,
  openTestDatabase,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
} from './testing/board.ts'
import { isOnCluster } from './testing/citus.ts'
import { countLockWaits } from './testing/lock-waits.ts'
import { picture } from './testing/outside/picture.ts'
import { insertPosts } from './features/posts/numbering.queries.ts'
import { insertThread } from './features/threads/threads.queries.ts'
import { purgePosts, purgeThreads } from './purge.ts'
import { removePostsIn, restorePostsIn } from './features/posts/removals.service.ts'
import { changeThreadIn, removeThreadIn, restoreThreadIn } from './features/threads/threads-state.service.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

let board: Board
let guest: Guest
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000' })
  guest = visit(board)
})
afterAll(() => board.close())

async function writeWithPicture(thread: { _id: string }, content: string): Promise<Post> {
  const image = await picture()
  const answer = await guest.form<Post>(`/api/threads/${thread._id}/posts`, { content, name: '影', image })
  expect(answer.status).toBe(201)
  return answer.body
}

/** Image files of a post, visible or hidden. */
const filesOf = (post: Post): string[] => {
  const folders = ['images', 'images-hidden'].map((area) => join(board.config.dataDir, area))
  return folders.flatMap((folder) => readdirSync(folder)).filter((name) => post.imageUrl!.includes(name.slice(0, 36)))
}

const rowOf = (post: Post) =>
  board.database.db.selectFrom('posts').selectAll().where('id', '=', post._id).executeTakeFirst()

describe('a removed post', () => {
  it('keeps its text for a month, and then only its tombstone', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const thread = await startThread(guest)
    const [removed, standing] = [await writeWithPicture(thread, '消える絵'), await writeWithPicture(thread, '残る絵')]
    await admin.delete(`/api/admin/posts/${removed._id}?rule=hurt`)
    await board.settle()

    await purgePosts(board.deps, board.clock.now + (REMOVED_KEPT_DAYS - 1) * DAY)
    expect(await rowOf(removed)).toMatchObject({ content: '消える絵', name: '影' })
    expect(filesOf(removed)).toHaveLength(2)

    await purgePosts(board.deps, board.clock.now + REMOVED_KEPT_DAYS * DAY + 1)
    expect(await rowOf(removed)).toMatchObject({
      ...{ number: 2, content: '', name: null, image: null, userId: null, visitorId: null, removedRule: 'hurt' },
    })
    expect(filesOf(removed)).toEqual([])
    expect(await rowOf(standing)).toMatchObject({ content: '残る絵', name: '影' })
    expect(filesOf(standing)).toHaveLength(2)
    expect(await admin.post(`/api/admin/posts/${removed._id}/restore`)).toMatchObject({
      status: 409,
      body: { message: messages.post_purged },
    })
  })
})

describe('of a removed post', () => {
  /** What a tombstone shows, the ids of the post, and marks that say nothing of its writer. */
  const STAY = new Set([
    ...['threadId', 'number', 'id', 'clientPostId', 'createdAt', 'likes', 'deletedAt', 'foldedAt', 'removedRule'],
    ...['withdrawn', 'asStaff', 'sage', 'plainLinks'],
  ])

  it.each([
    ['every column', '消える文'],
    ['also without a text', ''],
  ])('nothing else stays in its row, %s', async (_, content) => {
    const { db } = board.database
    const thread = await startThread(guest)
    const post = await writeWithPicture(thread, '消える絵')
    const someone = { userId: crypto.randomUUID(), clientPostId: crypto.randomUUID(), trip: 'GmgU93SCyE' }
    await db
      .updateTable('posts')
      .set({
        ...{ content, ...someone, posterId: 'abcd1234', mail: 'secret@example.com', foldReason: '住所を含む' },
        ...{ deletedAt: new Date(board.clock.now), foldedAt: new Date(board.clock.now), removedRule: 'hurt' },
      })
      .where('threadId', '=', thread._id)
      .where('number', '=', post.number)
      .execute()
    // A new column gets a value here, and its place in STAY or in what is cleared.
    expect(Object.entries((await rowOf(post))!).filter(([, value]) => value === null)).toEqual([])

    await purgePosts(board.deps, board.clock.now + REMOVED_KEPT_DAYS * DAY + 1)
    const kept = Object.entries((await rowOf(post))!).filter(([column]) => !STAY.has(column))
    expect(kept.filter(([, value]) => value !== null && value !== '')).toEqual([])
  })

  it('what an earlier sweep left is cleared, and found by an index', async () => {
    const { db } = board.database
    const thread = await startThread(guest)
    const post = await writeTo(guest, thread, '古い書き込み')
    const cleared = {
      content: '',
      name: null,
      userId: null,
      visitorId: null,
      posterId: null,
      removedRule: 'hurt',
    } as const
    await db
      .updateTable('posts')
      .set({ ...cleared, mail: 'secret@example.com', deletedAt: new Date(board.clock.now - 90 * DAY) })
      .where('threadId', '=', thread._id)
      .where('number', '=', post.number)
      .execute()
    const texts: string[] = []
    const stop = board.database.activity.watch(({ text }) => void texts.push(text))
    await purgePosts(board.deps, board.clock.now)
    stop()
    expect(await rowOf(post)).toMatchObject({ mail: null })
    // Which plans the workers of a cluster choose cannot be set here.
    if (await isOnCluster()) return
    const find = texts
      .find((text) => text.includes('num_nonnulls'))!
      .replace('$1', "'2020-01-01'")
      .replace('$2', '10')
    const plan = await inTransaction(db, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql`explain ${sql.raw(find)}`.execute(tx)
    })
    expect(JSON.stringify(plan.rows)).toContain('posts_kept')
  })
})

describe('a removed thread', () => {
  const TABLES = ['threads', 'posts', 'searchDocuments', 'nicknames', 'threadLikes', 'postLikes'] as const
  const MORE = ['rooms', 'threadRequests', 'reports', 'cases'] as const

  async function rowsOf(threadId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of [...TABLES, ...MORE]) {
      const column = table === 'threads' ? 'id' : 'threadId'
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from ${sql.table(table)} where ${sql.ref(column)} = ${threadId}::uuid`.execute(
        board.database.db,
      )
      counts[table] = rows[0]!.count
    }
    return counts
  }

  it('is deleted with all its rows and images when it can no longer be restored', async () => {
    const member = await signUp(board)
    const admin = await signUp(board, undefined, { isAdmin: true })
    const opened = async () => {
      const thread = await startThread(guest, { clientThreadId: crypto.randomUUID(), nickname: '里長' })
      const post = await writeWithPicture(thread, '形見の絵')
      await writeTo(member, thread, '会員も来た')
      await member.post(`/api/threads/${thread._id}/like`)
      await member.post(`/api/threads/${thread._id}/posts/${post._id}/like`)
      await guest.post(`/api/threads/${thread._id}/posts/${post._id}/report`, { reason: '荒らし', content: '' })
      return { thread, post }
    }
    const [gone, kept] = [await opened(), await opened()]
    await board.settle()
    const full = await rowsOf(kept.thread._id)
    expect(Object.values(full).every((count) => count > 0)).toBe(true)
    await admin.delete(`/api/admin/threads/${gone.thread._id}`)
    await board.settle()

    await purgeThreads(board.deps, board.clock.now + UNDO_HOURS * HOUR)
    expect(await rowsOf(gone.thread._id)).toEqual(full)
    expect(filesOf(gone.post)).toHaveLength(2)
    await purgeThreads(board.deps, board.clock.now + (UNDO_HOURS + 1) * HOUR + 1)
    expect(Object.values(await rowsOf(gone.thread._id)).filter((count) => count > 0)).toEqual([])
    expect(filesOf(gone.post)).toEqual([])
    expect(await rowsOf(kept.thread._id)).toEqual(full)
    expect(filesOf(kept.post)).toHaveLength(2)
  })

  it('is deleted with its held posts, including those that were decided long ago and have no text', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const { db } = board.database
    const thread = await startThread(guest)
    const at = new Date(board.clock.now)
    for (const payload of [null, JSON.stringify({ name: '影', content: '待つ', image: null })]) {
      const [id, visitorId] = [crypto.randomUUID(), crypto.randomUUID()]
      const { categoryId, _id: threadId } = thread
      const held = {
        id,
        categoryId,
        threadId,
        visitorId,
        userId: null,
        clientId: null,
        why: 'word',
        createdAt: at,
      } as const
      const status = payload === null ? 'rejected' : 'waiting'
      await db
        .insertInto('heldPosts')
        .values({ ...held, status, payload, detail: null })
        .execute()
    }
    await admin.delete(`/api/admin/threads/${thread._id}`)
    await purgeThreads(board.deps, board.clock.now + (UNDO_HOURS + 1) * HOUR + 1)
    expect(await rowsOf(thread._id)).toMatchObject({ threads: 0, posts: 0 })
    expect(await db.selectFrom('heldPosts').select('id').where('threadId', '=', thread._id).execute()).toEqual([])
  })

  it('of 10,000 posts disappears at once, and its deletion does not block posts to other threads', async () => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    const { db } = board.database
    const thread = await startThread(guest, { title: '一万の書き込み' })
    const elsewhere = await startThread(guest, { title: '隣の部屋' })
    await sql`
      insert into posts ("threadId", number, id, name, content, "visitorId", "createdAt")
      select ${thread._id}::uuid, number, gen_random_uuid(), '群衆', '書き込み' || number, gen_random_uuid(), now()
      from generate_series(2, 10000) as number`.execute(db)
    await db.updateTable('threads').set({ postCount: 10_000 }).where('id', '=', thread._id).execute()

    const order: string[] = []
    const write = async (index: number): Promise<void> => {
      await writeTo(guest, elsewhere, `隣から${index}`)
      order.push('post')
    }
    expect((await admin.delete(`/api/admin/threads/${thread._id}`)).status).toBe(200)
    expect((await guest.get(`/api/threads/${thread._id}/posts`)).status).toBe(404)
    const purge = async (): Promise<void> => {
      await purgeThreads(board.deps, board.clock.now + (UNDO_HOURS + 1) * HOUR + 1)
      order.push('purged')
    }
    // In the middle of its work, with all locks that it takes, it waits for a row.
    const held = await db.startTransaction().execute()
    const posts = held.selectFrom('posts').select('number').where('threadId', '=', thread._id)
    await posts.where('number', '=', 5_000).forUpdate().execute()
    const purging = purge()
    await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0)
    await Promise.all(Array.from({ length: 10 }, (_, index) => write(index)))
    await held.rollback().execute()
    await purging
    expect(order).toEqual([...Array.from({ length: 10 }, () => 'post'), 'purged'])
    expect(await rowsOf(thread._id)).toMatchObject({ threads: 0, posts: 0 })
  })
})

describe('the tallies', () => {
  let counting: Board
  beforeAll(async () => {
    counting = await openBoard()
  })
  afterAll(() => counting.close())

  it('equal the counted rows, whatever is written, removed and restored in any order', async () => {
    const { deps, clock } = counting
    const { db } = deps
    const category = await db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
    const nobody = { userId: null, visitorId: uuidv7(clock.now), image: null }

    const step = fc.record({
      what: fc.constantFrom('open', 'post', 'post', 'remove', 'restore', 'removeThread', 'restoreThread', 'lock'),
      thread: fc.nat(3),
      posts: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 5 }),
      minutes: fc.integer({ min: 0, max: 50 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const threads: { id: string; posts: string[] }[] = []
        let at = clock.now
        for (const { what, thread, posts, minutes } of steps) {
          at += minutes * 60_000
          const time = new Date(at)
          if (what === 'open' || threads.length === 0) {
            const [id, postId] = [uuidv7(at), uuidv7(at)]
            const texts = { title: '数える話', excerpt: '一', content: '一', nickname: null }
            await insertThread(db, { id, postId, categoryId: category.id, ...texts, ...nobody, at })
            threads.push({ id, posts: [postId] })
            continue
          }
          const chosen = threads[thread % threads.length]!
          const targets = threads.flatMap(({ id, posts: ids }, index) =>
            posts.flatMap((place) => {
              const postId = index === thread % threads.length || place % 3 === 0 ? ids[place] : undefined
              return postId === undefined ? [] : [{ threadId: id, postId }]
            }),
          )
          if (what === 'post') {
            const id = uuidv7(at)
            const given = { threadId: chosen.id, id, name: null, content: '二', clientPostId: null, ...nobody }
            const placed = await insertPosts(db, [given], { at, postLimit: 1_000_000 })
            if (placed[0]?.number != null) chosen.posts.push(id)
            continue
          }
          await inTransaction(db, async (tx) => {
            if (what === 'remove') await removePostsIn(tx, deps, targets, 'improper', time)
            else if (what === 'restore') await restorePostsIn(tx, deps, targets)
            else if (what === 'removeThread') await removeThreadIn(tx, deps, chosen.id, time)
            else if (what === 'restoreThread') await restoreThreadIn(tx, deps, chosen.id, time)
            else await changeThreadIn(tx, deps, chosen.id, { locked: posts.length > 3 }, time)
          }).catch((refusal: { code?: string }) => {
            // An action that is invalid at this moment is refused, without a change.
            expect(refusal.code).toMatch(/^(already_done|not_found)$/)
          })
        }
        expect(await tallied(db)).toEqual(await counted(db))
      }),
      { numRuns: 25, seed: 20_261_121 },
    )
  })

  it('stay exact and without deadlocks while two servers remove, restore, move, like and post', async () => {
    const database = await openTestDatabase()
    const boards = [await openBoard({}, database), await openBoard({}, database)]
    try {
      const { db } = database
      const [here, there] = (await db.selectFrom('categories').select('id').limit(2).execute()).map((row) => row.id)
      const at = boards[0]!.clock.now
      const member = { userId: uuidv7(at), liked: true }
      const nobody = { userId: null, visitorId: uuidv7(at), image: null, clientPostId: null, name: null }
      const targets: { threadId: string; postId: string }[] = []
      for (let index = 0; index < 3; index += 1) {
        const [id, postId] = [uuidv7(at), uuidv7(at)]
        const texts = { title: '押し合い', excerpt: '一', content: '一', nickname: null }
        await insertThread(db, { id, postId, categoryId: here!, ...texts, ...nobody, at })
        targets.push({ threadId: id, postId })
      }
      const work: Promise<unknown>[] = []
      for (let round = 0; round < 40; round += 1) {
        const { deps } = boards[round % 2]!
        const target = targets[round % 3]!
        // Each server has them in a different order.
        const many = round % 2 === 0 ? targets : targets.toReversed()
        const time = new Date(at + round * 600_000)
        const change = { categoryId: round % 4 < 2 ? there! : here! }
        const { threadId } = target
        work.push(
          deps.postWriter.write({ ...nobody, threadId, id: uuidv7(time.getTime()), content: '割り込み' }),
          deps.likes.apply({ ...target, ...member }),
          deps.likes.apply({ threadId, postId: null, ...member }),
          inTransaction(deps.db, (tx) => removePostsIn(tx, deps, many, 'improper', time)),
          inTransaction(deps.db, (tx) => restorePostsIn(tx, deps, many)),
          inTransaction(deps.db, (tx) => changeThreadIn(tx, deps, threadId, change, time)),
        )
        if (round % 5 === 0) work.push(inTransaction(deps.db, (tx) => removeThreadIn(tx, deps, threadId, time)))
        if (round % 5 === 2) work.push(inTransaction(deps.db, (tx) => restoreThreadIn(tx, deps, threadId, time)))
        // Some fifty at once: more would wait longer for a connection than a slow machine allows.
        if (round % 8 === 7) await Promise.allSettled(work)
      }
      const codes = (await Promise.allSettled(work)).flatMap((one) =>
        one.status === 'rejected' ? [String((one.reason as { code?: unknown }).code)] : [],
      )
      expect(codes.filter((code) => !['already_done', 'not_found'].includes(code))).toEqual([])
      for (const each of boards) await each.settle()
      expect(await tallied(db)).toEqual(await counted(db))
    } finally {
      for (const each of boards) await each.close()
      await database.close()
    }
  })

  type Hours = { kind: string; hour: number; count: number }[]

  async function tallied(db: Db): Promise<Hours> {
    const { rows } = await sql<Hours[number]>`
      select kind, hour::integer, sum(count)::integer as count from tallies where kind <> 'users'
      group by kind, hour having sum(count) <> 0 order by kind, hour`.execute(db)
    return rows
  }

  async function counted(db: Db): Promise<Hours> {
    const hour = sql`(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 3600000)::integer`
    const { rows } = await sql<Hours[number]>`
      select 'posts' as kind, ${hour} as hour, count(*)::integer as count from posts
      where "deletedAt" is null and exists (select from threads where threads.id = "threadId" and "removedAt" is null) group by 2
      union all select 'threads', ${hour}, count(*)::integer from threads where "removedAt" is null group by 2
      order by kind, hour`.execute(db)
    return rows
  }
})
