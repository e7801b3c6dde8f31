/**
 * Held posts and threads: what their writer, moderators and others see of them, and how they are
 * decided.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { HeldItem } from '@shinobi/contract/moderation'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { inTransaction } from '../../db/transaction.ts'
import { startOfDayInJapan } from '../../lib/day-in-japan.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import {
  connectTo,
  enter,
  hear,
  PASSWORD,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { prove } from '../../testing/raid.ts'
import { startHeldRelease } from './held.release.ts'

const MINUTE_MS = 60_000

interface Refusal {
  readonly code: string
  readonly message: string
}

const it = boardTest
  .extend('thread', { scope: 'file' }, ({ admin }) => startThread(admin))
  .extend('helpers', ({ database, board, admin, thread }) => {
    const id = (): string => uuidv7(board.clock.now)
    const shield = (step: number | null) => admin.put(`/api/admin/shields/${thread.categoryId}`, { step })
    const listHeld = async (who: Guest = admin): Promise<HeldItem[]> =>
      (await who.get<{ held: HeldItem[] }>('/api/admin/held?limit=50')).body.held
    const approve = (heldId: string, who: Guest = admin) => decide(who, heldId, { action: 'approve' })
    const reject = (heldId: string, who: Guest = admin) => decide(who, heldId, { action: 'reject', rule: 'disturb' })
    async function postsOf(own: Board = board): Promise<Post[]> {
      // Approvals on another server are in the log, which each server polls once a second.
      await own.deps.removalFollower.settle()
      return (await visit(own).get<Post[]>(`/api/threads/${thread._id}/posts?limit=100`)).body
    }
    const auditOf = (action: 'held_approve' | 'held_reject') =>
      database.db
        .selectFrom('auditLog')
        .selectAll()
        .where('action', '=', action)
        .orderBy('id', 'desc')
        .executeTakeFirst()
    /** A visitor with a new nickname. */
    async function newcomer(address?: string): Promise<{ guest: Guest; name: string }> {
      people += 1
      const [guest, name] = [visit(board, address ?? `198.51.100.${people}`), `旅人${people}`]
      // This request sets the browser's visitor cookie.
      await guest.post(`/api/threads/${thread._id}/checkNickname`, { nickname: name })
      return { guest, name }
    }
    /** Sends a post that a word rule holds. */
    async function writeHeld(
      more: Record<string, unknown> = {},
    ): Promise<{ guest: Guest; name: string; heldId: string }> {
      const { guest, name } = await newcomer()
      const answer = await guest.post<HeldAnswer>(`/api/threads/${thread._id}/posts`, {
        content: '宣伝です',
        name,
        ...more,
      })
      expect([answer.status, answer.body.held.message]).toEqual([202, messages.post_held])
      return { guest, name, heldId: answer.body.held._id }
    }
    const holdByShield = async (
      content = '初めまして',
      sender: Promise<{ guest: Guest; name: string }> = newcomer(),
      threadId = thread._id,
    ): Promise<{ guest: Guest; heldId: string }> => {
      await shield(3)
      const { guest, name } = await sender
      await prove(guest)
      const answer = await guest.post<HeldAnswer>(`/api/threads/${threadId}/posts`, { content, name })
      expect(answer.status).toBe(202)
      return { guest, heldId: answer.body.held._id }
    }
    const releaseAll = async (): Promise<void> => {
      await shield(null)
      board.clock.now += 61 * MINUTE_MS
      const release = startHeldRelease(board.deps)
      await release.sweep()
      await release.close()
      await admin.post('/auth/refresh')
    }
    const rowOf = (heldId: string) =>
      database.db.selectFrom('heldPosts').selectAll().where('id', '=', heldId).executeTakeFirstOrThrow()
    const addWord = async (word: string, action: string): Promise<string> => {
      const answer = await admin.post<{ _id: string }>('/api/admin/words', { word, action, allow: [], note: '' })
      expect(answer.status).toBe(201)
      await board.deps.revisions.settle()
      return answer.body._id
    }
    const ban = async (kind: 'visitor' | 'network', subject: string): Promise<void> => {
      const at = new Date(board.clock.now)
      const terms = {
        label: '',
        reason: '荒らし',
        createdAt: at,
        expiresAt: new Date(board.clock.now + 2 * 60 * MINUTE_MS),
      }
      await inTransaction(database.db, async (tx) => {
        await tx
          .insertInto('bans')
          .values({ id: id(), kind, subject, ...terms, scope: 'category', scopeId: thread.categoryId })
          .execute()
        await board.deps.revisions.raise(tx, 'bans')
      })
      await board.deps.revisions.settle()
    }
    return {
      id,
      shield,
      listHeld,
      approve,
      reject,
      postsOf,
      auditOf,
      newcomer,
      writeHeld,
      holdByShield,
      releaseAll,
      rowOf,
      addWord,
      ban,
    }
  })
it.beforeAll(async ({ admin }) => {
  await admin.post('/api/admin/words', { word: '宣伝', action: 'hold', allow: [], note: '' })
})
it.beforeEach(async ({ admin, helpers: { shield } }) => {
  await admin.post('/auth/refresh')
  await shield(null)
})

const decide = (who: Guest, heldId: string, body: unknown): Promise<Answer<Refusal>> =>
  who.post(`/api/admin/held/${heldId}/decision`, body)
const stateOf = async (who: Guest, heldId: string) =>
  (await who.get<{ status: string; threadId: string | null }>(`/api/held/${heldId}`)).body.status
const imagesOf = (own: Board): string[] => readdirSync(join(own.config.dataDir, 'images'))

let people = 0

describe('a held post', () => {
  it('is visible to moderators only, and its writer sees that it waits', async ({
    board,
    thread,
    helpers: { listHeld, reject, postsOf, newcomer, writeHeld },
  }) => {
    const before = (await postsOf()).length
    const { guest, name, heldId } = await writeHeld()
    expect(await postsOf()).toHaveLength(before)
    expect(await listHeld()).toMatchObject([
      {
        _id: heldId,
        kind: 'post',
        thread: { _id: thread._id },
        name,
        content: '宣伝です',
        why: 'word',
        detail: '宣伝',
        isMember: false,
      },
    ])
    expect(await stateOf(guest, heldId)).toBe('waiting')
    for (const stranger of [visit(board), (await newcomer()).guest, await signUp(board)]) {
      const answer = await stranger.get<Refusal>(`/api/held/${heldId}`)
      expect([answer.status, answer.body.message]).toEqual([404, messages.held_not_found])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    await reject(heldId)
  })

  it('appears in the thread once approved: under its id, with the next number, live and in searches', async ({
    board,
    admin,
    thread,
    helpers: { id, approve, postsOf, auditOf, writeHeld },
  }) => {
    const { guest, name, heldId } = await writeHeld({ clientPostId: id() })
    const between = await writeTo(admin, thread, '先に番号を取る')
    board.clock.now += MINUTE_MS
    const socket = await connectTo(await board.listen())
    await enter(socket, thread._id)
    const heard = hear(socket, 1)
    expect((await approve(heldId)).status).toBe(200)
    const [post] = await heard
    expect(post).toMatchObject({ _id: heldId, name, content: '宣伝です', number: between.number + 1, userId: null })
    expect(post!.createdAt).toBe(new Date(board.clock.now).toISOString())
    socket.close()
    expect((await postsOf()).at(-1)).toMatchObject(post!)
    const state = { status: 'approved', threadId: thread._id, number: post!.number, category: null }
    expect((await guest.get(`/api/held/${heldId}`)).body).toEqual(state)
    await board.settle()
    const found = await visit(board).get<Thread[]>('/api/threads?search=宣伝です')
    expect(found.body.map(({ _id }) => _id)).toContain(thread._id)
    expect(await auditOf('held_approve')).toMatchObject({
      actorName: '半蔵',
      isPublic: true,
      threadId: thread._id,
      number: post!.number,
      postId: heldId,
    })
    // The name belongs to the writer from the moment of sending.
    const thief = await visit(board).post<Refusal>(`/api/threads/${thread._id}/posts`, { content: '一', name })
    expect([thief.status, thief.body.code]).toEqual([409, 'taken'])
  })

  it('is deleted with its picture when rejected, and its writer sees the rejection', async ({
    board,
    admin,
    thread,
    helpers: { listHeld, reject, auditOf, newcomer },
  }) => {
    const { guest, name } = await newcomer()
    const before = imagesOf(board)
    const answer = await guest.form<HeldAnswer>(`/api/threads/${thread._id}/posts`, {
      content: '宣伝の絵',
      name,
      image: await picture(),
    })
    const heldId = answer.body.held._id
    expect((await listHeld())[0]?.imageUrl).toMatch(/^\/images\//)
    expect(imagesOf(board)).toHaveLength(before.length + 2)
    const refused = await decide(admin, heldId, { action: 'reject' })
    expect([refused.status, refused.body.message]).toEqual([400, messages.rule_required])
    expect((await reject(heldId)).status).toBe(200)
    await board.settle()
    expect(imagesOf(board)).toEqual(before)
    expect(await stateOf(guest, heldId)).toBe('rejected')
    expect(await listHeld()).toEqual([])
    expect(await auditOf('held_reject')).toMatchObject({ rule: 'disturb', isPublic: true, number: null })
  })

  it('keeps its picture when approved', async ({ board, thread, helpers: { approve, postsOf, newcomer } }) => {
    const { guest, name } = await newcomer()
    const image = await picture()
    const answer = await guest.form<HeldAnswer>(`/api/threads/${thread._id}/posts`, {
      content: '宣伝の絵',
      name,
      image,
    })
    await approve(answer.body.held._id)
    await board.settle()
    const post = (await postsOf()).at(-1)!
    expect(post).toMatchObject({ _id: answer.body.held._id, imageWidth: 9 })
    expect((await visit(board).get(post.imageUrl!)).status).toBe(200)
  })

  it('is not held twice when it is sent again, whether it waits or was decided', async ({
    board,
    thread,
    helpers: { id, listHeld, approve, reject, newcomer },
  }) => {
    const { guest, name } = await newcomer()
    const url = `/api/threads/${thread._id}/posts`
    const body = { content: '宣伝です', name, clientPostId: id() }
    const answers = await Promise.all(Array.from({ length: 4 }, () => guest.post<HeldAnswer>(url, body)))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(new Set(answers.map((answer) => answer.body.held._id)).size).toBe(1)
    expect(await listHeld()).toHaveLength(1)
    const heldId = answers[0]!.body.held._id
    const socket = await connectTo(await board.listen(), guest)
    expect(await send(socket, { ...body, threadId: thread._id })).toEqual({
      held: { _id: heldId, message: messages.post_held },
    })
    socket.close()
    await approve(heldId)
    const after = await guest.post<Post>(url, body)
    expect([after.status, after.body._id]).toEqual([201, heldId])

    const refused = { ...body, clientPostId: id() }
    const second = await guest.post<HeldAnswer>(url, refused)
    await reject(second.body.held._id)
    const again = await guest.post<HeldAnswer>(url, refused)
    expect([again.status, again.body.held._id]).toEqual([202, second.body.held._id])
    expect(await listHeld()).toEqual([])
  })

  it('is decided once, also by two moderators at the same time, and only by moderators of its category', async ({
    database,
    board,
    thread,
    helpers: { listHeld, approve, reject, postsOf, writeHeld },
  }) => {
    const { heldId } = await writeHeld()
    const away = await signUp(board, '他所の目付', { moderates: ['019a0000-0000-7000-8000-000000000000'] })
    expect(await listHeld(away)).toEqual([])
    expect((await approve(heldId, away)).status).toBe(403)
    const here = await signUp(board, '此処の目付', { moderates: [thread.categoryId] })
    expect(await listHeld(here)).toHaveLength(1)
    const before = (await postsOf()).length
    const answers = await Promise.all([approve(heldId), approve(heldId, here), reject(heldId, here)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409, 409])
    const late = await reject(heldId)
    expect([late.status, late.body.message]).toEqual([409, messages.held_decided])
    const status = (
      await database.db.selectFrom('heldPosts').select('status').where('id', '=', heldId).executeTakeFirstOrThrow()
    ).status
    expect((await postsOf()).length - before).toBe(status === 'approved' ? 1 : 0)
  })

  it('cannot be approved while its thread is locked, or after its writer deleted the account', async ({
    database,
    board,
    thread,
    helpers: { listHeld, approve, writeHeld },
  }) => {
    const { heldId } = await writeHeld()
    const lock = (lockedAt: Date | null) =>
      database.db.updateTable('threads').set({ lockedAt }).where('id', '=', thread._id).execute()
    await lock(new Date(board.clock.now))
    const locked = await approve(heldId)
    expect([locked.status, locked.body.message]).toEqual([423, messages.thread_locked])
    await lock(null)
    expect((await approve(heldId)).status).toBe(200)

    const member = await signUp(board, '抜け忍')
    const answer = await member.post<HeldAnswer>(`/api/threads/${thread._id}/posts`, { content: '宣伝です' })
    await member.delete('/auth/profile', { name: '抜け忍', currentPassword: PASSWORD })
    const gone = await approve(answer.body.held._id)
    expect([gone.status, gone.body.message]).toEqual([404, messages.held_writer_gone])
    const release = startHeldRelease(board.deps)
    await release.sweep()
    await release.close()
    expect(await listHeld()).toEqual([])
  })

  it('of a member is published under the name the member has at the approval', async ({
    board,
    thread,
    helpers: { approve, postsOf },
  }) => {
    const member = await signUp(board, '変装前')
    const answer = await member.post<HeldAnswer>(`/api/threads/${thread._id}/posts`, { content: '宣伝です' })
    expect((await member.put('/auth/profile', { name: '変装後' })).status).toBe(200)
    await approve(answer.body.held._id)
    expect((await postsOf()).at(-1)).toMatchObject({ name: '変装後', userId: member.userId })
  })

  it('is refused when twenty of its writer already wait', async ({
    thread,
    helpers: { listHeld, reject, newcomer },
  }) => {
    const { guest, name } = await newcomer()
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) {
      const body = { content: `宣伝その${count}`, name }
      statuses.push((await guest.post<Refusal>(`/api/threads/${thread._id}/posts`, body)).status)
    }
    expect(statuses.slice(-2)).toEqual([202, 429])
    for (const { _id } of await listHeld()) await reject(_id)
  })

  it('is refused when twenty of its member already wait, whatever browsers they came from', async ({
    database,
    board,
    thread,
    helpers: { listHeld, reject },
  }) => {
    const member = await signUp(board, '増える人')
    const url = `/api/threads/${thread._id}/posts`
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) {
      const browser = visit(board, `10.8.0.${count}`)
      for (const [cookie, value] of member.cookies) if (cookie !== 'visitor') browser.cookies.set(cookie, value)
      statuses.push((await browser.post(url, { content: `宣伝その${count}` })).status)
    }
    expect(statuses.slice(-2)).toEqual([202, 429])
    const visitors = await database.db
      .selectFrom('heldPosts')
      .select('visitorId')
      .where('userId', '=', member.userId)
      .execute()
    expect(new Set(visitors.map(({ visitorId }) => visitorId)).size).toBe(20)
    for (const { _id } of await listHeld()) await reject(_id)
  })

  it('is refused after eighty from one address within an hour, even with new cookies', async ({
    database,
    board,
    thread,
  }) => {
    const url = `/api/threads/${thread._id}/posts`
    const write = (count: number, address = '203.0.113.200') =>
      visit(board, address).post<Refusal>(url, { content: '宣伝です', name: `使い捨て${count}` })
    for (let count = 0; count < 80; count += 1) expect((await write(count)).status).toBe(202)
    const refused = await write(80)
    expect([refused.status, refused.body.message]).toEqual([429, messages.held_full])
    // The refused post is not stored.
    expect(
      await database.db.selectFrom('heldPosts').select('id').where('status', '=', 'waiting').execute(),
    ).toHaveLength(80)
    expect((await write(81, '203.0.113.201')).status).toBe(202)
    await database.db.deleteFrom('heldPosts').where('status', '=', 'waiting').execute()
  })

  it('is refused after 320 from one IPv6 network within an hour', async ({ database, board, thread }) => {
    const write = (count: number, network = '2001:db8:7') =>
      visit(board, `${network}:${(count >> 4).toString(16)}::1`).post<Refusal>(`/api/threads/${thread._id}/posts`, {
        content: '宣伝です',
        name: `六番地${count}`,
      })
    for (let count = 0; count < 320; count += 1) expect((await write(count)).status).toBe(202)
    const refused = await write(320)
    expect([refused.status, refused.body.message]).toEqual([429, messages.held_full])
    expect((await write(321, '2001:db8:8')).status).toBe(202)
    await database.db.deleteFrom('heldPosts').where('status', '=', 'waiting').execute()
  })
})

describe('a held thread', () => {
  it('opens once when approved, and a repeated request gets the opened thread', async ({
    board,
    helpers: { id, listHeld, approve, newcomer },
  }) => {
    const { guest } = await newcomer()
    const form = { title: '宣伝の話', content: '中身', category: 'general', nickname: '看板', clientThreadId: id() }
    const answer = await guest.form<HeldAnswer>('/api/threads', form)
    expect([answer.status, answer.body.held.message]).toEqual([202, messages.thread_held])
    const heldId = answer.body.held._id
    expect((await guest.form<HeldAnswer>('/api/threads', form)).body.held._id).toBe(heldId)
    expect(await listHeld()).toMatchObject([
      { _id: heldId, kind: 'thread', thread: null, title: '宣伝の話', category: 'general' },
    ])
    const titles = async () => (await visit(board).get<Thread[]>('/api/threads')).body.map(({ title }) => title)
    expect(await titles()).not.toContain('宣伝の話')
    expect((await approve(heldId)).status).toBe(200)
    expect(await titles()).toContain('宣伝の話')
    const state = await guest.get<{ status: string; threadId: string }>(`/api/held/${heldId}`)
    expect(state.body.status).toBe('approved')
    const again = await guest.form<Thread>('/api/threads', form)
    expect([again.status, again.body._id, again.body.nickname]).toEqual([201, state.body.threadId, '看板'])
  })

  it('of a merged category waits in the one that has taken it over, where its writer takes it back or it opens', async ({
    board,
    admin,
    helpers: { approve, newcomer },
  }) => {
    const name = '併合される板'
    const merged = await admin.post<{ _id: string }>('/api/admin/categories', { name, description: '' })
    const { guest } = await newcomer()
    const [first, second] = [await hold('宣伝の一'), await hold('宣伝の二')]
    const general = (await guest.get<{ _id: string }>('/api/categories/general')).body
    const dropped = await admin.delete(`/api/admin/categories/${merged.body._id}?moveTo=${general._id}`)
    expect(dropped.status).toBe(200)
    const state = { status: 'waiting', threadId: null, number: null, category: 'general' }
    expect((await guest.get(`/api/held/${first}`)).body).toEqual(state)
    expect((await guest.delete(`/api/held/${first}`)).status).toBe(200)
    expect((await approve(second)).status).toBe(200)
    const threads = (await visit(board).get<Thread[]>('/api/categories/general/threads')).body
    expect(threads.map(({ title }) => title).filter((title) => /宣伝の[一二]/.test(title))).toEqual(['宣伝の二'])

    async function hold(title: string): Promise<string> {
      const form = { title, content: `${title}の中身`, category: name, nickname: '看板' }
      return (await guest.form<HeldAnswer>('/api/threads', form)).body.held._id
    }
  })

  it('cannot be approved when its nickname has become the name of a member', async ({
    board,
    helpers: { approve, reject, newcomer },
  }) => {
    const { guest } = await newcomer()
    const form = { title: '宣伝の話', content: '中身', category: 'general', nickname: '先の名' }
    const answer = await guest.form<HeldAnswer>('/api/threads', form)
    await signUp(board, '先の名')
    const refused = await approve(answer.body.held._id)
    expect([refused.status, refused.body.message]).toEqual([409, messages.held_name_taken])
    expect(await stateOf(guest, answer.body.held._id)).toBe('waiting')
    await reject(answer.body.held._id)
  })
})

describe('a post held by raid mode', () => {
  it('is released by one server after a while when the category is calm; posts held by a word keep waiting', async ({
    board,
    other,
    admin,
    helpers: { shield, reject, postsOf, auditOf, writeHeld, holdByShield },
  }) => {
    const word = await writeHeld()
    const { guest, heldId } = await holdByShield()
    const releases = [board, other].map(({ deps }) => startHeldRelease(deps))
    const sweep = () => Promise.all(releases.map((release) => release.sweep()))
    board.clock.now += 61 * MINUTE_MS
    other.clock.now = board.clock.now
    await other.deps.revisions.settle()
    await sweep()
    expect(await stateOf(guest, heldId)).toBe('waiting')
    await admin.post('/auth/refresh')
    // Once the category is calm, the board's own sweep may come first.
    const before = (await postsOf()).length
    await shield(null)
    await other.deps.revisions.settle()
    await sweep()
    expect(await stateOf(guest, heldId)).toBe('approved')
    expect(await postsOf()).toHaveLength(before + 1)
    expect(await auditOf('held_approve')).toMatchObject({ actorName: null, isPublic: true, postId: heldId })
    expect(await stateOf(word.guest, word.heldId)).toBe('waiting')
    await reject(word.heldId)
    for (const release of releases) await release.close()
  })

  it('expires when its thread is full by then, which the public log does not call a rejection', async ({
    database,
    board,
    admin,
    helpers: { auditOf, newcomer, holdByShield, releaseAll },
  }) => {
    const own = await startThread(admin)
    const { guest, heldId } = await holdByShield('間に合わない', newcomer(), own._id)
    await database.db
      .updateTable('threads')
      .set({ closedAt: new Date(board.clock.now) })
      .where('id', '=', own._id)
      .execute()
    await releaseAll()
    expect(await stateOf(guest, heldId)).toBe('expired')
    expect(await auditOf('held_reject')).toMatchObject({ actorName: null, postId: heldId, isPublic: false })
  })

  it('is left to a moderator permanently when its writer was banned since, by account, browser or network', async ({
    database,
    board,
    admin,
    helpers: { listHeld, approve, reject, postsOf, newcomer, holdByShield, releaseAll, rowOf, ban },
  }) => {
    const member = await signUp(board, '化けの皮', { address: '192.0.2.7' })
    const byMember = await holdByShield('会員です', Promise.resolve({ guest: member, name: member.name }))
    const byVisitor = await holdByShield()
    const byNetwork = await holdByShield('回線です', newcomer('203.0.113.9'))
    const innocent = await holdByShield()
    const terms = { target: { userId: member.userId }, on: ['user'], reason: '荒らし', hours: 2 }
    expect((await admin.post('/api/admin/bans', terms)).status).toBe(201)
    const { visitorId } = await rowOf(byVisitor.heldId)
    await ban('visitor', visitorId)
    await board.deps.bans.settle()
    const { hash } = await database.db
      .selectFrom('origins')
      .select('hash')
      .where('actor', '=', (await rowOf(byNetwork.heldId)).visitorId)
      .executeTakeFirstOrThrow()
    await ban('network', hash)
    const before = (await postsOf()).length
    await releaseAll()
    const left = [byMember.heldId, byVisitor.heldId, byNetwork.heldId]
    expect((await listHeld()).map(({ _id, why }) => ({ _id, why }))).toEqual(left.map((_id) => ({ _id, why: 'ban' })))
    expect(await stateOf(innocent.guest, innocent.heldId)).toBe('approved')
    // The bans expire, and the posts still wait for a moderator.
    await releaseAll()
    await releaseAll()
    expect(await postsOf()).toHaveLength(before + 1)
    expect((await approve(byVisitor.heldId)).status).toBe(200)
    expect((await postsOf()).at(-1)).toMatchObject({ _id: byVisitor.heldId })
    for (const heldId of [byMember.heldId, byNetwork.heldId]) await reject(heldId)
  })

  it('is left to a moderator when the opener of the thread has silenced its ID that day', async ({
    board,
    admin,
    thread,
    helpers: { listHeld, reject, newcomer, holdByShield, releaseAll },
  }) => {
    // Noon, so that the day does not end before the release.
    board.clock.now = startOfDayInJapan(board.clock.now) + 36 * 60 * MINUTE_MS
    await admin.post('/auth/refresh')
    await admin.put('/api/admin/settings', { levelOwner: 0 })
    // Newcomers of one network share an ID: those of the other tests must not be silenced.
    const sender = await newcomer('100.64.7.7')
    const { _id: postId } = await writeTo(sender.guest, thread, '見えている', sender.name)
    board.clock.now += MINUTE_MS
    const { heldId } = await holdByShield('待っている', Promise.resolve(sender))
    const action = { kind: 'silence', postId, text: '荒らしです' }
    expect((await admin.post(`/api/threads/${thread._id}/owner-actions`, action)).status).toBe(201)
    await releaseAll()
    expect((await listHeld()).map(({ _id, why }) => ({ _id, why }))).toEqual([{ _id: heldId, why: 'silence' }])
    await reject(heldId)
  })

  it('is left to a moderator when a word in it, or in its writer’s name, was blocked since', async ({
    board,
    admin,
    helpers: { listHeld, reject, holdByShield, releaseAll, rowOf, addWord },
  }) => {
    const byText = await holdByShield('抜け道の話')
    const byName = await holdByShield('普通の話')
    const name = (await rowOf(byName.heldId)).payload!.name!
    const byBoth = await holdByShield('山分けの話')
    const words = [await addWord('抜け道', 'block'), await addWord(name, 'block'), await addWord('山分け', 'hold')]
    await releaseAll()
    expect((await listHeld()).map(({ _id, why, detail }) => ({ _id, why, detail }))).toEqual([
      { _id: byText.heldId, why: 'word', detail: '抜け道' },
      { _id: byName.heldId, why: 'word', detail: name },
      { _id: byBoth.heldId, why: 'word', detail: '山分け' },
    ])
    for (const word of words) await admin.delete(`/api/admin/words/${word}`)
    await board.deps.revisions.settle()
    await releaseAll()
    for (const { _id } of await listHeld()) expect((await reject(_id)).status).toBe(200)
    expect(await stateOf(byText.guest, byText.heldId)).toBe('rejected')
  })

  it('is released with words masked that were added since, and reported to moderators for a flagged word', async ({
    database,
    board,
    admin,
    thread,
    helpers: { postsOf, auditOf, newcomer, holdByShield, releaseAll, addWord },
  }) => {
    const { heldId } = await holdByShield('毒薬と合戦')
    const { guest } = await newcomer()
    await prove(guest)
    const form = { title: '毒薬の話', content: '中身', category: thread.categoryId, nickname: '薬師' }
    expect((await guest.form('/api/threads', form)).status).toBe(202)
    const words = [await addWord('毒薬', 'mask'), await addWord('合戦', 'flag')]
    await releaseAll()
    expect((await postsOf()).at(-1)).toMatchObject({ _id: heldId, content: '＊＊と合戦' })
    await board.settle()
    const flagged = await database.db.selectFrom('cases').select('flag').where('postId', '=', heldId).execute()
    expect(flagged).toEqual([{ flag: '合戦' }])
    // The title of a thread is masked as well, also in the public log.
    const opened = (await visit(board).get<Thread[]>('/api/threads')).body.map(({ title }) => title)
    expect(opened).toContain('＊＊の話')
    expect(await auditOf('held_approve')).toMatchObject({ actorName: null, subject: '＊＊の話' })
    for (const word of words) await admin.delete(`/api/admin/words/${word}`)
  })

  it('is never released automatically when the setting is 0', async ({
    board,
    admin,
    helpers: { shield, reject, holdByShield },
  }) => {
    await admin.put('/api/admin/settings', { holdReleaseMinutes: 0 })
    const { guest, heldId } = await holdByShield()
    await shield(null)
    board.clock.now += 100 * 24 * 60 * MINUTE_MS
    const release = startHeldRelease(board.deps)
    await release.sweep()
    expect(await stateOf(guest, heldId)).toBe('waiting')
    await release.close()
    await admin.post('/auth/login', { username: '半蔵', password: PASSWORD })
    await admin.put('/api/admin/settings', { holdReleaseMinutes: 60 })
    await reject(heldId)
  })

  it('expires when its thread is deleted, and its text, picture and row are deleted later', async ({
    database,
    board,
    admin,
    helpers: { approve, newcomer },
  }) => {
    const own = await startThread(admin)
    const { guest, name } = await newcomer()
    const answer = await guest.form<HeldAnswer>(`/api/threads/${own._id}/posts`, {
      content: '宣伝です',
      name,
      image: await picture(),
    })
    const heldId = answer.body.held._id
    const images = imagesOf(board).length
    await database.db.deleteFrom('posts').where('threadId', '=', own._id).execute()
    await database.db.deleteFrom('threads').where('id', '=', own._id).execute()
    expect((await approve(heldId)).status).toBe(404)
    const release = startHeldRelease(board.deps)
    await release.sweep()
    expect(await stateOf(guest, heldId)).toBe('expired')
    const row = () => database.db.selectFrom('heldPosts').selectAll().where('id', '=', heldId).executeTakeFirst()
    expect((await row())?.payload).not.toBeNull()
    board.clock.now += 24 * 60 * MINUTE_MS
    await release.sweep()
    expect((await row())?.payload).toBeNull()
    expect(imagesOf(board)).toHaveLength(images - 2)
    expect(await stateOf(guest, heldId)).toBe('expired')
    board.clock.now += 30 * 24 * 60 * MINUTE_MS
    await release.sweep()
    expect(await row()).toBeUndefined()
    await release.close()
  })
})
