import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { foldName } from '../../lib/fold.ts'
import { openBoard, PASSWORD, signUp, visit, type Board, type Guest } from '../../testing/board.ts'
import { createKeyLimits } from '../../lib/key-limit.ts'
import { createLoginTries } from './login-tries.ts'

let board: Board
beforeAll(async () => {
  board = await openBoard()
})
afterAll(() => board.close())

/** Every test has its own IP addresses. */
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
  'guessing the password of %s ends after ten attempts from one address, and is possible again a quarter of an hour later',
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

it('attempts by name and by mail address are counted separately, which hides whose address it is', async () => {
  const { name, userId } = await signUp(board)
  const guest = visit(board, net(1))
  expect(await wrong(guest, name, 11)).toEqual([...tenRefusals, 429])
  expect(await wrong(guest, 'nobody@example.jp', 1)).toEqual([401])
  expect(await wrong(guest, `${userId}@example.jp`, 11)).toEqual([...tenRefusals, 429])
})

it('all spellings of a name share one count, and so do those of a mail address', async () => {
  const { userId } = await signUp(board, `Kaede Rin ${test}`)
  const guest = visit(board, net(1))
  expect(await wrong(guest, `ＫＡＥＤＥ　ｒｉｎ${test}`, 10)).toEqual(tenRefusals)
  expect(await wrong(guest, `kaederin${test}`, 1)).toEqual([429])
  expect(await wrong(guest, `${userId}@example.jp`, 10)).toEqual(tenRefusals)
  expect(await wrong(guest, ` ${userId}@EXAMPLE.jp`, 1)).toEqual([429])
})

it('guesses from one address do not block the member at another', async () => {
  const { name } = await signUp(board)
  await wrong(visit(board, net(1)), name, 11)
  expect((await logIn(visit(board, net(2)), name, PASSWORD)).status).toBe(200)
})

it('a right password after wrong ones resets the count, however often that happens', async () => {
  const { name } = await signUp(board)
  const guest = visit(board, net(1))
  for (let round = 0; round < 12; round += 1) {
    expect(await wrong(guest, name, 1)).toEqual([401])
    expect((await logIn(guest, name, PASSWORD)).status).toBe(200)
  }
})

it('guessing from many addresses at once ends after a hundred attempts in an hour', async () => {
  const { name } = await signUp(board)
  const { logins } = board.deps.accountLimits
  for (let count = 0; count < 100; count += 1) {
    await logins.check({ account: foldName(name), address: `address ${count}` }, async () => undefined)
  }
  expect(await wrong(visit(board, net(9)), name, 1)).toEqual([429])
  vi.setSystemTime(Date.now() + 3_600_001)
  expect((await logIn(visit(board, net(9)), name, PASSWORD)).status).toBe(200)
})

it('guessing the passwords of many members from one address ends after a hundred attempts', async () => {
  const { name } = await signUp(board)
  const { logins } = board.deps.accountLimits
  for (let count = 0; count < 100; count += 1) {
    await logins.check({ account: `member ${count}`, address: net(1) }, async () => undefined)
  }
  expect((await logIn(visit(board, net(1)), name, PASSWORD)).status).toBe(429)
})

it('right log-ins are limited too, and one member at the limit does not block another', async () => {
  const { name } = await signUp(board)
  const guest = visit(board, net(1))
  const statuses = []
  for (let count = 0; count < 120; count += 1) statuses.push((await logIn(guest, name, PASSWORD)).status)
  expect(statuses).not.toContain(401)
  expect((await logIn(guest, name, PASSWORD)).status).toBe(429)
  const other = await signUp(board)
  expect((await logIn(guest, other.name, PASSWORD)).status).toBe(200)
})

it('attempts from a refused address store no further names in memory', async () => {
  vi.useFakeTimers()
  const tries = createLoginTries(createKeyLimits(null))
  const guess = (count: number) =>
    tries.check({ account: `member ${count}`, address: 'x' }, async () => undefined).catch(() => {})
  for (let count = 0; count < 100; count += 1) await guess(count)
  // Each counted name has a timer that deletes it.
  const counted = vi.getTimerCount()
  for (let count = 100; count < 1_000; count += 1) await guess(count)
  expect(vi.getTimerCount()).toBe(counted)
})

it('distributed guessing does not lock a member out of a browser in which they have logged in before', async () => {
  const member = await signUp(board)
  const own = visit(board, net(200))
  expect((await logIn(own, member.name, PASSWORD)).status).toBe(200)
  for (let host = 1; host <= 10; host += 1) await wrong(visit(board, net(host)), member.name, 10)
  expect((await logIn(visit(board, net(201)), member.name, PASSWORD)).status).toBe(429)
  expect((await logIn(own, member.name, PASSWORD)).status).toBe(200)
  // A known browser does not bypass the limit either.
  expect(await wrong(own, member.name, 11)).toEqual([...tenRefusals, 429])
  const other = await signUp(board)
  const borrowed = visit(board, net(202))
  borrowed.cookies.set('device', own.cookies.get('device')!)
  for (let host = 20; host < 30; host += 1) await wrong(visit(board, net(host)), other.name, 10)
  expect((await logIn(borrowed, other.name, PASSWORD)).status).toBe(429)
})

it('a flood of a hundred wrong passwords does not stop a logged-in member from changing the password, and a session is limited too', async () => {
  const member = await signUp(board)
  for (let host = 1; host <= 10; host += 1) await wrong(visit(board, net(host)), member.name, 10)
  expect((await logIn(visit(board, net(201)), member.name, PASSWORD)).status).toBe(429)
  const change = (currentPassword: string) =>
    member.put('/auth/password', { currentPassword, password: '新しい合言葉 43' })
  const statuses = []
  for (let count = 0; count < 10; count += 1) statuses.push((await change('まちがい')).status)
  expect([new Set(statuses), (await change('まちがい')).status]).toEqual([new Set([400]), 429])
  vi.setSystemTime(Date.now() + 15 * 60_000 + 1)
  expect((await change(PASSWORD)).status).toBe(200)
})

it('the addresses of one IPv6 /48 share its attempts', async () => {
  const tries = createLoginTries(createKeyLimits(null))
  const fail = (host: number, network: number) =>
    tries.check({ account: null, address: `2001:db8:${network}:${host.toString(16)}::/64` }, async () => undefined)
  for (let host = 0; host < 400; host += 1) expect(await fail(host, 1)).toBeUndefined()
  await expect(fail(500, 1)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await fail(1, 2)).toBeUndefined()
})
