/** Old rows are deleted when they are due and not before, and the board keeps working. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ban } from '@shinobi/contract/bans'
import { FORMER_NAME_DAYS } from '@shinobi/contract/limits'
import type { AuditEntry, ModerationCase, PublicLogEntry } from '@shinobi/contract/moderation'
import type { Thread } from '@shinobi/contract/threads'
import { distribution } from './db/distribution.ts'
import type { Tables } from './db/tables.ts'
import { dayInJapan } from './lib/day-in-japan.ts'
import { openBoard, signUp, startThread, visit, writeTo, type Board, type MemberGuest } from './testing/board.ts'
import { caseOf, caseUrl, decide, readPost, reportAs, reportTimes, undo } from './testing/reporting.ts'
import { createRetention } from './retention.ts'

const DAY = 86_400_000

let board: Board
let admin: MemberGuest
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000' })
})
beforeEach(async () => {
  admin = await signUp(board, undefined, { isAdmin: true })
})
afterAll(() => board.close())

/**
 * Sweeps as if this time had passed, two rows at a time, so that every table takes several batches.
 * This expires sessions, so the test gets a new administrator.
 */
async function sweepAfter(milliseconds: number, keepDays = board.config.keepDays): Promise<void> {
  const retention = createRetention({ ...board.deps, config: { ...board.config, keepDays } }, 2)
  await retention.sweep(board.clock.now + milliseconds)
  admin = await signUp(board, undefined, { isAdmin: true })
}

async function count(table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(
    board.database.db,
  )
  return rows[0]!.count
}

let names = 0
const newName = (): string => `下忍${(names += 1)}号`

describe('a nickname', () => {
  const nicknamesOf = async (thread: Thread): Promise<string[]> => {
    const rows = await board.database.db
      .selectFrom('nicknames')
      .select('name')
      .where('threadId', '=', thread._id)
      .orderBy('name')
      .execute()
    return rows.map(({ name }) => name)
  }
  const tryName = async (guest: ReturnType<typeof visit>, thread: Thread, name: string) =>
    (await guest.post(`/api/threads/${thread._id}/posts`, { content: '一言', name })).status
  const isFree = async (guest: ReturnType<typeof visit>, thread: Thread, nickname: string) =>
    (await guest.post<{ available: boolean }>(`/api/threads/${thread._id}/checkNickname`, { nickname })).body.available
  /** A second server, because the first one has the owners of names in its cache. */
  const openLater = async () => {
    const later = await openBoard({ SPAM_POSTS: '100000' }, board.database)
    later.clock.now += 400 * DAY
    return later
  }

  it('is deleted after a year without a post in its thread, and kept in other threads', async () => {
    const [quiet, alive] = [await startThread(visit(board)), await startThread(visit(board))]
    for (const thread of [quiet, alive])
      for (const name of ['影', '霧', '雷']) await writeTo(visit(board), thread, 'x', name)
    await board.database.db
      .updateTable('threads')
      .set({ lastPostAt: new Date(board.clock.now + 1) })
      .where('id', '=', alive._id)
      .execute()
    await sweepAfter(365 * DAY)
    expect(await nicknamesOf(quiet)).toHaveLength(3)
    await sweepAfter(365 * DAY + 1)
    expect([await nicknamesOf(quiet), await nicknamesOf(alive)]).toMatchObject([[], { length: 3 }])
    await sweepAfter(365 * DAY + 2)
    expect(await nicknamesOf(alive)).toEqual([])
  })

  it('belongs to its first writer again when somebody posts in the thread after the deletion', async () => {
    const [first, second] = [visit(board), visit(board)]
    const thread = await startThread(first, { nickname: '里長' })
    await writeTo(first, thread, 'x', 'カエデ')
    await writeTo(second, thread, 'x', '霧')
    await sweepAfter(366 * DAY)
    expect(await nicknamesOf(thread)).toEqual([])

    const later = await openLater()
    const came = (guest: ReturnType<typeof visit>) => {
      const again = visit(later)
      for (const [name, value] of guest.cookies) again.cookies.set(name, value)
      return again
    }
    const [owner, other, stranger] = [came(first), came(second), visit(later)]
    for (const name of ['里長', 'かえで', '霧']) expect(await isFree(stranger, thread, name)).toBe(false)
    expect([await isFree(owner, thread, 'ｶｴﾃﾞ'), await isFree(stranger, thread, '雷')]).toEqual([true, true])
    // Checking whether a name is available writes nothing.
    expect(await nicknamesOf(thread)).toEqual([])
    const tries = [tryName(stranger, thread, '里長'), tryName(other, thread, 'カエデ'), tryName(stranger, thread, '雷')]
    expect(await Promise.all(tries)).toEqual([409, 409, 201])
    expect(await nicknamesOf(thread)).toHaveLength(4)
    expect(await tryName(owner, thread, '里長')).toBe(201)
    expect(await tryName(other, thread, '霧')).toBe(201)
    await later.close()
  })

  it('that visitors claim concurrently in a quiet thread goes to one of them', async () => {
    const thread = await startThread(visit(board))
    await writeTo(visit(board), thread, 'x', '影')
    await sweepAfter(366 * DAY)
    const servers = [await openLater(), await openLater()]
    const guests = servers.flatMap((server) => [visit(server), visit(server), visit(server)])
    const statuses = await Promise.all(guests.map((guest) => tryName(guest, thread, '新顔')))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
    expect(await nicknamesOf(thread)).toHaveLength(2)
    for (const server of servers) await server.close()
  })

  it('stays with the visitor who used it before a member took the name, also after its deletion', async () => {
    const thread = await startThread(visit(board))
    const owner = visit(board)
    const name = newName()
    await writeTo(owner, thread, 'x', name)
    await signUp(board, name)
    await sweepAfter(366 * DAY)
    const later = await openLater()
    const again = visit(later)
    for (const [key, value] of owner.cookies) again.cookies.set(key, value)
    expect(await tryName(visit(later), thread, name)).toBe(409)
    expect(await tryName(again, thread, name)).toBe(201)
    await later.close()
  })

  it('is kept for ever when the setting is 0', async () => {
    const thread = await startThread(visit(board))
    await writeTo(visit(board), thread, 'x', '影')
    await sweepAfter(9_000 * DAY, { ...board.config.keepDays, nicknames: 0 })
    expect(await nicknamesOf(thread)).toHaveLength(1)
  })
})

describe('the level of a browser', () => {
  const levels = async (): Promise<string[]> => {
    const { rows } = await sql<{ day: string }>`select "seenOn"::text as day from levels order by 1`.execute(
      board.database.db,
    )
    return rows.map(({ day }) => day)
  }

  it('is kept for half a year after the day (in Japan) of its last post', async () => {
    await board.settle()
    await board.database.db.deleteFrom('levels').execute()
    const [gone, regular] = [visit(board), visit(board)]
    const thread = await startThread(admin)
    await board.settle()
    await board.database.db.deleteFrom('levels').execute()
    for (const guest of [gone, regular]) await writeTo(guest, thread, 'x', newName())
    await board.settle()
    const before = board.clock.now
    board.clock.now += 3 * DAY
    for (const _ of [1, 2]) await writeTo(regular, thread, 'x', newName())
    await board.settle()
    board.clock.now = before
    const dayAfter = (days: number): string => dayInJapan(before + days * DAY)
    expect(await levels()).toEqual([dayAfter(0), dayAfter(3)])
    await sweepAfter(180 * DAY)
    expect(await levels()).toHaveLength(2)
    await sweepAfter(181 * DAY)
    expect(await levels()).toEqual([dayAfter(3)])
    await sweepAfter(9_000 * DAY, { ...board.config.keepDays, visitors: 0 })
    expect(await levels()).toHaveLength(1)
    await sweepAfter(200 * DAY)
    expect(await levels()).toEqual([])
  })
})

describe('a repeated request to open a thread', () => {
  it('returns the same thread for thirty days', async () => {
    const guest = visit(board)
    const requests = Array.from({ length: 5 }, () => crypto.randomUUID())
    const open = (clientThreadId: string) => startThread(guest, { clientThreadId })
    const opened = []
    for (const id of requests) opened.push(await open(id))
    await sweepAfter(30 * DAY)
    expect((await open(requests[0]!))._id).toBe(opened[0]!._id)
    await sweepAfter(30 * DAY + 1)
    expect(await count('threadRequests')).toBe(0)
    expect((await open(requests[0]!))._id).not.toBe(opened[0]!._id)
  })
})

describe('moderation data', () => {
  let thread: Thread
  beforeEach(async () => {
    thread = await startThread(visit(board))
  })
  const log = async () => (await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit?limit=100')).body.entries
  const entryOf = async (id: string) => (await log()).find(({ _id }) => _id === id)!
  const reported = async () => {
    const post = await writeTo(visit(board), thread, '荒らし', newName())
    await reportTimes(board, post, 2)
    return post
  }

  it('includes a closed case with its reports for a year after the decision, and an open one for ever', async () => {
    const [open, removed, dismissed] = [await reported(), await reported(), await reported()]
    await decide(admin, removed, { action: 'remove', rule: 'law' })
    const { actionId } = (await decide(admin, dismissed, { action: 'dismiss' })).body
    await sweepAfter(365 * DAY)
    expect(await count('reports')).toBe(6)
    await sweepAfter(365 * DAY + 1)
    expect(await count('reports')).toBe(2)
    const closed = await admin.get<{ cases: ModerationCase[] }>('/api/admin/cases?status=closed')
    expect(closed).toMatchObject({ status: 200, body: { cases: [] } })
    expect((await admin.get(caseUrl(dismissed))).status).toBe(404)
    expect(await caseOf(admin, open)).toMatchObject({ status: 'open' })
    // The decision stays, in the thread and in the log, and the post can be reported again.
    expect(await readPost(board, removed)).toMatchObject({ deleted: true })
    expect(await entryOf(actionId)).toMatchObject({ action: 'case_dismiss', number: dismissed.number })
    expect((await undo(admin, actionId)).status).not.toBe(500)
    await reportTimes(board, dismissed, 1)
    expect(await caseOf(admin, dismissed)).toMatchObject({ status: 'open', decision: null })
  })

  it('includes a case as long as one of its reporters is muted, as the mute is ended there', async () => {
    const post = await writeTo(visit(board), thread, '荒らし', newName())
    await reportAs(visit(board, '198.51.100.77'), post)
    const [report] = await board.database.db.selectFrom('reports').select('id').where('postId', '=', post._id).execute()
    await decide(admin, post, { action: 'dismiss' })
    const mute = (muted: boolean) =>
      admin.put(`/api/admin/threads/${thread._id}/reports/${report!.id}/mute`, { muted, hours: null, reason: '' })
    expect((await mute(true)).status).toBe(200)
    await sweepAfter(9_000 * DAY)
    expect((await mute(false)).status).toBe(200)
    await sweepAfter(9_000 * DAY)
    expect((await admin.get(caseUrl(post))).status).toBe(404)
  })

  it('includes a ban for a year after its end, and an active one for ever', async () => {
    const ban = async (hours: number | null) => {
      const post = await writeTo(visit(board), thread, '荒らし', newName())
      const { body, status } = await admin.post<{ bans: Ban[] }>('/api/admin/bans', {
        ...{
          target: { threadId: thread._id, postId: post._id },
          on: ['visitor'],
          scope: 'site',
          reason: '荒らし行為',
          hours,
        },
      })
      expect(status).toBe(201)
      return body.bans[0]!._id
    }
    const ids = { expired: await ban(24), lifted: await ban(null), standing: await ban(null) }
    expect((await admin.delete(`/api/admin/bans/${ids.lifted}`)).status).toBe(200)
    const left = async () => (await board.database.db.selectFrom('bans').select('id').execute()).map(({ id }) => id)
    await sweepAfter(365 * DAY)
    expect(await left()).toHaveLength(3)
    await sweepAfter(365 * DAY + 1)
    expect((await left()).toSorted()).toEqual([ids.expired, ids.standing].toSorted())
    await sweepAfter(366 * DAY + 1)
    expect(await left()).toEqual([ids.standing])
    expect((await log()).filter(({ action }) => action === 'ban')).toHaveLength(3)
  })

  it('includes the details of a log entry for a year, and its other fields for ever', async () => {
    const posts = [await reported(), await reported()]
    const decisions = []
    for (const post of posts)
      decisions.push((await decide(admin, post, { action: 'remove', rule: 'law' })).body.actionId)
    await admin.put('/api/admin/settings', { newcomerHours: 12 })
    const publicLog = async () => (await visit(board).get<PublicLogEntry[]>('/api/moderation-log')).body
    const [before, publicBefore] = [await log(), await publicLog()]
    expect(before.filter(({ details }) => Object.keys(details).length > 0).length).toBeGreaterThan(2)
    await sweepAfter(365 * DAY)
    expect(await log()).toEqual(before)
    await sweepAfter(365 * DAY + 1)
    expect(await log()).toEqual(before.map((entry) => ({ ...entry, details: {} })))
    expect(await publicLog()).toEqual(publicBefore)
  })

  it('allows an undo during its day with any setting: the minimum is a week', async () => {
    const post = await reported()
    const { actionId } = (await decide(admin, post, { action: 'remove', rule: 'law' })).body
    await sweepAfter(7 * DAY - 1, { ...board.config.keepDays, moderation: 7 })
    expect((await undo(admin, actionId)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ deleted: false })
  })

  it('is kept for ever when the setting is 0', async () => {
    const post = await reported()
    await decide(admin, post, { action: 'dismiss' })
    const before = await log()
    await sweepAfter(9_000 * DAY, { ...board.config.keepDays, moderation: 0 })
    expect(await log()).toEqual(before)
    expect((await caseOf(admin, post)).status).toBe('closed')
  })
})

describe('the log', () => {
  const change = (set: ReturnType<typeof sql>) => sql`update "auditLog" set ${set}`.execute(board.database.db)

  it('refuses every change except emptying details', async () => {
    await admin.put('/api/admin/settings', { newcomerHours: 13 })
    const refusal = 'only ever added to'
    await expect(change(sql`details = '{"before": "偽り"}'`)).rejects.toThrow(refusal)
    await expect(change(sql`details = '{}', reason = '偽り'`)).rejects.toThrow(refusal)
    await expect(change(sql`details = '{}', "isPublic" = not "isPublic"`)).rejects.toThrow(refusal)
    await change(sql`details = '{}'`)
  })
})

describe('an account', () => {
  it('loses its former names and ended sessions when they are due', async () => {
    const { db } = board.database
    const members = [await signUp(board), await signUp(board), await signUp(board)]
    for (const member of members) {
      expect((await member.put('/auth/profile', { name: newName() })).status).toBe(200)
    }
    const released = () => db.selectFrom('userNames').select('name').where('releasedAt', 'is not', null).execute()
    await sweepAfter(FORMER_NAME_DAYS * DAY - 1)
    expect(await released()).toHaveLength(3)
    await sweepAfter(FORMER_NAME_DAYS * DAY)
    expect(await released()).toEqual([])
    expect(await db.selectFrom('userNames').select('name').execute()).not.toEqual([])
    const users = members.map(({ userId }) => userId)
    expect(await db.selectFrom('sessions').select('id').where('userId', 'in', users).execute()).toEqual([])
  })
})

it('docs/retention.md names every table, and every setting with its default', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/retention.md'), 'utf8')
  const named = new Set([...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  expect(Object.keys(distribution).filter((table) => !named.has(table))).toEqual([])
  const { keepDays } = board.config
  const settings = [...text.matchAll(/^\| `(\w+_KEEP_DAYS)` \| (\d+) \|/gm)].map(([, name, days]) => [
    name,
    Number(days),
  ])
  expect(Object.fromEntries(settings)).toEqual({
    NICKNAMES_KEEP_DAYS: keepDays.nicknames,
    VISITORS_KEEP_DAYS: keepDays.visitors,
    REQUESTS_KEEP_DAYS: keepDays.requests,
    MODERATION_KEEP_DAYS: keepDays.moderation,
  })
})
