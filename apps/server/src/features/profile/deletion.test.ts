import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import type { WriterHistory } from '@shinobi/contract/admin'
import type { BanKind, BanPreview } from '@shinobi/contract/bans'
import type { ThreadState } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  openBoard,
  openTestDatabase,
  PASSWORD,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type MemberGuest,
} from '../../testing/board.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'

const MINUTE = 60_000

let board: Board
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000', UPLOADS_PER_HOUR: '1000' })
})
afterAll(() => board.close())

const leave = (member: MemberGuest, input: object = {}) =>
  member.delete('/auth/profile', { name: member.name, currentPassword: PASSWORD, ...input })
const postsOf = async (thread: { _id: string }) =>
  (await visit(board).get<Post[]>(`/api/threads/${thread._id}/posts?limit=100`)).body
const countRows = async (own: Board, userId: string) => {
  const { rows } = await sql<{ rows: number }>`
    select ((select count(*) from posts where "userId" = ${userId}::uuid) + (select count(*) from threads where "userId" = ${userId}::uuid)
      + (select count(*) from rooms where "userId" = ${userId}::uuid) + (select count(*) from users where id = ${userId}::uuid)
      + (select count(*) from "userNames" where "userId" = ${userId}::uuid)
      + (select count(*) from sessions where "userId" = ${userId}::uuid))::integer as rows`.execute(own.database.db)
  return rows[0]!.rows
}
const departures = (own: Board) => own.database.db.selectFrom('departures').select('userId').execute()

describe('a member who deletes the account', () => {
  it('is logged out everywhere, and the posts stay without the name, on open pages and in cached lists too', async () => {
    const member = await signUp(board, '去りゆく人')
    const other = await signUp(board, '残る人です')
    const own = await startThread(member, { category: 'rant', title: '置き土産のスレ' })
    await writeTo(other, own, '返事')
    await writeTo(member, own, '二つ目')
    const foreign = await startThread(other)
    await writeTo(member, foreign, 'お邪魔します')
    await member.post(`/api/threads/${foreign._id}/like`)
    const image = new Uint8Array(
      await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )
    const { body: picture } = await member.form<{ picture: string }>(
      '/auth/profile/image',
      { profileImage: new Blob([image]) },
      'PUT',
    )
    const reader = visit(board)
    const lists = async () => (await reader.get<ThreadItem[]>('/api/categories/rant/threads')).body[0]
    expect(await lists()).toMatchObject({ nickname: '去りゆく人', userId: member.userId })
    const url = await board.listen()
    const [screen, their] = [await connectTo(url), await connectTo(url, member)]
    await enter(screen, own._id)
    const changed = new Promise<ThreadState>((resolve) => screen.once('threadChanged', resolve))
    const closed = new Promise((resolve) => their.once('disconnect', resolve))

    const answer = await leave(member)
    expect([answer.status, answer.body]).toEqual([200, {}])
    await closed
    expect(await changed).toEqual({ threadId: own._id, postCount: 3, revision: 4 })
    expect(await postsOf(own)).toMatchObject([
      { name: null, userId: null, content: '綺麗ですね', deleted: false },
      { name: '残る人です', userId: other.userId, content: '返事' },
      { name: null, userId: null, content: '二つ目' },
    ])
    expect((await postsOf(foreign)).map(({ name }) => name)).toEqual(['残る人です', null])
    expect((await reader.get<Thread>(`/api/threads/${own._id}`)).body).toMatchObject({
      nickname: null,
      userId: null,
      revision: 4,
    })
    expect(await lists()).toMatchObject({ title: '置き土産のスレ', nickname: null, userId: null })
    expect((await reader.get<Thread>(`/api/threads/${foreign._id}`)).body).toMatchObject({
      nickname: '残る人です',
      likes: 1,
    })
    expect(existsSync(join(board.config.dataDir, picture.picture))).toBe(false)
    expect(await countRows(board, member.userId)).toBe(0)

    expect(member.cookies.has('access')).toBe(false)
    expect((await visit(board).post('/auth/login', { username: '去りゆく人', password: PASSWORD })).status).toBe(401)
    await signUp(board, '去りゆく人')
    screen.disconnect()
  })

  it('becomes nameless in the list of bans, which stay in effect, and in held posts', async () => {
    const admin = await signUp(board, '番人', { isAdmin: true })
    const { _id: word } = (await admin.post<{ _id: string }>('/api/admin/words', { word: '密書', action: 'hold' })).body
    await board.deps.revisions.settle()
    const [member, other] = [await signUp(board, '追われる人'), await signUp(board, '追われぬ人')]
    const thread = await startThread(admin)
    const post = await writeTo(member, thread, '先の言葉')
    expect((await member.post(`/api/threads/${thread._id}/posts`, { content: '密書です' })).status).toBe(202)
    await board.settle()
    const terms = { reason: '荒らし', hours: 1, scope: 'thread' }
    const target = { threadId: thread._id, postId: post._id }
    const on = ['user', 'visitor', 'network']
    expect((await admin.post('/api/admin/bans', { ...terms, target, on })).status).toBe(201)
    const theirs = { ...terms, target: { userId: other.userId }, scope: 'site', on: ['user'] }
    expect((await admin.post('/api/admin/bans', theirs)).status).toBe(201)
    const labels = async () => {
      const { body } = await admin.get<{ bans: { label: string; liftedAt: string | null }[] }>('/api/admin/bans')
      return body.bans.filter(({ liftedAt }) => liftedAt === null).map(({ label }) => label)
    }
    expect(new Set(await labels())).toEqual(
      new Set(['追われる人', '追われる人のブラウザ', '追われる人の回線', '追われぬ人']),
    )
    expect((await leave(member)).status).toBe(200)
    await board.settle()
    const left = messages.departed_member
    expect(new Set(await labels())).toEqual(new Set([left, `${left}のブラウザ`, `${left}の回線`, '追われぬ人']))
    const { db } = board.database
    const held = await db.selectFrom('heldPosts').select('payload').where('userId', '=', member.userId).execute()
    expect(held).toMatchObject([{ payload: { name: null, content: '密書です' } }])
    await admin.delete(`/api/admin/words/${word}`)
  })

  it('remains one writer, whose posts nothing ties to those that the same browser wrote without the account', async () => {
    const admin = await signUp(board, '見張り', { isAdmin: true })
    const member = await signUp(board, '両名の人')
    const own = await startThread(member)
    const anonymous = await startThread(visit(board))
    const post = await writeTo(member, anonymous, '名乗って')
    expect((await member.post('/auth/logout')).status).toBe(200)
    const hidden = await writeTo(member, anonymous, '名乗らずに')
    const historyOf = async ({ _id }: Post) => {
      const { body } = await admin.get<WriterHistory>(`/api/admin/writers/${anonymous._id}/${_id}`)
      return { threads: body.threads.map((thread) => thread._id), posts: body.posts.map(({ content }) => content) }
    }
    const before = await historyOf(hidden)
    expect(before).toEqual({ threads: [], posts: ['名乗らずに'] })
    await member.post('/auth/login', { username: '両名の人', password: PASSWORD })
    expect((await leave(member)).status).toBe(200)
    await board.settle()
    expect(await historyOf(hidden)).toEqual(before)
    expect(await historyOf(post)).toEqual({ threads: [own._id], posts: ['名乗って', '綺麗ですね'] })
    // Whoever uses the browser next is not the opener.
    const note = { kind: 'note', text: '追記です' }
    expect(await member.post(`/api/threads/${own._id}/owner-actions`, note)).toMatchObject({
      status: 403,
      body: { message: messages.owner_only },
    })
  })

  it('can be banned by an old post only by the network, as no browser has the id of the former account', async () => {
    const admin = await signUp(board, '門番です', { isAdmin: true })
    const member = await signUp(board, '去った人')
    const post = await writeTo(member, await startThread(visit(board)), '置き土産')
    expect((await leave(member)).status).toBe(200)
    await board.settle()
    const target = { threadId: post.threadId, postId: post._id }
    expect((await admin.post<BanPreview>('/api/admin/bans/preview', { target })).body.kinds).toMatchObject([
      { kind: 'user', possible: false, posters: 0 },
      { kind: 'visitor', possible: false, posters: 0 },
      { kind: 'network', possible: true },
    ])
    const terms = { target, scope: 'thread', reason: '荒らし', hours: 1 }
    const ban = (kind: BanKind) => admin.post('/api/admin/bans', { ...terms, on: [kind] })
    expect(await ban('visitor')).toMatchObject({ status: 400, body: { message: messages.ban_impossible } })
    expect((await ban('network')).status).toBe(201)
  })

  it('must type the name, in any spelling, and the password', async () => {
    const member = await signUp(board, 'オワリ丸')
    for (const [input, status, body] of [
      [{ name: 'ほかの人' }, 400, { message: messages.account_delete_unconfirmed, code: 'bad_username' }],
      [{ name: '' }, 400, { message: messages.account_delete_unconfirmed, code: 'bad_username' }],
      [{ currentPassword: '違う合言葉' }, 400, { message: messages.password_wrong, code: 'bad_password' }],
      [{ currentPassword: undefined }, 400, { message: messages.password_wrong, code: 'bad_password' }],
    ] as const) {
      const answer = await leave(member, input)
      expect([answer.status, answer.body]).toEqual([status, body])
    }
    expect((await member.post('/auth/verify')).status).toBe(200)
    expect((await leave(member, { name: 'おわり丸' })).status).toBe(200)
    expect((await leave(member)).status).toBe(401)
  })

  it('needs no password when the account has none', async () => {
    const member = await signUp(board)
    await board.database.db.updateTable('users').set({ passwordHash: null }).where('id', '=', member.userId).execute()
    expect((await leave(member, { currentPassword: undefined })).status).toBe(200)
  })

  it('gets 200 for one of two concurrent requests, and 401 for the other', async () => {
    const member = await signUp(board)
    const statuses = (await Promise.all([leave(member), leave(member)])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
  })
})

describe('an administrator', () => {
  it('cannot delete the account as the last one, even when the last two try at the same moment', async () => {
    const own = await openBoard()
    const [one, other] = [
      await signUp(own, '管轄一号', { isAdmin: true }),
      await signUp(own, '管轄二号', { isAdmin: true }),
    ]
    const nameless = await signUp(own, '管轄三号', { isAdmin: true })
    await own.database.db.updateTable('users').set({ email: null }).where('id', '=', nameless.userId).execute()
    const answers = await Promise.all([leave(one), leave(other)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({
      message: messages.last_admin,
      code: 'last_admin',
    })
    const last = answers[0].status === 409 ? one : other
    await signUp(own, '管轄四号', { isAdmin: true })
    expect((await leave(last)).status).toBe(200)
    await own.close()
  })

  it('cannot delete the account as a member who becomes the last one at the same moment', async () => {
    const own = await openBoard()
    const { db } = own.database
    const [chief, heir] = [await signUp(own, '管轄五号', { isAdmin: true }), await signUp(own, '跡継ぎの人')]
    const setAdmin = (tx: typeof db, { userId }: MemberGuest, isAdmin: boolean) =>
      tx.updateTable('users').set({ isAdmin }).where('id', '=', userId).execute()
    let leaving: ReturnType<typeof leave> | undefined
    await db.transaction().execute(async (tx) => {
      await setAdmin(tx, heir, true)
      await setAdmin(tx, chief, false)
      leaving = leave(heir)
      await expect.poll(() => countLockWaits(db)).toBe(1)
    })
    expect(await leaving).toMatchObject({ status: 409, body: { code: 'last_admin' } })
    await own.close()
  })
})

describe('the removal of names after a deletion', () => {
  it('is finished by the next sweep after a crash, on any server', async () => {
    const database = await openTestDatabase()
    const before = await openBoard({}, database)
    const member = await signUp(before, '途中の人')
    const thread = await startThread(member)
    // The account is deleted, and no name is removed from posts yet.
    await before.deps.departures.close()
    expect((await leave(member)).status).toBe(200)
    expect(await countRows(before, member.userId)).toBeGreaterThan(0)
    await before.close()

    const after = await openBoard({}, database)
    await after.deps.departures.sweep()
    expect(await countRows(after, member.userId)).toBe(0)
    const [post] = (await visit(after).get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    expect(post).toMatchObject({ name: null, userId: null, content: '綺麗ですね' })
    expect(await departures(after)).toHaveLength(1)
    after.clock.now += 16 * MINUTE
    await after.deps.departures.sweep()
    expect(await departures(after)).toEqual([])
    await after.close()
    await database.close()
  })

  it('covers every post of a long thread, and changes no other member’s posts', async () => {
    const member = await signUp(board, '長居した人')
    const thread = await startThread(member)
    const { db } = board.database
    await sql`
      insert into posts ("threadId", number, id, name, content, "userId", "createdAt")
      select ${thread._id}::uuid, number, gen_random_uuid(), case when number % 3 = 0 then '長居した人' else '通行人' end, 'x',
        case when number % 3 = 0 then ${member.userId}::uuid end, now()
      from generate_series(2, 4500) as number`.execute(db)
    await sql`update threads set "postCount" = 4500 where id = ${thread._id}::uuid`.execute(db)
    expect((await leave(member)).status).toBe(200)
    await board.settle()
    expect(await countRows(board, member.userId)).toBe(0)
    const names = await sql<{ name: string | null; posts: number }>`
      select name, count(*)::integer as posts from posts where "threadId" = ${thread._id}::uuid group by name order by name`.execute(
      db,
    )
    expect(names.rows).toEqual([
      { name: '通行人', posts: 2_999 },
      { name: null, posts: 1_501 },
    ])
  })

  it('covers concurrent posts: each is refused or becomes nameless', async () => {
    const member = await signUp(board, '最後の一言')
    const threads = await Promise.all(Array.from({ length: 4 }, () => startThread(visit(board))))
    const url = await board.listen()
    const socket = await connectTo(url, member)
    // Another window of the browser that still has the old session.
    const window = visit(board)
    for (const [name, value] of member.cookies) window.cookies.set(name, value)
    const work: Promise<'posted' | 'refused'>[] = []
    const over = async (posting: Promise<{ status: number }>) => ((await posting).status === 201 ? 'posted' : 'refused')
    const post = (guest: Guest, index: number) =>
      guest.post(`/api/threads/${threads[index % 4]!._id}/posts`, { content: `あと${index}`, name: '最後の一言' })
    for (let index = 0; index < 60; index += 1) {
      work.push(over(post(window, index)))
      if (index === 30) {
        work.push(
          over(leave(member)),
          over(window.form('/api/threads', { title: '最後のスレッド', content: 'さらば', category: 'world' })),
          send(socket, { threadId: threads[0]!._id, content: '声だけでも' })
            .then((answer) => ('post' in answer ? 'posted' : 'refused'))
            .catch(() => 'refused'),
        )
      }
      // Spreads the posts, so that some precede the deletion and some follow it.
      if (index % 10 === 0) await work[index]
    }
    const outcomes = await Promise.all(work.slice(0, 30))
    expect(outcomes).toContain('posted')
    await Promise.allSettled(work)
    await board.settle()
    await board.deps.departures.sweep()
    expect(await countRows(board, member.userId)).toBe(0)
    for (const thread of threads) {
      const names = (await postsOf(thread)).map(({ name }) => name)
      expect(names).not.toContain('最後の一言')
    }
    expect((await post(window, 99)).status).toBe(401)
    socket.disconnect()
  })
})
