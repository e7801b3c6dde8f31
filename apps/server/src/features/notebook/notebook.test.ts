import { describe, expect } from 'vitest'
import { NOTEBOOK_BATCH, READING_RECORDS_MAX } from '@shinobi/contract/limits'
import { newEntry, type NotebookEntry } from '@shinobi/contract/notebook-entry'
import type { StoredNotebook } from '@shinobi/contract/notebook'
import { PASSWORD, signUp, startThread, visit, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { uuidv7 } from '../../lib/uuid.ts'

const URL = '/api/notebook'
const it = boardTest
  .extend('member', ({ board }) => signUp(board))
  .extend('thread', ({ member }) => startThread(member, { title: '月見の支度' }))

const send = async (who: Guest, ...entries: Partial<NotebookEntry>[]) =>
  (await who.post(URL, { entries: entries.map((entry) => ({ ...newEntry(''), ...entry })) })).status
const read = async (who: Guest, since = 0) => (await who.get<StoredNotebook>(`${URL}?since=${since}`)).body
const entriesOf = async (who: Guest) => (await read(who)).entries.map(({ entry }) => entry)

describe('the notebook of a member', () => {
  it('is merged of what two devices send, and tells each what has changed', async ({ board, member, thread }) => {
    const now = board.clock.now
    const threadId = thread._id
    expect(await read(member)).toEqual({ entries: [], since: 0, more: false, total: 0 })
    expect(await send(member, { threadId, readThrough: 7, visitedAt: now - 9, updatedAt: now - 9 })).toBe(200)
    const first = await read(member)
    expect(first).toMatchObject({
      entries: [{ thread: { _id: threadId, state: 'open', title: '月見の支度', postCount: 1 } }],
      more: false,
      total: 1,
    })
    expect(await read(member, first.since)).toEqual({ entries: [], since: first.since, more: false, total: 1 })

    const sent = { threadId, readThrough: 3, favouriteAt: now - 5, isOwn: true, ownPosts: [1, 3], updatedAt: now - 5 }
    await send(member, sent)
    const second = await read(member, first.since)
    expect(second.entries[0]!.entry).toEqual({ ...sent, readThrough: 7, visitedAt: now - 9 })
    // What is known already changes nothing.
    await send(member, sent)
    expect((await read(member, second.since)).entries).toEqual([])
  })

  it('heeds what was removed later, also when that is told first', async ({ board, member, thread }) => {
    const now = board.clock.now
    const threadId = thread._id
    await send(member, { threadId, favouriteRemovedAt: now - 5, visitRemovedAt: now - 5, updatedAt: now - 5 })
    await send(member, { threadId, favouriteAt: now - 8, visitedAt: now - 8, updatedAt: now - 8 })
    expect(await entriesOf(member)).toMatchObject([{ favouriteAt: null, visitedAt: null }])
    await send(member, { threadId, favouriteAt: now - 2, updatedAt: now - 2 })
    expect(await entriesOf(member)).toMatchObject([{ favouriteAt: now - 2, visitedAt: null }])

    await send(member, { threadId, updatedAt: now - 1, forgottenAt: now - 1 })
    const forgotten = { ...newEntry(threadId), updatedAt: now - 1, forgottenAt: now - 1 }
    expect(await read(member)).toMatchObject({ entries: [{ entry: forgotten }], total: 0 })
    await send(member, { threadId, readThrough: 4, updatedAt: now - 3 })
    expect(await entriesOf(member)).toEqual([forgotten])
  })

  it('takes times of the future as now', async ({ board, member, thread }) => {
    const ahead = board.clock.now + 1e9
    await send(member, { threadId: thread._id, favouriteAt: ahead, updatedAt: ahead })
    const [entry] = await entriesOf(member)
    expect(entry!.favouriteAt).toBeLessThanOrEqual(board.clock.now)
    expect(entry!.updatedAt).toBeLessThanOrEqual(board.clock.now)
  })

  it('loses nothing of two devices that write at the same moment', async ({ board, member, thread }) => {
    const updatedAt = board.clock.now
    const sent = Array.from({ length: 8 }, (_, index) => ({ threadId: thread._id, ownPosts: [index + 1], updatedAt }))
    expect(await Promise.all(sent.map((entry) => send(member, entry)))).toEqual(sent.map(() => 200))
    expect((await entriesOf(member))[0]!.ownPosts).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('is read in pages, keeps a bounded number of threads, and drops favourites last', async ({ board, member }) => {
    const at = board.clock.now - READING_RECORDS_MAX
    const ids = Array.from({ length: READING_RECORDS_MAX }, () => uuidv7(at))
    await board.database.db
      .insertInto('notebookEntries')
      .values(
        ids.map((threadId, index) => ({
          ...{ userId: member.userId, threadId, version: at + index },
          entry: JSON.stringify({ ...newEntry(threadId), readThrough: 1, favouriteAt: index === 0 ? at : null }),
        })),
      )
      .execute()
    await send(member, { threadId: uuidv7(board.clock.now), readThrough: 1, updatedAt: board.clock.now })
    const told: string[] = []
    let answer = await read(member)
    expect(answer).toMatchObject({ more: true, total: READING_RECORDS_MAX })
    expect(answer.entries).toHaveLength(NOTEBOOK_BATCH)
    expect(answer.entries[0]).toMatchObject({ thread: { state: 'removed' } })
    for (;;) {
      told.push(...answer.entries.map(({ entry }) => entry.threadId))
      if (!answer.more) break
      answer = await read(member, answer.since)
    }
    expect(told).toHaveLength(READING_RECORDS_MAX)
    expect(told[0]).toBe(ids[0])
    expect(told).not.toContain(ids[1])
  })

  it('is seen and changed by that member only, who can clear it', async ({ board, member, thread }) => {
    const other = await signUp(board)
    await send(member, { threadId: thread._id, readThrough: 1, updatedAt: 1 })
    expect(await entriesOf(other)).toEqual([])
    await send(other, { threadId: thread._id, readThrough: 5, updatedAt: 1 })
    expect(await entriesOf(member)).toMatchObject([{ readThrough: 1 }])
    expect((await other.delete(URL)).status).toBe(200)
    expect(await read(other)).toMatchObject({ entries: [], total: 0 })
    expect(await entriesOf(member)).toMatchObject([{ readThrough: 1 }])
  })

  it('is for members, of a bounded size, and not to be written without end', async ({ board, member, thread }) => {
    const visitor = visit(board)
    const entry = { threadId: thread._id, readThrough: 1, updatedAt: 1 }
    const statuses = [(await visitor.get(URL)).status, await send(visitor, entry), (await visitor.delete(URL)).status]
    expect(statuses).toEqual([401, 401, 401])
    const many = Array.from({ length: NOTEBOOK_BATCH + 1 }, () => ({ ...entry, threadId: uuidv7(board.clock.now) }))
    expect(await send(member, ...many)).toBe(400)
    expect(await send(member, { ...entry, readThrough: -1 })).toBe(400)
    expect(await send(member, { ...entry, threadId: '草' })).toBe(400)
    const answers: number[] = []
    for (let index = 0; index < 61; index += 1) answers.push(await send(member, entry))
    expect([answers[0], answers.at(-1)]).toEqual([200, 429])
  })

  it('ends with the account', async ({ board, member, thread }) => {
    await send(member, { threadId: thread._id, readThrough: 1, updatedAt: 1 })
    const left = await member.delete('/auth/profile', { name: member.name, currentPassword: PASSWORD })
    expect(left.status).toBe(200)
    const rows = board.database.db.selectFrom('notebookEntries').select('threadId')
    expect(await rows.where('userId', '=', member.userId).execute()).toEqual([])
    expect(await send(member, { threadId: thread._id, readThrough: 1, updatedAt: 1 })).toBe(401)
  })
})
