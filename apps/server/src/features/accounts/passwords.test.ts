import { expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { connectTo, PASSWORD, signUp, visit, type Guest, type MemberGuest } from '../../testing/board.ts'
import { boardTest as it } from '../../testing/fixtures.ts'
import { hashing } from './hashing.ts'
import { insertSession } from './sessions.queries.ts'
import { selectUser } from './users.queries.ts'

const NEXT = '新しい合言葉 43'

interface Answer {
  readonly message: string
  readonly code?: string
}
const change = (guest: Guest, currentPassword: string | undefined, password = NEXT) =>
  guest.put<Answer>('/auth/password', { currentPassword, password })
const isKnown = async (guest: Guest) => (await guest.post('/auth/verify')).status === 200
const logIn = (guest: Guest, { name }: MemberGuest, password: string) =>
  guest.post('/auth/login', { username: name, password })

it('a member who changes the password stays logged in, and all other sessions of the account end', async ({
  board,
}) => {
  const kaede = await signUp(board)
  const other = visit(board)
  await logIn(other, kaede, PASSWORD)
  const socket = await connectTo(await board.listen(), other)
  const gone = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()))
  expect(await change(kaede, PASSWORD)).toMatchObject({ status: 200, body: { message: messages.password_changed } })
  await gone
  expect([await isKnown(kaede), await isKnown(other)]).toEqual([true, false])
  expect((await other.post('/auth/refresh')).status).toBe(401)
  expect([
    (await logIn(visit(board), kaede, PASSWORD)).status,
    (await logIn(visit(board), kaede, NEXT)).status,
  ]).toEqual([401, 200])
})

it('a change asks for the current password, and guessing it in a session does not block the log-in form', async ({
  board,
}) => {
  const kaede = await signUp(board)
  for (const wrong of [undefined, '', ...Array.from({ length: 8 }, () => 'まちがい')]) {
    expect(await change(kaede, wrong)).toMatchObject({
      status: 400,
      body: { code: 'bad_password', message: messages.password_wrong },
    })
  }
  expect((await change(kaede, PASSWORD)).status).toBe(429)
  expect((await logIn(visit(board), kaede, PASSWORD)).status).toBe(200)
})

it.for([
  ['short', 'にんにん', messages.password_length],
  ['common', 'password1', messages.password_too_common],
  ['long', 'あ'.repeat(129), messages.password_length],
] as const)('a new password that is too %s is refused', async ([, password, message], { board }) => {
  const kaede = await signUp(board)
  expect(await change(kaede, PASSWORD, password)).toMatchObject({
    status: 400,
    body: { code: 'bad_password', message },
  })
  expect((await logIn(visit(board), kaede, PASSWORD)).status).toBe(200)
})

it('an account without a password may set one without giving a current password', async ({ board }) => {
  const kaede = await signUp(board)
  await board.database.db.updateTable('users').set({ passwordHash: null }).where('id', '=', kaede.userId).execute()
  expect((await logIn(visit(board), kaede, PASSWORD)).status).toBe(401)
  expect((await change(kaede, undefined)).status).toBe(200)
  expect((await logIn(visit(board), kaede, NEXT)).status).toBe(200)
})

it('a change waits in the queue of hashes of its source, and not in those of others', async ({ board }) => {
  const [kaede, hanzo, rin] = await Promise.all(
    ['2001:db8:7:1::1', '2001:db8:7:2::1', '203.0.113.8'].map((address) => signUp(board, undefined, { address })),
  )
  // Of these two the new password alone is hashed.
  const passwordless = [hanzo!.userId, rin!.userId]
  await board.database.db.updateTable('users').set({ passwordHash: null }).where('id', 'in', passwordless).execute()
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  // One runs, and twenty wait.
  const busy = Array.from({ length: 21 }, () => hashing('2001:db8:7:3::1', () => promise))
  const answers = await Promise.all([change(kaede!, PASSWORD), change(hanzo!, undefined), change(rin!, undefined)])
  finish()
  await Promise.all(busy)
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200])
})

it('a stranger cannot change a member’s password', async ({ board }) => {
  expect((await change(visit(board), PASSWORD)).status).toBe(401)
})

it('of two concurrent changes one succeeds, and the other is refused', async ({ board }) => {
  const kaede = await signUp(board)
  const other = visit(board)
  await logIn(other, kaede, PASSWORD)
  const answers = await Promise.all([change(kaede, PASSWORD), change(other, PASSWORD, 'もう一つの合言葉')])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect([400, 401]).toContain(answers[1 - winner]!.status)
  expect((await logIn(visit(board), kaede, [NEXT, 'もう一つの合言葉'][winner]!)).status).toBe(200)
})

it('a log-in that checked a password which has changed meanwhile opens no session', async ({ board }) => {
  const kaede = await signUp(board)
  const { db } = board.database
  const { passwordHash } = (await selectUser(db, kaede.userId))!
  await change(kaede, PASSWORD)
  const at = new Date(board.clock.now)
  const session = { userId: kaede.userId, tokenHash: 'x', device: 'x', at, expiresAt: new Date(at.getTime() + 1) }
  const id = '01900000-0000-7000-8000-000000000001'
  expect(await insertSession(db, { ...session, id, passwordHash })).toBe(false)
  expect(await insertSession(db, { ...session, id, passwordHash: null })).toBe(true)
})
