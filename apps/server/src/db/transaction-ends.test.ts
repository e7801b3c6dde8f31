import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isConnectionLost } from '../lib/api-error.ts'
import { openTestDatabase } from '../testing/board.ts'
import { openDatabase, type Db } from './client.ts'
import { andCommit } from './transaction-ends.ts'

describe('a transaction', () => {
  /** A board's database by one connection, and another to look at it. */
  async function open(): Promise<{ db: Db; look: Db }> {
    const test = await openTestDatabase()
    const database = openDatabase({ url: test.url, pool: 1 })
    onTestFinished(async () => {
      await database.close()
      await test.close()
    })
    return { db: database.db, look: test.db }
  }
  const note = (tx: Db, key: string, ending = sql``) =>
    sql`insert into settings (key, value) values (${key}, '{}') ${ending}`.execute(tx)
  const noted = async (db: Db) => {
    const { rows } = await sql<{ key: string }>`
      select key from settings where key like 'note.%' order by key`.execute(db)
    return rows.map(({ key }) => key)
  }
  /** Transactions that wait for their next statement. */
  const countOpen = async (look: Db) => {
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(look)
    return rows[0]!.open
  }

  it('begins with its first statement, and is undone as a whole', async () => {
    const { db, look } = await open()
    const tx = await db.startTransaction().execute()
    expect(await countOpen(look)).toBe(0)
    await note(tx, 'note.one')
    await expect.poll(() => countOpen(look)).toBe(1)
    await note(tx, 'note.two')
    await tx.rollback().execute()
    expect(await noted(db)).toEqual([])
  })

  it('that ends without a statement leaves the connection as it was', async () => {
    const { db, look } = await open()
    for (const end of ['commit', 'rollback'] as const) {
      const tx = await db.startTransaction().execute()
      await tx[end]().execute()
    }
    await note(db, 'note.one')
    expect(await noted(look)).toEqual(['note.one'])
  })

  it('is committed with the statement that says so', async () => {
    const { db, look } = await open()
    const tx = await db.startTransaction().execute()
    await note(tx, 'note.one')
    await note(tx, 'note.two', andCommit)
    await expect.poll(() => noted(look)).toEqual(['note.one', 'note.two'])
    await expect(note(tx, 'note.three')).rejects.toThrow('the transaction is committed already')
    await tx.commit().execute()
    expect(await noted(look)).toEqual(['note.one', 'note.two'])
  })

  it('of one statement begins and is committed with it', async () => {
    const { db, look } = await open()
    await db.transaction().execute((tx) => note(tx, 'note.one', andCommit))
    expect(await noted(look)).toEqual(['note.one'])
  })

  it('is undone when the statement fails that it should be committed with, and the connection goes on', async () => {
    const { db, look } = await open()
    await note(db, 'note.one')
    const failing = db.transaction().execute(async (tx) => {
      await note(tx, 'note.two')
      await note(tx, 'note.one', andCommit)
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    await db.transaction().execute((tx) => note(tx, 'note.three'))
    expect(await noted(look)).toEqual(['note.one', 'note.three'])
  })

  it('whose commit gets no answer is not known to be stored', async () => {
    const { db, look } = await open()
    // The constraint is looked at by the commit, which waits there until the server ends it.
    await sql`create function wait_long() returns trigger language plpgsql as $$
      begin perform pg_sleep(60); return null; end $$`.execute(look)
    await sql`create constraint trigger wait_long after insert on settings
      deferrable initially deferred for each row execute function wait_long()`.execute(look)
    const lost = db
      .transaction()
      .execute((tx) => note(tx, 'note.one', andCommit))
      .catch(isConnectionLost)
    await expect
      .poll(async () => {
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'`.execute(look)
        return rows.length
      })
      .toBe(1)
    expect(await lost).toBe(true)
    expect(await noted(db)).toEqual([])
  })
})
