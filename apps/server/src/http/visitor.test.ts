import { expect } from 'vitest'
import { startThread, visit } from '../testing/board.ts'
import { boardTest } from '../testing/fixtures.ts'
import { addressPrefix, askerOf } from './visitor.ts'

const it = boardTest

it.for([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', ([address, prefix]) => {
  expect(addressPrefix(address!)).toBe(prefix)
})

it.for([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
])('%s and its prefix are the sender %s in a fair queue', ([address, sender]) => {
  expect([askerOf(address!), askerOf(addressPrefix(address!))]).toEqual([sender, sender])
})

it('a browser in use gets its cookie anew after a month, and none by reading', async ({ board }) => {
  const thread = await startThread(visit(board))
  const guest = visit(board)
  const url = `/api/threads/${thread._id}/posts`
  const write = async () => (await guest.post(url, { content: '一言', name: '名無し' })).headers['set-cookie']
  const first = await write()
  expect(first).toMatch(/^visitor=.*Max-Age=34560000/)
  expect(await write()).toBeUndefined()
  board.clock.now += 31 * 86_400_000
  expect((await guest.get(url)).headers['set-cookie']).toBeUndefined()
  expect(await write()).toEqual(first)
  expect(await write()).toBeUndefined()
})
