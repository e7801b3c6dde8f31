/**
 * The calls of the settings page: a change takes effect at once on the server that makes it and
 * after the next poll on the others; an invalid one is refused as a whole.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { SettingsAnswer } from '@shinobi/contract/settings'
import {
  connectTo,
  openBoard,
  openTestDatabase,
  signUp,
  startThread,
  visit,
  type Board,
  type MemberGuest,
  type TestDatabase,
} from '../../testing/board.ts'

const SETTINGS = '/api/admin/settings'

let database: TestDatabase
let board: Board
let other: Board
let admin: MemberGuest

beforeAll(async () => {
  database = await openTestDatabase()
  board = await openBoard({ SPAM_POSTS: '30' }, database)
  other = await openBoard({ SPAM_POSTS: '30' }, database)
  admin = await signUp(board, '頭領', { isAdmin: true })
})
afterAll(async () => {
  await board.close()
  await other.close()
  await database.close()
})

const change = (settings: Record<string, unknown>) =>
  admin.put<SettingsAnswer & { message: string }>(SETTINGS, settings)

describe('settings', () => {
  it('are those of the environment, or the built-in ones, until somebody changes them', async () => {
    const { body } = await admin.get<SettingsAnswer>(SETTINGS)
    expect(body.changedAt).toBeNull()
    expect(body.settings).toEqual(body.defaults)
    expect(body.defaults).toMatchObject({
      spamPosts: 30,
      spamWindowMinutes: 15,
      foldReporters: 3,
      postCooldownSeconds: 0,
    })
  })

  it('change one by one, and the others stay', async () => {
    expect((await change({ foldReporters: 5 })).body.settings).toMatchObject({ foldReporters: 5, spamPosts: 30 })
    const { body } = await change({ newcomerHours: 48 })
    expect(body.settings).toMatchObject({ foldReporters: 5, newcomerHours: 48, spamPosts: 30 })
    expect(body.changedAt).toBe(new Date(board.clock.now).toISOString())
    expect((await change({ foldReporters: 3, newcomerHours: 24 })).body.settings).toEqual(body.defaults)
  })

  it.each([
    [{ spamPosts: 0 }, messages.setting_range(1, 1_000_000)],
    [{ spamPosts: '12' }, messages.setting_range(1, 1_000_000)],
    [{ spamPosts: 1.5 }, messages.setting_range(1, 1_000_000)],
    [{ shieldPostsPerMinute: [10, 20, 20] }, messages.setting_rising],
    [{ bannerText: 'お'.repeat(201) }, messages.banner_too_long],
  ])('with an invalid value are refused with a reason, and change nothing: %j', async (settings, message) => {
    const before = (await admin.get<SettingsAnswer>(SETTINGS)).body
    const answer = await change({ foldReporters: 9, ...settings })
    expect([answer.status, answer.body.message]).toEqual([400, message])
    expect((await admin.get<SettingsAnswer>(SETTINGS)).body).toEqual(before)
  })

  it('take effect on this server at once, and on the others after their next poll', async () => {
    await change({ spamPosts: 3 })
    for (const own of [board, other]) {
      await own.deps.revisions.settle()
      const guest = visit(own, own === board ? '198.51.100.1' : '198.51.100.2')
      const thread = await startThread(guest)
      const post = () => guest.post(`/api/threads/${thread._id}/posts`, { content: '一言', name: '影' })
      expect([(await post()).status, (await post()).status]).toEqual([201, 429])
    }
    await change({ spamPosts: 30 })
  })

  it('with a lowered limit count earlier posts as well', async () => {
    const guest = visit(board, '198.51.100.3')
    const thread = await startThread(guest)
    const post = () => guest.post(`/api/threads/${thread._id}/posts`, { content: '一言', name: '影' })
    for (let count = 0; count < 4; count += 1) expect((await post()).status).toBe(201)
    await change({ spamPosts: 5 })
    expect((await post()).status).toBe(429)
    await change({ spamPosts: 30 })
    expect((await post()).status).toBe(201)
  })

  it('keep all changes of concurrent requests', async () => {
    await Promise.all([change({ foldReporters: 7 }), change({ newcomerHours: 7 }), change({ holdReleaseMinutes: 7 })])
    const { body } = await admin.get<SettingsAnswer>(SETTINGS)
    expect(body.settings).toMatchObject({ foldReporters: 7, newcomerHours: 7, holdReleaseMinutes: 7 })
  })

  it('have an entry in the log with their former values', async () => {
    await change({ foldReporters: 4 })
    await change({ foldReporters: 6 })
    const entry = await database.db
      .selectFrom('auditLog')
      .select(['actorName', 'details', 'isPublic'])
      .where('action', '=', 'settings_change')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({
      actorName: '頭領',
      details: { before: { foldReporters: 4 }, after: { foldReporters: 6 } },
      isPublic: false,
    })
  })

  it('of an older version do not stop the board', async () => {
    const own = await openTestDatabase()
    const value = JSON.stringify({ change: { foldReporters: 'three', gone: 1, newcomerHours: 2 } })
    await own.db.insertInto('settings').values({ key: 'board', value }).execute()
    const later = await openBoard({}, own)
    expect(later.deps.settings.current).toEqual({ ...later.deps.settings.defaults, newcomerHours: 2 })
    await later.close()
    await own.close()
  })

  it('with a changed banner notify connected clients, whose next request gets the new one', async () => {
    const socket = await connectTo(await board.listen())
    const told = new Promise<void>((resolve) => socket.once('noticesChanged', resolve))
    expect((await visit(board).get('/api/notices')).body).toMatchObject({ banner: '' })
    await change({ bannerText: '今夜は満月です' })
    await told
    expect((await visit(board).get('/api/notices')).body).toMatchObject({ banner: '今夜は満月です' })
    expect((await change({ bannerText: '' })).body.settings.bannerText).toBe('')
    expect((await visit(board).get('/api/notices')).body).toMatchObject({ banner: '' })
    socket.disconnect()
  })
})
