import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ThreadState } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import {
  connectTo,
  enter,
  openBoard,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type MemberGuest,
} from '../../testing/board.ts'
import { anotherAddress, decide, readPost, reportAs, reportTimes, undo } from '../../testing/reporting.ts'

let board: Board
let admin: MemberGuest
let thread: Thread
let post: Post
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000' })
  admin = await signUp(board, '頭領さん', { isAdmin: true })
})
beforeEach(async () => {
  thread = await startThread(visit(board))
  post = await writeTo(visit(board), thread, '荒らしの書き込み', '荒らし')
})
afterAll(() => board.close())

const foldAt = (foldReporters: number) => admin.put('/api/admin/settings', { foldReporters })
const entries = (action: string) =>
  board.database.db
    .selectFrom('auditLog')
    .selectAll()
    .where('action', '=', action)
    .where('threadId', '=', thread._id)
    .execute()

describe('a post that enough people report', () => {
  it('is folded for everybody at once, and the board says so in the public log', async () => {
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

  it('is not folded by one who drops the cookie, nor twice by a crowd', async () => {
    const address = anotherAddress()
    for (let index = 0; index < 6; index += 1) await reportAs(visit(board, address), post)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await Promise.all(Array.from({ length: 12 }, () => reportTimes(board, post, 1)))
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    expect(await entries('post_fold')).toHaveLength(1)
  })

  it('is not folded by one who opens accounts, and is by as many members of some days behind one address', async () => {
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

  it('is unfolded by a dismissal, and folded again only by as many who were not heard', async () => {
    await reportTimes(board, post, 3)
    const { body } = await decide(admin, post, { action: 'dismiss' })
    expect(body.case).toMatchObject({ status: 'closed', post: { folded: false } })
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('is folded as before when the dismissal is taken back', async () => {
    await reportTimes(board, post, 3)
    const { body } = await decide(admin, post, { action: 'dismiss' })
    expect((await undo(admin, body.actionId)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('stays unfolded when a moderator takes the folding back, until as many others report it', async () => {
    await reportTimes(board, post, 3)
    const [entry] = await entries('post_fold')
    expect((await undo(admin, entry!.id)).status).toBe(200)
    await reportTimes(board, post, 2)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    expect(await entries('post_unfold')).toMatchObject([{ undoes: entry!.id, isPublic: true }])
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('is folded at the number that administrators set, and never at 0', async () => {
    expect((await foldAt(0)).status).toBe(200)
    await reportTimes(board, post, 5)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await foldAt(6)
    await reportTimes(board, post, 1)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    await foldAt(3)
  })
})
