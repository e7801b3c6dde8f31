import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { openBoard, PASSWORD, signUp, visit, type Board, type Guest } from '../../testing/board.ts'

let board: Board
beforeAll(async () => {
  board = await openBoard()
})
afterAll(() => board.close())

/** Every test has addresses of the net of its own. */
let test = 0
const net = (host: number): string => `10.0.${test}.${host}`
beforeEach(() => {
  test += 1
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const logIn = (guest: Guest, username: string, password: string) => guest.post('/auth/login', { username, password })
const wrong = async (guest: Guest, username: string, times: number) => {
  const statuses = []
  for (let count = 0; count < times; count += 1) statuses.push((await logIn(guest, username, 'まちがい')).status)
  return statuses
}
const tenRefusals = Array.from({ length: 10 }, () => 401)

it.each(['a member', 'nobody'])(
  'guessing the password of %s ends after ten tries from one address, and goes on a quarter of an hour later',
  async (whose) => {
    const member = await signUp(board)
    const name = whose === 'a member' ? member.name : 'だれでもない'
    const guest = visit(board, net(1))
    expect(await wrong(guest, name, 11)).toEqual([...tenRefusals, 429])
    const refused = await logIn(guest, name, PASSWORD)
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', message: messages.login_limited(15) },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(890)
    vi.setSystemTime(Date.now() + 15 * 60_000 + 1)
    expect((await logIn(guest, name, PASSWORD)).status).toBe(whose === 'a member' ? 200 : 401)
  },
)

it('guessing by name and by mail address counts together', async () => {
  const { name, userId } = await signUp(board)
  const guest = visit(board, net(1))
  expect(await wrong(guest, name, 5)).toEqual(tenRefusals.slice(5))
  expect(await wrong(guest, `${userId}@example.jp`, 6)).toEqual([...tenRefusals.slice(5), 429])
})

it('guessing from one address leaves the member alone at another', async () => {
  const { name } = await signUp(board)
  await wrong(visit(board, net(1)), name, 11)
  expect((await logIn(visit(board, net(2)), name, PASSWORD)).status).toBe(200)
})

it('a wrong password costs nothing who remembers in time, however often they log in', async () => {
  const { name } = await signUp(board)
  const guest = visit(board, net(1))
  for (let round = 0; round < 12; round += 1) {
    expect(await wrong(guest, name, 1)).toEqual([401])
    expect((await logIn(guest, name, PASSWORD)).status).toBe(200)
  }
})

it('guessing from many addresses at once ends after a hundred tries in an hour', async () => {
  const { name, userId } = await signUp(board)
  const { logins } = board.deps.accountLimits
  for (let count = 0; count < 100; count += 1) {
    await logins.check({ account: userId, address: `address ${count}` }, async () => undefined)
  }
  expect(await wrong(visit(board, net(9)), name, 1)).toEqual([429])
  vi.setSystemTime(Date.now() + 3_600_001)
  expect((await logIn(visit(board, net(9)), name, PASSWORD)).status).toBe(200)
})

it('guessing of many members from one address ends after a hundred tries', async () => {
  const { name } = await signUp(board)
  const { logins } = board.deps.accountLimits
  for (let count = 0; count < 100; count += 1) {
    await logins.check({ account: `member ${count}`, address: net(1) }, async () => undefined)
  }
  expect((await logIn(visit(board, net(1)), name, PASSWORD)).status).toBe(429)
})
