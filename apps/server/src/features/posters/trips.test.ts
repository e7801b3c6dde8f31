import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createLimits } from '../../http/limits.ts'
import type { Visitor } from '../../http/visitor.ts'
import { createKeyLimits } from '../../lib/key-limit.ts'
import { defaultSettings } from '../settings/settings.service.ts'
import { createTrips, plainTrip } from './trips.ts'

const createOwnLimits = () => createLimits({ current: defaultSettings(readConfig({})) }, createKeyLimits(null), 1)
const open = (secret = 'secret of this board') => createTrips(secret, createOwnLimits())

const visitor = (visitorId: string, address = '203.0.113.7'): Visitor => ({
  ...{ member: null, visitorId, addressHash: `hash of ${address}`, networkHash: null },
  origin: { address, agent: '' },
})
const one = visitor('one')

// Published pairs of keys and tripcodes.
test.each([
  ['istrip', '/WG5qp963c'],
  ['Jim', 'ziib4d/boU'],
  ['ひろゆき', 'F7aSjnRHGU'],
  ['N.T.Technology', 'FG0WWassNUrw'],
  ['パケットモンスター', 'EZSPRAHOnqfS'],
  ['ドットが入るトリ', 'n2HxTwBby.Ar'],
  ['ホワイト スペース', '7CqLoauBLfFu'],
  ['未来検索ブラジル', '6hXUlBS0slkc'],
  ['🇯🇵', 'K9zUBOq4IzsD'],
])('the key %s gives the tripcode that it gives on 2ch', (key, trip) => {
  expect(plainTrip(key)).toBe(trip)
})

test('a strong key gives 15 characters, the same again, and others on another board', async () => {
  const [here, elsewhere] = [open(), open('secret of another board')]
  const trip = await here.tripOf('#合言葉', one)
  expect(trip).toMatch(/^[\w-]{15}$/)
  expect(await here.tripOf('#合言葉', visitor('other', '203.0.113.8'))).toBe(trip)
  expect(await open().tripOf('#合言葉', one)).toBe(trip)
  expect(await here.tripOf('#合言葉2', one)).not.toBe(trip)
  expect(await elsewhere.tripOf('#合言葉', one)).not.toBe(trip)
  // A single # is another kind.
  expect(await here.tripOf('合言葉', one)).toBe(plainTrip('合言葉'))
})

test('an address computes as many new strong keys as it may fail to log in, and known ones for ever', async () => {
  const limits = createOwnLimits()
  const trips = createTrips('secret of this board', limits)
  const known = await trips.tripOf('#合言葉', one)
  for (let cookie = 1; cookie < 100; cookie += 1) await limits.strongKeys.take(visitor(`cookie ${cookie}`))
  const fresh = visitor('another cookie')
  await expect(trips.tripOf('#新しい鍵', fresh)).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfter: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 900),
  })
  expect(await trips.tripOf('#合言葉', fresh)).toBe(known)
  expect(await trips.tripOf('合言葉', fresh)).toBe(plainTrip('合言葉'))
  expect(await trips.tripOf('#新しい鍵', visitor('neighbour', '203.0.113.8'))).toMatch(/^[\w-]{15}$/)
})
