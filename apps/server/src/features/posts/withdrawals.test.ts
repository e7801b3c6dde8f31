/** Writers who delete their own posts. What a removal hides is tested in removals.test.ts. */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { AuditEntry } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import type { ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, giveLevel, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { anotherAddress, caseOf, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

let names = 0

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board), { title: '書き損じのスレッド' }))
  .extend('writer', ({ board }) => visit(board))
  .extend('post', ({ writer, thread }) => writeTo(writer, thread, '書き損じ', `筆${(names += 1)}`))

const remove = (who: Guest, { threadId, _id }: Pick<Post, 'threadId' | '_id'>) =>
  who.delete<{ code?: string; message?: string }>(`/api/threads/${threadId}/posts/${_id}`)

describe('a writer', () => {
  it('deletes an own post within ten minutes, which says so and is gone from page, search, lists, feed and images', async ({
    board,
    writer,
    thread,
  }) => {
    const { body: post } = await writer.form<Post>(`/api/threads/${thread._id}/posts`, {
      ...{ content: '鈴虫の書き損じ', name: `筆${(names += 1)}`, image: await picture() },
    })
    const reader = visit(board)
    await board.settle()
    const urls = [
      `/api/threads/${thread._id}/posts`,
      `/api/threads?search=${encodeURIComponent('鈴虫')}`,
      `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('鈴虫')}`,
      '/feed.xml',
    ]
    const see = async () => {
      const seen = []
      for (const url of urls) seen.push(JSON.stringify((await reader.get(url)).body))
      return seen.filter((text) => text.includes('鈴虫')).length
    }
    board.clock.now += 2_000
    expect(await see()).toBe(3)
    board.clock.now += 9 * 60_000
    expect(await remove(writer, post)).toMatchObject({ status: 200, body: {} })
    await board.settle()
    expect(await see()).toBe(0)
    expect((await reader.get(post.imageUrl!)).status).toBe(404)
    expect(await readPost(board, post)).toMatchObject({
      ...{ deleted: true, withdrawn: true, rule: null, content: '', name: null, imageUrl: null },
    })
  })

  it('gets 410 after ten minutes, and the post stays', async ({ board, writer, post }) => {
    board.clock.now += 10 * 60_000
    // At the very end it is in time: only the millisecond after it is late.
    board.clock.now += 1
    expect(await remove(writer, post)).toMatchObject({
      status: 410,
      body: { code: 'too_late', message: messages.own_delete_late(10) },
    })
    expect(await readPost(board, post)).toMatchObject({ deleted: false })
  })

  it('deletes the own post of a thread with post 1 only while nobody else has answered', async ({ board, admin }) => {
    const opener = visit(board)
    const lonely = await startThread(opener, { title: '誰も来ない' })
    await writeTo(opener, lonely, '独り言', '独り')
    const [first] = (await opener.get<Post[]>(`/api/threads/${lonely._id}/posts`)).body
    expect((await remove(opener, first!)).status).toBe(200)
    expect((await opener.get(`/api/threads/${lonely._id}`)).status).toBe(404)
    const titles = (await opener.get<ThreadItem[]>('/api/threads')).body.map(({ title }) => title)
    expect(titles).not.toContain('誰も来ない')
    // Nobody brings it back.
    expect((await admin.post(`/api/admin/threads/${lonely._id}/restore`)).body).toMatchObject({
      ...{ code: 'already_done', message: messages.post_withdrawn },
    })

    const answered = await startThread(opener)
    const answer = await writeTo(visit(board), answered, '返事', `客${(names += 1)}`)
    const [opening] = (await opener.get<Post[]>(`/api/threads/${answered._id}/posts`)).body
    const refused = { status: 409, body: { code: 'has_answers', message: messages.own_thread_answered } }
    expect(await remove(opener, opening!)).toMatchObject(refused)
    await admin.delete(`/api/admin/posts/${answer._id}`)
    expect(await remove(opener, opening!)).toMatchObject(refused)
  })

  it('deletes a post once, also when five requests arrive at the same moment, and the tally falls by one', async ({
    board,
    writer,
    post,
    database,
  }) => {
    const tally = async () => {
      const row = await database.db
        .selectFrom('tallies')
        .select((is) => is.fn.sum<string>('count').as('sum'))
        .where('kind', '=', 'posts')
        .executeTakeFirstOrThrow()
      return Number(row.sum)
    }
    // On a cluster the post is counted after its commit.
    await board.settle()
    const before = await tally()
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(writer, post)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
    expect(await tally()).toBe(before - 1)
  })

  it('keeps the level, and the public log says nothing', async ({ board, writer, post, admin }) => {
    await giveLevel(board, writer, 5)
    await remove(writer, post)
    const actorId = /[0-9a-f-]{36}/.exec(writer.cookies.get('visitor')!)![0]
    const level = await board.database.db
      .selectFrom('levels')
      .select(['days', 'removals'])
      .where('actorId', '=', actorId)
      .executeTakeFirstOrThrow()
    expect(level).toEqual({ days: 5, removals: 0 })
    const { entries } = (await admin.get<{ entries: AuditEntry[] }>('/api/admin/audit')).body
    expect(entries[0]).toMatchObject({
      ...{ action: 'post_withdraw', actor: null, subject: null, number: post.number, details: {}, undoable: false },
    })
    expect(JSON.stringify((await visit(board).get('/api/moderation-log')).body)).not.toContain('withdraw')
  })

  it('takes back a held post, which no moderator can publish any more', async ({ board, admin, thread, writer }) => {
    await admin.post('/api/admin/words', { word: '要確認', action: 'hold' })
    await board.deps.revisions.settle()
    const answer = await writer.post<{ held: { _id: string } }>(`/api/threads/${thread._id}/posts`, {
      ...{ content: '要確認の文', name: `筆${(names += 1)}` },
    })
    expect(answer.status).toBe(202)
    const url = `/api/held/${answer.body.held._id}`
    expect((await visit(board).delete(url)).status).toBe(404)
    expect((await writer.delete(url)).status).toBe(200)
    expect((await writer.get(url)).body).toMatchObject({ status: 'withdrawn' })
    expect((await writer.delete(url)).status).toBe(409)
    const { held } = (await admin.get<{ held: { _id: string }[] }>('/api/admin/held')).body
    expect(held).toEqual([])
    expect((await admin.post(`/api/admin/held/${answer.body.held._id}/decision`, { action: 'approve' })).status).toBe(
      409,
    )
  })

  it('cannot delete where the operators have switched it off', async ({ board, writer, post, admin }) => {
    const readMinutes = async () => (await visit(board).get('/api/notices')).body
    expect(await readMinutes()).toMatchObject({ ownDeleteMinutes: 10 })
    await admin.put('/api/admin/settings', { ownDeleteMinutes: 0 })
    await board.deps.revisions.settle()
    expect(await readMinutes()).toMatchObject({ ownDeleteMinutes: 0 })
    expect(await remove(writer, post)).toMatchObject({ status: 403, body: { message: messages.own_delete_off } })
    await admin.put('/api/admin/settings', { ownDeleteMinutes: 10 })
    await board.deps.revisions.settle()
  })
})

describe('somebody else', () => {
  it('gets 403: a new browser, another visitor of the same address, a member, an administrator', async ({
    board,
    post,
    admin,
    thread,
  }) => {
    const other = visit(board)
    await writeTo(other, thread, '隣の人', `隣${(names += 1)}`)
    for (const who of [visit(board), other, await signUp(board), admin]) {
      expect(await remove(who, post)).toMatchObject({ status: 403, body: { message: messages.own_post_only } })
    }
    expect(await readPost(board, post)).toMatchObject({ deleted: false })
  })

  it('gets 404 for the post under the id of another thread', async ({ writer, post }) => {
    const elsewhere = await startThread(writer)
    expect((await remove(writer, { threadId: elsewhere._id, _id: post._id })).status).toBe(404)
  })

  it('does not get the posts of a member by using the member’s browser after the log-out', async ({
    board,
    thread,
  }) => {
    const member = await signUp(board)
    const post = await writeTo(member, thread, '会員の文')
    await member.post('/auth/logout')
    expect((await remove(member, post)).status).toBe(403)
    const elsewhere = visit(board)
    await elsewhere.post('/auth/login', { username: member.name, password: '忍びの合言葉 42' })
    expect((await remove(elsewhere, post)).status).toBe(200)
  })
})

describe('a post that its writer deleted', () => {
  it('is not brought back by any undo, also of a removal of everything by this writer', async ({
    board,
    writer,
    thread,
    post,
    moderator,
  }) => {
    const other = await writeTo(writer, thread, '荒らし', `筆${names}`)
    await reportTimes(board, other, 1)
    await remove(writer, post)
    const { actionId } = (await decide(moderator, other, { action: 'remove_all', rule: 'hurt' })).body
    expect((await undo(moderator, actionId)).status).toBe(200)
    expect(await readPost(board, other)).toMatchObject({ deleted: false })
    expect(await readPost(board, post)).toMatchObject({ deleted: true, withdrawn: true })
    expect((await moderator.post(`/api/admin/posts/${post._id}/restore`)).body).toMatchObject({
      ...{ code: 'already_done', message: messages.post_withdrawn },
    })
  })

  it('that was reported keeps its case and its text for moderators, who can still ban its writer', async ({
    board,
    writer,
    thread,
    post,
    moderator,
  }) => {
    await reportTimes(board, post, 1)
    await remove(writer, post)
    const { post: shown } = await caseOf(moderator, post)
    expect(shown).toMatchObject({ content: '書き損じ', deleted: true, withdrawn: true })
    const ban = { on: ['visitor'], scope: 'site', reason: '荒らし行為', hours: 24 }
    expect((await decide(moderator, post, { action: 'ban', rule: 'hurt', ban })).status).toBe(200)
    await board.deps.revisions.settle()
    const again = { content: 'また', name: `筆${(names += 1)}` }
    expect((await writer.post(`/api/threads/${thread._id}/posts`, again)).status).toBe(403)
  })

  it('that a moderator removed first stays removed by the rule', async ({ board, writer, post, moderator }) => {
    await moderator.delete(`/api/admin/posts/${post._id}?rule=hurt`)
    expect(await remove(writer, post)).toMatchObject({ status: 409, body: { code: 'already_done' } })
    expect(await readPost(board, post)).toMatchObject({ deleted: true, rule: 'hurt' })
  })

  it('can be liked or deleted at the same moment, and the count stays that of its rows', async ({
    board,
    writer,
    post,
  }) => {
    const fans = await Promise.all(Array.from({ length: 5 }, () => signUp(board)))
    const like = (fan: Guest) => fan.post(`/api/threads/${post.threadId}/posts/${post._id}/like`)
    const [removed] = await Promise.all([remove(writer, post), ...fans.map(like)])
    expect(removed.status).toBe(200)
    await board.settle()
    const rows = await board.database.db.selectFrom('postLikes').selectAll().where('postId', '=', post._id).execute()
    expect((await readPost(board, post)).likes).toBe(rows.length)
    expect((await like(fans[0]!)).status).toBe(404)
  })

  it('disappears on every screen and on other servers within two seconds', async ({ board, other, writer, thread }) => {
    other.clock.now = board.clock.now
    const reader = visit(other, anotherAddress())
    const url = `/api/threads/${thread._id}/posts`
    const post = await writeTo(writer, thread, '消す文', `筆${(names += 1)}`)
    const screen = await connectTo(await board.listen(), visit(board))
    await enter(screen, thread._id)
    const changed = new Promise((resolve) => screen.once('threadChanged', resolve))
    await expect.poll(async () => JSON.stringify((await reader.get(url)).body)).toContain('消す文')
    await remove(writer, post)
    await changed
    // What it looks up each second.
    await other.deps.removalFollower.settle()
    expect(JSON.stringify((await reader.get(url)).body)).not.toContain('消す文')
    screen.close()
  })
})
