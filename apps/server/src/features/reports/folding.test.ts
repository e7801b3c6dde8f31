import { describe, expect } from 'vitest'
import type { ThreadState } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread, ThreadItem } from '@shinobi/contract/threads'
import { connectTo, enter, signUp, startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import {
  anotherAddress,
  decide,
  readPost,
  reportAs,
  reportTimes,
  undo,
  untilMidnight,
} from '../../testing/reporting.ts'

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board)))
  .extend('post', ({ board, thread }) => writeTo(visit(board), thread, '荒らしの書き込み', '荒らし'))
  .extend('helpers', ({ board, admin, thread }) => {
    const foldAt = (foldReporters: number) => admin.put('/api/admin/settings', { foldReporters })
    const entries = (action: string) =>
      board.database.db
        .selectFrom('auditLog')
        .selectAll()
        .where('action', '=', action)
        .where('threadId', '=', thread._id)
        .execute()
    return { foldAt, entries }
  })

describe('a post that enough people report', () => {
  it('is folded for everybody at once, with an entry of the board itself in the public log', async ({
    board,
    thread,
    post,
    helpers: { entries },
  }) => {
    const url = await board.listen()
    const screen = await connectTo(url)
    await enter(screen, thread._id)
    const changed = new Promise<ThreadState>((resolve) => screen.once('threadChanged', resolve))
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 1)
    expect(await changed).toEqual({ threadId: thread._id, postCount: 2, revision: 3 })
    expect(await readPost(board, post)).toMatchObject({ folded: true, content: '荒らしの書き込み', deleted: false })
    expect(await entries('post_fold')).toMatchObject([{ actorId: null, isPublic: true, number: 2 }])
    screen.close()
  })

  it('is not folded by one address with many cookies, and is folded only once by concurrent reports', async ({
    board,
    post,
    helpers: { entries },
  }) => {
    const address = anotherAddress()
    for (let index = 0; index < 6; index += 1) await reportAs(visit(board, address), post)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await Promise.all(Array.from({ length: 12 }, () => reportTimes(board, post, 1)))
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    expect(await entries('post_fold')).toHaveLength(1)
  })

  it('is not folded by a line with an IPv4 and an IPv6 address before and after midnight, but by three lines in two days', async ({
    board,
    admin,
    post,
  }) => {
    const line = [anotherAddress(), '2001:db8:99::1']
    board.clock.now += untilMidnight(board) - 60_000
    for (const address of line) await reportAs(visit(board, address), post)
    board.clock.now += 120_000
    for (const address of line) await reportAs(visit(board, address), post)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    await admin.post('/auth/refresh')
  })

  it('is not folded by new accounts of one address, but by the same number of accounts older than a day', async ({
    board,
    admin,
    thread,
    post,
  }) => {
    const address = anotherAddress()
    const members = [await signUp(board, undefined, { address })]
    for (let index = 0; index < 3; index += 1) members.push(await signUp(board, undefined, { address }))
    for (const member of members) await reportAs(member, post)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    board.clock.now += 25 * 3_600_000
    for (const one of [...members, admin]) await one.post('/auth/refresh')
    const other = await writeTo(visit(board), thread, 'もう一つの荒らし', '荒らし弐')
    for (const member of members.slice(0, 3)) await reportAs(member, other)
    expect(await readPost(board, other)).toMatchObject({ folded: true })
  })

  it('is unfolded by a dismissal, and folded again only by as many new voices', async ({ board, admin, post }) => {
    await reportTimes(board, post, 3)
    const { body } = await decide(admin, post, { action: 'dismiss' })
    expect(body.case).toMatchObject({ status: 'closed', post: { folded: false } })
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('is folded again when the dismissal is undone', async ({ board, admin, post }) => {
    await reportTimes(board, post, 3)
    const { body } = await decide(admin, post, { action: 'dismiss' })
    expect((await undo(admin, body.actionId)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('stays unfolded after a moderator undoes the folding, until as many new voices report it', async ({
    board,
    admin,
    post,
    helpers: { entries },
  }) => {
    await reportTimes(board, post, 3)
    const [entry] = await entries('post_fold')
    expect((await undo(admin, entry!.id)).status).toBe(200)
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    expect(await entries('post_unfold')).toMatchObject([{ undoes: entry!.id, isPublic: true }])
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('is unfolded when a moderator restores it, and folded again only by as many new voices', async ({
    board,
    admin,
    post,
  }) => {
    await reportTimes(board, post, 3)
    expect((await admin.delete(`/api/admin/posts/${post._id}`, { rule: 'disturb' })).status).toBe(200)
    expect((await admin.post(`/api/admin/posts/${post._id}/restore`)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ folded: false, deleted: false })
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('is hidden with its image in lists, feeds and the thread while it is post 1, also after its removal is undone', async ({
    board,
    admin,
  }) => {
    const reader = visit(board)
    const opened = await startThread(visit(board), { content: '衝撃の一枚', image: await picture() })
    const [opening] = (await reader.get<Post[]>(`/api/threads/${opened._id}/posts`)).body
    const shown = async () => {
      const list = (await reader.get<ThreadItem[]>('/api/threads')).body
      const listed = list.find(({ _id }) => _id === opened._id)!
      const ofCategory = (await reader.get<string>(`/categories/${opened.categoryId}/feed.xml`)).body
      const thread = (await reader.get<Thread>(`/api/threads/${opened._id}`)).body
      return {
        ...{ excerpt: listed.excerpt, hasImage: listed.imageUrl !== null || thread.imageUrl !== null },
        isInFeed: ofCategory.includes('衝撃の一枚'),
      }
    }
    const everywhere = { excerpt: '衝撃の一枚', hasImage: true, isInFeed: true }
    const nowhere = { excerpt: '', hasImage: false, isInFeed: false }
    expect(await shown()).toEqual(everywhere)
    await reportTimes(board, opening!, 3)
    expect(await shown()).toEqual(nowhere)
    const removal = await decide(admin, opening!, { action: 'remove', rule: 'hurt' })
    expect((await undo(admin, removal.body.actionId)).status).toBe(200)
    expect(await readPost(board, opening!)).toMatchObject({ folded: true, deleted: false })
    expect(await shown()).toEqual(nowhere)
    await decide(admin, opening!, { action: 'dismiss' })
    expect(await shown()).toEqual(everywhere)
  })

  it('is folded at the number that administrators set, and never at 0', async ({
    board,
    post,
    helpers: { foldAt },
  }) => {
    expect((await foldAt(0)).status).toBe(200)
    await reportTimes(board, post, 5)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await foldAt(6)
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    await foldAt(3)
  })
})
