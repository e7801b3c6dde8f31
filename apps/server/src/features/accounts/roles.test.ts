import { expect } from 'vitest'
import type { AdminUser } from '@shinobi/contract/admin'
import { messages } from '@shinobi/contract/messages'
import { connectTo, signUp } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'

const it = boardTest
  .extend('general', { scope: 'file' }, async ({ board }) => {
    const categories = board.database.db.selectFrom('categories').select('id')
    return (await categories.where('name', '=', 'general').executeTakeFirstOrThrow()).id
  })
  .extend('helpers', ({ board, admin }) => {
    const assign = (userId: string, body: unknown, by = admin) =>
      by.put<AdminUser & Refusal>(`/api/admin/users/${userId}/role`, body)
    const readLog = () =>
      board.database.db
        .selectFrom('auditLog')
        .select(['actorName', 'subject', 'details'])
        .orderBy('id', 'desc')
        .execute()
    return { assign, readLog }
  })

interface Refusal {
  readonly code: string
  readonly message: string
}

it('a member becomes a moderator of a category, of the board, an administrator, and a member again, each time at once', async ({
  board,
  general,
  helpers: { assign, readLog },
}) => {
  const member = await signUp(board, '楓の葉')
  const canSee = async () => [
    (await member.get('/api/admin/threads')).status,
    (await member.get('/api/admin/users')).status,
  ]
  expect(await canSee()).toEqual([403, 403])
  const some = await assign(member.userId, { role: 'moderator', categoryIds: [general, general] })
  expect(some).toMatchObject({ status: 200, body: { name: '楓の葉', isAdmin: false, moderates: [general] } })
  expect(await canSee()).toEqual([200, 403])
  expect((await assign(member.userId, { role: 'moderator' })).body).toMatchObject({ isAdmin: false, moderates: 'all' })
  expect((await assign(member.userId, { role: 'admin' })).body).toMatchObject({ isAdmin: true, moderates: null })
  expect(await canSee()).toEqual([200, 200])
  expect((await assign(member.userId, { role: 'member' })).body).toMatchObject({ isAdmin: false, moderates: null })
  expect(await canSee()).toEqual([403, 403])
  const role = (name: string, categoryIds: readonly string[] | null = null) => ({ role: name, categoryIds })
  const entry = (before: unknown, after: unknown) => ({
    ...{ actorName: '半蔵', subject: '楓の葉' },
    details: { userId: member.userId, before, after },
  })
  expect(await readLog()).toEqual([
    entry(role('admin'), role('member')),
    entry(role('moderator'), role('admin')),
    entry(role('moderator', [general]), role('moderator')),
    entry(role('member'), role('moderator', [general])),
  ])
  // An assignment that changes nothing adds no entry to the log.
  expect((await assign(member.userId, { role: 'member' })).status).toBe(200)
  expect(await readLog()).toHaveLength(4)
})

it('an assignment is refused for an unknown member, one without a mail address, and unknown categories', async ({
  board,
  general,
  helpers: { assign },
}) => {
  const nobody = '019a0000-0000-7000-8000-000000000000'
  expect(await assign(nobody, { role: 'admin' })).toMatchObject({
    status: 404,
    body: { message: messages.user_not_found },
  })
  const member = await signUp(board)
  expect(await assign(member.userId, { role: 'moderator', categoryIds: [general, nobody] })).toMatchObject({
    ...{ status: 400, body: { code: 'bad_category' } },
  })
  expect((await assign(member.userId, { role: 'moderator', categoryIds: [] })).status).toBe(400)
  expect((await assign(member.userId, { role: 'king' })).status).toBe(400)
  await board.database.db
    .updateTable('users')
    .set({ email: null, emailKey: null })
    .where('id', '=', member.userId)
    .execute()
  for (const role of ['admin', 'moderator']) {
    expect(await assign(member.userId, { role })).toMatchObject({
      status: 400,
      body: { message: messages.role_needs_email },
    })
  }
})

it('the last administrator cannot be revoked, even when two revoke each other at once', async ({
  board,
  admin,
  helpers: { assign },
}) => {
  expect(await assign(admin.userId, { role: 'member' })).toMatchObject({
    ...{ status: 409, body: { code: 'last_admin', message: messages.last_admin_role } },
  })
  expect((await assign(admin.userId, { role: 'moderator' })).status).toBe(409)
  const other = await signUp(board, undefined, { isAdmin: true })
  const answers = await Promise.all([
    assign(other.userId, { role: 'member' }),
    assign(admin.userId, { role: 'member' }, other),
  ])
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const left = await board.database.db.selectFrom('users').select('id').where('isAdmin', '=', true).execute()
  expect(left).toHaveLength(1)
  if (left[0]!.id !== admin.userId) {
    await board.database.db.updateTable('users').set({ isAdmin: true }).where('id', '=', admin.userId).execute()
  }
})

it("open connections receive the moderators' messages from the moment a member becomes one until the role ends", async ({
  board,
  general,
  helpers: { assign },
}) => {
  const member = await signUp(board)
  const socket = await connectTo(await board.listen(), member)
  const room = async () => (await board.io.in('moderators').fetchSockets()).length
  expect(await room()).toBe(0)
  await assign(member.userId, { role: 'moderator', categoryIds: [general] })
  expect(await room()).toBe(1)
  await assign(member.userId, { role: 'member' })
  expect(await room()).toBe(0)
  expect(socket.connected).toBe(true)
  socket.disconnect()
})
