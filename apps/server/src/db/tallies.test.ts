import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertUser } from '../features/accounts/users.queries.ts'
import { insertPosts } from '../features/posts/numbering.queries.ts'
import { insertThread } from '../features/threads/threads.queries.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { createRandom, type Random } from '../seed/random.ts'
import { openTestDatabase, START, type TestDatabase } from '../testing/board.ts'
import {
  countByHour,
  countSince,
  recount,
  selectPage,
  selectTotals,
  tally,
  tallyQuery,
  type TallyKind,
} from './tallies.ts'
import { inTransaction } from './transaction.ts'

const HOUR_MS = 3_600_000
const KINDS: readonly TallyKind[] = ['users', 'threads', 'posts']

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** The visible items, newest first, selected without tallies. */
async function selectVisible(kind: TallyKind): Promise<string[]> {
  const rows = {
    users: sql<{ id: string }>`select id from users order by id desc`,
    threads: sql<{ id: string }>`select id from threads where "removedAt" is null order by id desc`,
    posts: sql<{ id: string }>`
      select p.id from posts as p join threads as t on t.id = p."threadId"
      where p."deletedAt" is null and t."removedAt" is null order by p.id desc`,
  }[kind]
  return (await rows.execute(database.db)).rows.map(({ id }) => id)
}

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

async function readAllPages(kind: TallyKind, limit: number): Promise<string[]> {
  const all: string[] = []
  for (let page = 1; ; page += 1) {
    const { ids, total } = await selectPage(database.db, kind, { page, limit })
    if (ids.length === 0) {
      expect(page - 1).toBe(Math.ceil(total / limit))
      return all
    }
    all.push(...ids)
  }
}

async function expectExact(random: Random, now: number): Promise<void> {
  const totals = await selectTotals(database.db)
  for (const kind of KINDS) {
    const visible = await selectVisible(kind)
    expect([kind, totals[kind]]).toEqual([kind, visible.length])
    const since = now - random.below(10 * HOUR_MS)
    expect(await countSince(database.db, kind, since)).toBe(visible.filter((id) => timeOf(id) >= since).length)
    const byHour = await countByHour(database.db, kind, now, 6)
    const last = Math.floor(now / HOUR_MS)
    expect(byHour).toEqual(
      [5, 4, 3, 2, 1, 0].map((back) => visible.filter((id) => Math.floor(timeOf(id) / HOUR_MS) === last - back).length),
    )
    expect(await readAllPages(kind, 1 + random.below(9))).toEqual(visible)
  }
}

/** Random operations on rows and tallies, at random times of the last hours. */
class Play {
  readonly #random: Random
  readonly #now: number
  #members = 0

  constructor(random: Random, now: number) {
    this.#random = random
    this.#now = now
  }

  #time(): number {
    return this.#now - this.#random.below(8 * HOUR_MS)
  }

  async #pick(query: ReturnType<typeof sql<{ id: string }>>): Promise<string | undefined> {
    const { rows } = await query.execute(database.db)
    return rows.length === 0 ? undefined : this.#random.pick(rows).id
  }

  async join(): Promise<void> {
    const at = this.#time()
    const id = uuidv7(at)
    this.#members += 1
    await inTransaction(database.db, (tx) =>
      insertUser(tx, { id, name: `会員${this.#members}`, email: null, passwordHash: null, at: new Date(at) }),
    )
  }

  async open(): Promise<void> {
    const at = this.#time()
    const category = await database.db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
    await insertThread(database.db, {
      ...{
        id: uuidv7(at),
        postId: uuidv7(at),
        categoryId: category.id,
        title: '今夜の月',
        excerpt: '',
        content: '綺麗',
      },
      ...{ nickname: null, userId: null, visitorId: randomUUID(), image: null, at },
    })
  }

  async write(): Promise<void> {
    const threadId = await this.#pick(sql`select id from threads where "removedAt" is null`)
    if (threadId === undefined) return
    const posts = Array.from({ length: 1 + this.#random.below(4) }, () => ({
      ...{ threadId, id: uuidv7(this.#time()), name: null, content: '草', image: null },
      ...{ userId: null, visitorId: randomUUID(), clientPostId: null },
    }))
    await insertPosts(database.db, posts, { at: this.#now, postLimit: 1_000_000 })
  }

  async remove(): Promise<void> {
    const id = await this.#pick(sql`
      select p.id from posts as p join threads as t on t.id = p."threadId" where p."deletedAt" is null and t."removedAt" is null`)
    if (id === undefined) return
    await inTransaction(database.db, async (tx) => {
      await tx
        .updateTable('posts')
        .set({ deletedAt: new Date(this.#now) })
        .where('id', '=', id)
        .execute()
      await tally(tx, 'posts', [id], -1)
    })
  }

  async restore(): Promise<void> {
    const id = await this.#pick(sql`
      select p.id from posts as p join threads as t on t.id = p."threadId" where p."deletedAt" is not null and t."removedAt" is null`)
    if (id === undefined) return
    await inTransaction(database.db, async (tx) => {
      await tx.updateTable('posts').set({ deletedAt: null }).where('id', '=', id).execute()
      await tally(tx, 'posts', [id], 1)
    })
  }

  async #setRemoved(id: string, removedAt: Date | null): Promise<void> {
    await inTransaction(database.db, async (tx) => {
      await tx.updateTable('threads').set({ removedAt }).where('id', '=', id).execute()
      const sign = removedAt === null ? 1 : -1
      await tally(tx, 'threads', [id], sign)
      const visible = sql`(select id from posts where "threadId" = ${id}::uuid and "deletedAt" is null)`
      await tallyQuery(tx, 'posts', visible, sign)
    })
  }

  async hide(): Promise<void> {
    const id = await this.#pick(sql`select id from threads where "removedAt" is null`)
    if (id !== undefined) await this.#setRemoved(id, new Date(this.#now))
  }

  async show(): Promise<void> {
    const id = await this.#pick(sql`select id from threads where "removedAt" is not null`)
    if (id !== undefined) await this.#setRemoved(id, null)
  }

  step(): Promise<void> {
    const { below } = this.#random
    const moves = [() => this.join(), () => this.open(), () => this.write(), () => this.write(), () => this.write()]
    moves.push(
      () => this.remove(),
      () => this.restore(),
      () => this.hide(),
      () => this.show(),
    )
    return moves[below(moves.length)]!()
  }
}

describe('tallies', () => {
  it.each([1, 2, 3])('are exact, and pages hold everything once, after any operations (seed %i)', async (seed) => {
    const random = createRandom(seed)
    const play = new Play(random, START)
    for (let round = 0; round < 4; round += 1) {
      for (let move = 0; move < 25; move += 1) await play.step()
      await expectExact(random, START)
    }
    // The operations must have created something.
    expect(Math.min(...Object.values(await selectTotals(database.db)))).toBeGreaterThan(0)
  })

  it('recounted from scratch are the same', async () => {
    const byHour = () =>
      sql`select kind, hour, sum(count) as count from tallies group by kind, hour having sum(count) <> 0 order by 1, 2`.execute(
        database.db,
      )
    const before = await byHour()
    expect(before.rows.length).toBeGreaterThan(10)
    await inTransaction(database.db, recount)
    expect((await byHour()).rows).toEqual(before.rows)
  })

  it('respect the edges of an hour', async () => {
    const hour = Math.floor(START / HOUR_MS) * HOUR_MS + 1_000 * HOUR_MS
    for (const at of [hour - 1, hour, hour + HOUR_MS - 1, hour + HOUR_MS]) {
      await inTransaction(database.db, (tx) =>
        insertUser(tx, { id: uuidv7(at), name: `端${at}`, email: null, passwordHash: null, at: new Date(at) }),
      )
    }
    expect(await countByHour(database.db, 'users', hour + HOUR_MS, 3)).toEqual([1, 2, 1])
    expect(await countSince(database.db, 'users', hour)).toBe(3)
    expect(await countSince(database.db, 'users', hour + 1)).toBe(2)
    expect(await countSince(database.db, 'users', hour + HOUR_MS - 1)).toBe(2)
    expect(await countSince(database.db, 'users', hour + HOUR_MS)).toBe(1)
  })

  it('give no items beyond the last page, and none for an empty list', async () => {
    const total = (await selectTotals(database.db)).posts
    expect(await selectPage(database.db, 'posts', { page: 1_000_000, limit: 100 })).toEqual({ ids: [], total })
    const empty = await openTestDatabase()
    expect(await selectPage(empty.db, 'posts', { page: 1, limit: 50 })).toEqual({ ids: [], total: 0 })
    expect(await selectTotals(empty.db)).toEqual({ users: 0, threads: 0, posts: 0 })
    expect(await countSince(empty.db, 'posts', START)).toBe(0)
    await empty.close()
  })
})
