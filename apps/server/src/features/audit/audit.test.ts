/** The log of all actions of administrators and moderators, and its public view. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { UNDO_HOURS } from '@shinobi/contract/limits'
import type { AuditEntry, PublicLogEntry } from '@shinobi/contract/moderation'
import { signUp, startThread, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { insertAudit } from './audit.queries.ts'

const it = boardTest.extend('helpers', ({ board, guest, admin }) => {
  const at = (): Date => new Date(board.clock.now)
  const log = async (query = ''): Promise<{ entries: AuditEntry[]; next: string | null }> =>
    (await admin.get<{ entries: AuditEntry[]; next: string | null }>(`/api/admin/audit${query}`)).body
  const publicLog = async (): Promise<PublicLogEntry[]> => {
    await board.deps.removalFollower.settle()
    return (await guest.get<PublicLogEntry[]>('/api/moderation-log')).body
  }
  return { at, log, publicLog }
})
it.beforeEach(({ board }) => {
  board.clock.now += 5_000
})

it('the log is append-only', async ({ board, helpers: { at } }) => {
  const { db } = board.database
  const id = await insertAudit(db, { actor: null, at: at(), action: 'shield_raise', subject: '元のまま' })
  const changes = [
    sql`update "auditLog" set subject = '書き換え' where id = ${id}::uuid`,
    sql`delete from "auditLog" where id = ${id}::uuid`,
    sql`truncate "auditLog"`,
  ]
  for (const change of changes) await expect(change.execute(db)).rejects.toThrow('only ever added to')
  const row = await db.selectFrom('auditLog').select('subject').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ subject: '元のまま' })
})

it('the log shows each entry to administrators once, newest first, page by page', async ({
  board,
  guest,
  helpers: { at, log },
}) => {
  const { db } = board.database
  const ids: string[] = []
  for (let index = 0; index < 7; index += 1) {
    board.clock.now += index % 2
    ids.unshift(await insertAudit(db, { actor: null, at: at(), action: 'settings_change', subject: `その${index}` }))
  }
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null && found.length < ids.length;) {
    const page = await log(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    found.push(...page.entries.map((entry) => entry._id))
    cursor = page.next
  }
  expect(found.slice(0, ids.length)).toEqual(ids)
  expect(new Set(found).size).toBe(found.length)
  expect((await log('?limit=100')).next).toBeNull()
  expect((await guest.get('/api/admin/audit')).status).toBe(401)
  const moderator = await signUp(board, undefined, { moderates: 'all' })
  expect((await moderator.get('/api/admin/audit')).status).toBe(403)
})

it('the log marks entries that can be undone, that are undone, and that are too old', async ({
  board,
  admin,
  helpers: { at, log },
}) => {
  const { db } = board.database
  const actor = { id: admin.userId, name: admin.name }
  const old = new Date(board.clock.now - UNDO_HOURS * 3_600_000 - 1)
  const ids = {
    old: await insertAudit(db, { actor, at: old, action: 'post_remove' }),
    open: await insertAudit(db, { actor, at: at(), action: 'thread_lock' }),
    final: await insertAudit(db, { actor, at: at(), action: 'role_change' }),
    undone: await insertAudit(db, { actor, at: at(), action: 'thread_pin' }),
  }
  const undo = await insertAudit(db, { actor, at: at(), action: 'thread_unpin', undoes: ids.undone })
  const { entries } = await log('?limit=100')
  const find = (id: string) => {
    const { undone, undoable } = entries.find((entry) => entry._id === id)!
    return { undone, undoable }
  }
  expect(find(ids.old)).toEqual({ undone: false, undoable: false })
  expect(find(ids.open)).toEqual({ undone: false, undoable: true })
  expect(find(ids.final)).toEqual({ undone: false, undoable: false })
  expect(find(ids.undone)).toEqual({ undone: true, undoable: false })
  expect(find(undo)).toEqual({ undone: false, undoable: false })
  await expect(insertAudit(db, { actor, at: at(), action: 'thread_unpin', undoes: ids.undone })).rejects.toMatchObject({
    code: '23505',
  })
})

it('the log shows the public the action and the rule, without the actor and any typed text', async ({
  board,
  guest,
  admin,
  helpers: { at, publicLog },
}) => {
  const { db } = board.database
  const thread = await startThread(guest, { title: '皆に見える題' })
  const id = await insertAudit(db, {
    ...{ actor: { id: admin.userId, name: admin.name }, at: at(), action: 'thread_lock', isPublic: true },
    ...{ categoryId: thread.categoryId, threadId: thread._id, rule: 'disturb', number: 3 },
    ...{ subject: '秘密の題目', reason: '内輪の理由', details: { before: { locked: '内訳' } } },
  })
  await insertAudit(db, { actor: null, at: at(), action: 'traces_read', subject: '内密の閲覧' })
  const entries = await publicLog()
  expect(entries[0]).toEqual({
    ...{ _id: id, at: at().toISOString(), action: 'thread_lock', category: 'general', rule: 'disturb', number: 3 },
    ...{ threadId: thread._id, title: '皆に見える題', undone: false },
  })
  for (const secret of ['半蔵', admin.userId, '秘密の題目', '内輪の理由', '内訳', '内密の閲覧']) {
    expect(JSON.stringify(entries)).not.toContain(secret)
  }
})

it('the log shows the public a new entry at once despite the cache, and a title only while its thread is visible', async ({
  guest,
  admin,
  helpers: { publicLog },
}) => {
  const thread = await startThread(guest, { title: '見えたり消えたり' })
  const post = await writeTo(guest, thread, '一言')
  const before = await publicLog()
  await admin.delete(`/api/admin/posts/${post._id}`)
  const removed = await publicLog()
  expect(removed).toHaveLength(before.length + 1)
  expect(removed[0]).toMatchObject({ action: 'post_remove', title: '見えたり消えたり', threadId: thread._id })
  await admin.delete(`/api/admin/threads/${thread._id}`)
  const hidden = await publicLog()
  expect(hidden[0]).toMatchObject({ action: 'thread_remove', title: null, threadId: null })
  expect(JSON.stringify(hidden)).not.toContain('見えたり消えたり')
  await admin.post(`/api/admin/threads/${thread._id}/restore`)
  expect((await publicLog()).slice(0, 3).map((entry) => entry.title)).toEqual(
    Array.from({ length: 3 }, () => '見えたり消えたり'),
  )
})

it('the public log links its next page in the Link header', async ({ board, guest, helpers: { at, publicLog } }) => {
  const { db } = board.database
  for (let index = 0; index < 5; index += 1) {
    await insertAudit(db, { actor: null, at: at(), action: 'shield_raise', isPublic: true })
  }
  const whole = await publicLog()
  const found: string[] = []
  for (let next: string | undefined = '/api/moderation-log?limit=2'; next !== undefined;) {
    const answer: { body: PublicLogEntry[]; headers: Readonly<Record<string, string | undefined>> } =
      await guest.get<PublicLogEntry[]>(next)
    expect(answer.headers['set-cookie']).toBeUndefined()
    found.push(...answer.body.map((entry) => entry._id))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
  }
  expect(found).toEqual(whole.map((entry) => entry._id))
})
