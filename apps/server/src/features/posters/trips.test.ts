import { expect, test } from 'vitest'
import { createTrips, plainTrip } from './trips.ts'

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
  const [here, elsewhere] = [createTrips('secret of this board'), createTrips('secret of another board')]
  const trip = await here.tripOf('#合言葉', '203.0.113.7')
  expect(trip).toMatch(/^[\w-]{15}$/)
  expect(await here.tripOf('#合言葉', '203.0.113.8')).toBe(trip)
  expect(await createTrips('secret of this board').tripOf('#合言葉', '203.0.113.7')).toBe(trip)
  expect(await here.tripOf('#合言葉2', '203.0.113.7')).not.toBe(trip)
  expect(await elsewhere.tripOf('#合言葉', '203.0.113.7')).not.toBe(trip)
  // A single # is another kind.
  expect(await here.tripOf('合言葉', '203.0.113.7')).toBe(plainTrip('合言葉'))
})
