/** スレ主: what the opener of a thread does in it. */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { AuditEntry } from '@shinobi/contract/moderation'
import { OWNER_ACTIONS_MAX, OWNER_ACTIONS_PER_HOUR } from '@shinobi/contract/owner-limits'
import type { OwnerAction } from '@shinobi/contract/owners'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { nextDayInJapan } from '../../lib/day-in-japan.ts'
import { purgeThreads } from '../../purge.ts'
import {
  connectTo,
  enter,
  giveLevel,
  send,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { anotherAddress, caseOf, decide, readPost, reportTimes, undo } from '../../testing/reporting.ts'

let names = 0
const aName = () => `客${(names += 1)}`

const it = boardTest
  // Their sessions end as the clock of the board goes on, so each test has its own.
  .extend('chief', ({ board }) => signUp(board, undefined, { isAdmin: true }))
  .extend('keeper', ({ board }) => signUp(board, undefined, { moderates: 'all' }))
  .extend('owner', ({ board }) => visit(board, anotherAddress()))
  .extend('thread', async ({ board, owner }) => {
    const thread = await startThread(owner, { title: '嵐のスレッド' })
    await giveLevel(board, owner, 3)
    return thread
  })
  .extend('stranger', ({ board }) => visit(board, anotherAddress()))
  .extend('post', ({ stranger, thread }) => writeTo(stranger, thread, '脱線した話', aName()))

type Refusal = { code?: string; message?: string }
const urlOf = (thread: Pick<Thread, '_id'>) => `/api/threads/${thread._id}/owner-actions`
const act = (who: Guest, thread: Pick<Thread, '_id'>, task: object) =>
  who.post<OwnerAction & Refusal>(urlOf(thread), task)
const takeBack = (who: Guest, thread: Pick<Thread, '_id'>, { _id }: Pick<OwnerAction, '_id'>) =>
  who.delete<Refusal>(`${urlOf(thread)}/${_id}`)
const note = (who: Guest, thread: Pick<Thread, '_id'>, text: string) => act(who, thread, { kind: 'note', text })
const fold = (who: Guest, post: Post, text = '話がそれています') =>
  act(who, { _id: post.threadId }, { kind: 'fold', postId: post._id, text })
const silence = (who: Guest, post: Post, text = '荒らしです') =>
  act(who, { _id: post.threadId }, { kind: 'silence', postId: post._id, text })
const close = (who: Guest, thread: Pick<Thread, '_id'>) => act(who, thread, { kind: 'close', text: '荒れたため' })

const read = async (board: Board, { _id }: Pick<Thread, '_id'>): Promise<Thread> =>
  (await visit(board).get<Thread>(`/api/threads/${_id}`)).body
const logOf = async (board: Board, thread: Pick<Thread, '_id'>): Promise<OwnerAction[]> =>
  (await read(board, thread)).ownerActions
const tryToWrite = (who: Guest, thread: Pick<Thread, '_id'>, name = aName()) =>
  who.post<Refusal>(`/api/threads/${thread._id}/posts`, { content: '続き', name })

describe('the opener of a thread', () => {
  it('adds notes, folds a post, silences an ID and closes the thread, and all of it stands in the public log', async ({
    board,
    owner,
    thread,
    post,
  }) => {
    expect(await note(owner, thread, '次の集まりは土曜です')).toMatchObject({ status: 201, body: { kind: 'note' } })
    expect((await fold(owner, post)).status).toBe(201)
    expect((await silence(owner, post)).status).toBe(201)
    expect((await close(owner, thread)).status).toBe(201)
    const { ownerActions, locked } = await read(board, thread)
    expect(locked).toBe(true)
    const plain = { number: null, posterId: null, undone: null, at: new Date(board.clock.now).toISOString() }
    expect(ownerActions).toEqual([
      { _id: expect.any(String), ...plain, kind: 'note', text: '次の集まりは土曜です' },
      { _id: expect.any(String), ...plain, kind: 'fold', number: 2, text: '話がそれています' },
      { _id: expect.any(String), ...plain, kind: 'silence', number: 2, posterId: post.posterId, text: '荒らしです' },
      { _id: expect.any(String), ...plain, kind: 'close', text: '荒れたため' },
    ])
    expect(await readPost(board, post)).toMatchObject({ folded: true, foldReason: '話がそれています' })
  })

  it('is a member from any of their browsers, and no browser of theirs without the account', async ({ board }) => {
    const member = await signUp(board, '主')
    await giveLevel(board, member, 3)
    const thread = await startThread(member)
    const loggedOut = visit(board)
    loggedOut.cookies.set('visitor', member.cookies.get('visitor')!)
    await giveLevel(board, loggedOut, 20)
    expect(await note(loggedOut, thread, '私です')).toMatchObject({
      status: 403,
      body: { message: messages.owner_only },
    })
    expect((await note(member, thread, '会員です')).status).toBe(201)
  })

  it.for(['note', 'fold', 'silence', 'close'])(
    'is the only one who can do this: %s',
    async (kind, { board, thread, post, stranger }) => {
      await giveLevel(board, stranger, 20)
      const task =
        kind === 'fold' || kind === 'silence' ? { kind, postId: post._id, text: '勝手に' } : { kind, text: '勝手に' }
      const refused = { status: 403, body: { code: 'forbidden', message: messages.owner_only } }
      expect(await act(stranger, thread, task)).toMatchObject(refused)
      const newcomer = visit(board)
      expect(await act(newcomer, thread, task)).toMatchObject(refused)
      // A refusal makes nobody known.
      expect(newcomer.cookies.size).toBe(0)
      expect(await logOf(board, thread)).toEqual([])
    },
  )

  it('needs the level of the settings, loses it when it moves away, and 21 closes it to everybody', async ({
    board,
    chief,
    owner,
    thread,
  }) => {
    const refused = (level: number) => ({
      status: 403,
      body: { code: 'forbidden', message: messages.owner_level(level) },
    })
    await giveLevel(board, owner, 2)
    expect(await note(owner, thread, '早すぎる')).toMatchObject(refused(3))
    await giveLevel(board, owner, 3)
    expect((await note(owner, thread, '足りた')).status).toBe(201)
    const { phrase } = (await owner.post<{ phrase: string }>('/api/scroll/phrase')).body
    const heir = visit(board)
    expect((await heir.post('/api/scroll/claim', { phrase })).status).toBe(200)
    expect(await note(owner, thread, '移したあと')).toMatchObject(refused(3))
    expect(await note(heir, thread, '移った先')).toMatchObject({ status: 403, body: { message: messages.owner_only } })
    await giveLevel(board, owner, 20)
    await chief.put('/api/admin/settings', { levelOwner: 21 })
    await board.deps.revisions.settle()
    expect(await note(owner, thread, '誰にも')).toMatchObject(refused(21))
    await chief.put('/api/admin/settings', { levelOwner: 3 })
    await board.deps.revisions.settle()
  })

  it('has no power once post 1 was removed, in a removed thread, and in one that moderators locked', async ({
    board,
    chief,
    owner,
    thread,
  }) => {
    await chief.put(`/api/admin/threads/${thread._id}`, { locked: true })
    expect(await note(owner, thread, '錠の中')).toMatchObject({ status: 423, body: { message: messages.owner_locked } })
    await chief.put(`/api/admin/threads/${thread._id}`, { locked: false })
    const [opening] = (await owner.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    await chief.delete(`/api/admin/posts/${opening!._id}?rule=disturb`)
    await giveLevel(board, owner, 5)
    expect(await note(owner, thread, '消えたあと')).toMatchObject({
      status: 403,
      body: { message: messages.owner_only },
    })
    await chief.delete(`/api/admin/threads/${thread._id}?rule=disturb`)
    expect((await note(owner, thread, '消えたあと')).status).toBe(404)
  })

  it('has no notes in public while post 1 is removed; moderators see them with the case of post 1', async ({
    board,
    keeper,
    owner,
    thread,
    post,
  }) => {
    const [opening] = (await owner.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    await note(owner, thread, 'さらした住所')
    const { body: second } = await note(owner, thread, '取り消した追記')
    await takeBack(owner, thread, second)
    await fold(owner, post, '折りたたみの理由')
    for (const reported of [opening!, post]) await reportTimes(board, reported, 1)
    expect(await caseOf(keeper, opening!)).toMatchObject({ ownerNotes: ['さらした住所'] })
    expect(await caseOf(keeper, post)).toMatchObject({ ownerNotes: [] })
    const { body: removal } = await decide(keeper, opening!, { action: 'remove', rule: 'hurt' })
    const shown = JSON.stringify(await read(board, thread))
    expect(shown).not.toContain('さらした住所')
    expect(shown).toContain('折りたたみの理由')
    expect(await caseOf(keeper, opening!)).toMatchObject({ ownerNotes: ['さらした住所'] })
    await undo(keeper, removal.actionId)
    expect((await logOf(board, thread))[0]).toMatchObject({ kind: 'note', text: 'さらした住所' })
  })

  it('is refused while banned from the thread', async ({ board, chief, owner, thread }) => {
    const [opening] = (await owner.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    const target = { threadId: thread._id, postId: opening!._id }
    const ban = await chief.post('/api/admin/bans', { target, on: ['visitor'], hours: 1, reason: '頭を冷やす' })
    expect(ban.status).toBe(201)
    await board.deps.revisions.settle()
    expect(await note(owner, thread, '締め出された')).toMatchObject({ status: 403, body: { code: 'banned' } })
  })

  it('writes at most three notes of 200 characters, also when five requests arrive at once', async ({
    board,
    owner,
    thread,
  }) => {
    expect((await note(owner, thread, 'あ'.repeat(201))).body.message).toBe(messages.owner_note_too_long)
    expect((await note(owner, thread, ' 　\n')).body.message).toBe(messages.owner_note_required)
    const tabs = await Promise.all(Array.from({ length: 5 }, (_, index) => note(owner, thread, `追記その${index}`)))
    expect(tabs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409])
    const log = await logOf(board, thread)
    expect(log.map(({ kind }) => kind)).toEqual(['note', 'note', 'note'])
    // Taking one back makes no room: what was said cannot be rewritten again and again.
    expect((await takeBack(owner, thread, log[0]!)).status).toBe(200)
    expect(await note(owner, thread, '四つめ')).toMatchObject({
      status: 409,
      body: { message: messages.owner_notes_full },
    })
    expect((await logOf(board, thread))[0]).toMatchObject({ text: null, undone: 'owner' })
  })

  it('says a note once, however often it is sent', async ({ board, owner, thread }) => {
    const tabs = await Promise.all(Array.from({ length: 3 }, () => note(owner, thread, '一度だけ')))
    expect(tabs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect(await logOf(board, thread)).toHaveLength(1)
  })

  it('cannot use words that are banned, or held, in a note or a reason', async ({
    board,
    chief,
    owner,
    thread,
    post,
  }) => {
    await chief.post('/api/admin/words', { word: '禁句', action: 'block' })
    await chief.post('/api/admin/words', { word: '要確認', action: 'hold' })
    await chief.post('/api/admin/words', { word: '伏字', action: 'mask' })
    await board.deps.revisions.settle()
    const refused = { status: 400, body: { code: 'banned_word', message: messages.banned_word } }
    expect(await note(owner, thread, 'これは禁句です')).toMatchObject(refused)
    expect(await fold(owner, post, '要確認です')).toMatchObject(refused)
    expect((await fold(owner, post, '伏字です')).body.text).toBe('＊＊です')
    expect(await readPost(board, post)).toMatchObject({ foldReason: '＊＊です' })
  })

  it('acts at most so often in an hour, and in a thread', async ({ board, owner, thread }) => {
    const { db } = board.database
    const row = { threadId: thread._id, kind: 'fold' as const, at: new Date(board.clock.now), postId: null }
    const rows = Array.from({ length: OWNER_ACTIONS_MAX }, (_, index) => ({
      ...{ ...row, id: `019a0000-0000-7000-8000-${String(index).padStart(12, '0')}`, number: 9, posterId: null },
      text: '昔の',
    }))
    await db.insertInto('ownerActions').values(rows).execute()
    expect(await note(owner, thread, '入らない')).toMatchObject({ status: 409, body: { message: messages.owner_full } })
    for (let index = 1; index < OWNER_ACTIONS_PER_HOUR; index += 1) await note(owner, thread, '入らない')
    expect(await note(owner, thread, '続きすぎ')).toMatchObject({
      ...{ status: 429, body: { code: 'too_many_requests', message: messages.owner_limited } },
    })
  })
})

describe('a fold', () => {
  it('hides the text from search, and the opener takes it back', async ({ board, owner, thread, post }) => {
    const { body } = await fold(owner, post)
    await board.settle()
    const found = (
      await visit(board).get<{ found: { parts: string[] }[] }>(
        `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('脱線')}`,
      )
    ).body.found
    expect(JSON.stringify(found)).not.toContain('脱線')
    expect((await takeBack(owner, thread, body)).status).toBe(200)
    const unfolded = await readPost(board, post)
    expect(unfolded.folded).toBe(false)
    expect(unfolded).not.toHaveProperty('foldReason')
    expect((await takeBack(owner, thread, body)).body).toMatchObject({ message: messages.action_undone })
    expect(await logOf(board, thread)).toMatchObject([{ kind: 'fold', number: 2, text: null, undone: 'owner' }])
  })

  it('is done once by two tabs, and neither of post 1 nor of a post of the staff', async ({
    board,
    chief,
    owner,
    thread,
    post,
  }) => {
    const tabs = await Promise.all([fold(owner, post), fold(owner, post, 'もう一枚の窓')])
    expect(tabs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(await logOf(board, thread)).toHaveLength(1)
    const [opening] = (await owner.get<Post[]>(`/api/threads/${thread._id}/posts`)).body
    expect(await fold(owner, opening!)).toMatchObject({ status: 400, body: { message: messages.owner_opening } })
    const official = await chief.post<Post>(`/api/threads/${thread._id}/posts`, { content: 'お知らせ', asStaff: true })
    expect(await fold(owner, official.body)).toMatchObject({
      status: 400,
      body: { message: messages.owner_staff_post },
    })
    await chief.delete(`/api/admin/posts/${post._id}?rule=disturb`)
    expect((await fold(owner, post)).status).toBe(404)
  })

  it('yields to one by reports, which the opener cannot lift', async ({ board, chief, owner, thread, post }) => {
    const { body } = await fold(owner, post)
    await reportTimes(board, post, 3)
    await board.settle()
    const folded = await readPost(board, post)
    expect(folded.folded).toBe(true)
    expect(folded).not.toHaveProperty('foldReason')
    expect((await takeBack(owner, thread, body)).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
    expect((await decide(chief, post, { action: 'dismiss', note: '' })).status).toBe(200)
    expect(await readPost(board, post)).toMatchObject({ folded: false })
  })

  it('stays when moderators dismiss the reports of the post', async ({ board, chief, owner, post }) => {
    await fold(owner, post)
    await reportTimes(board, post, 1)
    await decide(chief, post, { action: 'dismiss', note: '' })
    expect(await readPost(board, post)).toMatchObject({ folded: true, foldReason: '話がそれています' })
  })
})

describe('a silence', () => {
  it('refuses posts of that ID in that thread over HTTP and the socket until midnight in Japan', async ({
    board,
    owner,
    thread,
    stranger,
    post: { posterId: shared },
  }) => {
    // A browser with a level has an ID of its own, wherever it writes from.
    await giveLevel(board, stranger, 1)
    const post = await writeTo(stranger, thread, '荒らし', aName())
    expect(post.posterId).not.toBe(shared)
    const elsewhere = await startThread(owner)
    expect((await tryToWrite(stranger, thread)).status).toBe(201)
    expect((await silence(owner, post)).status).toBe(201)
    const refused = { code: 'silenced', message: messages.id_silenced }
    expect(await tryToWrite(stranger, thread)).toMatchObject({ status: 403, body: refused })
    const socket = await connectTo(await board.listen(), stranger)
    await enter(socket, thread._id)
    expect(await send(socket, { threadId: thread._id, content: '続き', name: aName() })).toEqual({ error: refused })
    socket.close()
    expect((await tryToWrite(visit(board, anotherAddress()), thread)).status).toBe(201)
    expect((await tryToWrite(stranger, elsewhere)).status).toBe(201)
    board.clock.now = nextDayInJapan(board.clock.now) - 1
    expect((await tryToWrite(stranger, thread)).status).toBe(403)
    board.clock.now += 1
    expect((await tryToWrite(stranger, thread)).status).toBe(201)
  })

  it('meets all newcomers of one network, and spares its regulars', async ({ board, owner, thread }) => {
    const address = anotherAddress()
    const [one, other, regular] = [visit(board, address), visit(board, address), visit(board, address)]
    const post = await writeTo(one, thread, '荒らし', aName())
    await writeTo(regular, thread, '常連です', aName())
    await giveLevel(board, regular, 1)
    await silence(owner, post)
    expect((await tryToWrite(other, thread)).body.code).toBe('silenced')
    expect((await tryToWrite(regular, thread)).status).toBe(201)
  })

  it('is refused for the own ID, an ID of yesterday, and where there are no IDs, and is set once', async ({
    board,
    chief,
    owner,
    thread,
    post,
  }) => {
    const own = await writeTo(owner, thread, '私です', aName())
    expect(await silence(owner, own)).toMatchObject({ status: 400, body: { message: messages.owner_own_id } })
    expect((await silence(owner, post)).status).toBe(201)
    expect(await silence(owner, post)).toMatchObject({ status: 409, body: { message: messages.owner_silenced } })
    const official = await chief.post<Post>(`/api/threads/${thread._id}/posts`, { content: 'お知らせ', asStaff: true })
    expect(await silence(owner, official.body)).toMatchObject({ status: 400, body: { message: messages.owner_no_id } })
    board.clock.now += 24 * 3_600_000
    expect(await silence(owner, post)).toMatchObject({ status: 400, body: { message: messages.owner_old_id } })
  })

  it('does not silence the staff, and ends when it is taken back', async ({
    owner,
    thread,
    stranger,
    post,
    keeper,
  }) => {
    const { body } = await silence(owner, post)
    expect((await tryToWrite(stranger, thread)).body.code).toBe('silenced')
    expect((await takeBack(owner, thread, body)).status).toBe(200)
    expect((await tryToWrite(stranger, thread)).status).toBe(201)
    const answer = await keeper.post<Post>(`/api/threads/${thread._id}/posts`, { content: '一言' })
    await silence(owner, answer.body)
    expect((await tryToWrite(keeper, thread)).body.code).toBe('silenced')
    expect((await keeper.post(`/api/threads/${thread._id}/posts`, { content: '運営から', asStaff: true })).status).toBe(
      201,
    )
  })
})

describe('a closed thread', () => {
  it('takes no posts, and only moderators open it again, after which its opener cannot close it', async ({
    board,
    keeper,
    owner,
    thread,
    stranger,
  }) => {
    const { body } = await close(owner, thread)
    expect(await tryToWrite(stranger, thread)).toMatchObject({ status: 423, body: { code: 'locked' } })
    expect(await takeBack(owner, thread, body)).toMatchObject({ status: 423, body: { message: messages.owner_locked } })
    expect((await undo(keeper, body._id)).status).toBe(200)
    expect((await tryToWrite(stranger, thread)).status).toBe(201)
    expect(await read(board, thread)).toMatchObject({
      locked: false,
      ownerActions: [{ kind: 'close', undone: 'staff' }],
    })
    expect(await close(owner, thread)).toMatchObject({ status: 409, body: { message: messages.owner_final } })
  })

  it('shows as opened, and not as closed by its opener, when moderators unlock and lock it themselves', async ({
    board,
    chief,
    keeper,
    owner,
    thread,
  }) => {
    const { body } = await close(owner, thread)
    board.clock.now += 1_000
    await chief.put(`/api/admin/threads/${thread._id}`, { locked: false })
    expect((await logOf(board, thread))[0]).toMatchObject({ kind: 'close', undone: 'staff' })
    await chief.put(`/api/admin/threads/${thread._id}`, { locked: true })
    expect(await read(board, thread)).toMatchObject({ locked: true, ownerActions: [{ undone: 'staff' }] })
    expect((await undo(keeper, body._id)).status).toBe(409)
    expect(await read(board, thread)).toMatchObject({ locked: true })
  })
})

describe('moderators', () => {
  it('take back every action, also weeks later, and it cannot be repeated', async ({
    board,
    keeper,
    owner,
    thread,
    stranger,
    post,
  }) => {
    const done = [await note(owner, thread, '中傷の追記'), await fold(owner, post), await silence(owner, post)]
    const later = await undo(keeper, done[2]!.body._id)
    expect(later.status).toBe(200)
    expect((await tryToWrite(stranger, thread)).status).toBe(201)
    expect(await silence(owner, post)).toMatchObject({ status: 409, body: { message: messages.owner_final } })
    board.clock.now += 40 * 24 * 3_600_000
    const laterKeeper = await signUp(board, undefined, { moderates: 'all' })
    for (const { body } of done.slice(0, 2)) expect((await undo(laterKeeper, body._id)).status).toBe(200)
    const log = await logOf(board, thread)
    expect(log.map(({ undone, text }) => ({ undone, text }))).toEqual(
      Array.from({ length: 3 }, () => ({ undone: 'staff', text: null })),
    )
    expect(await readPost(board, post)).toMatchObject({ folded: false })
    await giveLevel(board, owner, 3)
    expect(await fold(owner, post)).toMatchObject({ status: 409, body: { message: messages.owner_final } })
    expect((await undo(laterKeeper, done[0]!.body._id)).body.message).toBe(messages.action_undone)
  })

  it('find each action in the audit log without its opener and its words, and not in the public one', async ({
    board,
    chief,
    owner,
    thread,
    post,
  }) => {
    const { body } = await fold(owner, post, '理由の文')
    const { entries } = (await chief.get<{ entries: AuditEntry[] }>('/api/admin/audit')).body
    expect(entries[0]).toMatchObject({
      ...{ _id: body._id, action: 'owner_fold', actor: null, subject: null, reason: null, number: 2, details: {} },
      undoable: true,
    })
    expect(JSON.stringify((await visit(board).get('/api/moderation-log')).body)).not.toContain('owner_')
    await takeBack(owner, thread, body)
    const after = (await chief.get<{ entries: AuditEntry[] }>('/api/admin/audit')).body.entries
    expect(after[0]).toMatchObject({ action: 'owner_undo', actor: null, undoable: false })
    expect(after[1]).toMatchObject({ _id: body._id, undone: true, undoable: false })
  })

  it('of other categories cannot take them back, and members cannot', async ({ board, owner, thread, post }) => {
    const { body } = await fold(owner, post)
    const categories = (await visit(board).get<{ _id: string }[]>('/api/categories')).body
    const other = categories.find(({ _id }) => _id !== thread.categoryId)!
    const distant = await signUp(board, '隣の見回り', { moderates: [other._id] })
    expect((await undo(distant, body._id)).status).toBe(403)
    expect((await undo(await signUp(board), body._id)).status).toBe(403)
    expect(await readPost(board, post)).toMatchObject({ folded: true })
  })

  it('and the opener take an action back once when both do so at the same moment', async ({
    board,
    keeper,
    owner,
    thread,
    post,
  }) => {
    const { body } = await fold(owner, post)
    const both = await Promise.all([takeBack(owner, thread, body), undo(keeper, body._id)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await readPost(board, post)).toMatchObject({ folded: false })
  })
})

it('open pages hear of each action, and of its undo', async ({ board, keeper, owner, thread, post }) => {
  const socket = await connectTo(await board.listen())
  await enter(socket, thread._id)
  const next = () =>
    new Promise<number>((resolve) => void socket.once('threadChanged', ({ revision }) => resolve(revision)))
  let last = (await read(board, thread)).revision
  const tasks = [() => note(owner, thread, '聞こえますか'), () => fold(owner, post), () => silence(owner, post)]
  const done: OwnerAction[] = []
  for (const task of tasks) {
    const heard = next()
    done.push((await task()).body)
    expect(await heard).toBeGreaterThan(last)
    last = (await read(board, thread)).revision
  }
  for (const { _id } of done) {
    const heard = next()
    await undo(keeper, _id)
    expect(await heard).toBeGreaterThan(last)
    last = (await read(board, thread)).revision
  }
  socket.close()
})

it('a removed thread takes its log along when it is purged', async ({ board, chief, owner, thread }) => {
  await note(owner, thread, 'あとに残さない')
  await chief.delete(`/api/admin/threads/${thread._id}?rule=disturb`)
  board.clock.now += 26 * 3_600_000
  await purgeThreads(board.deps, board.clock.now)
  const left = await board.database.db
    .selectFrom('ownerActions')
    .select('id')
    .where('threadId', '=', thread._id)
    .execute()
  expect(left).toEqual([])
})
