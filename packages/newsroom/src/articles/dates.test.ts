import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate } from './dates.ts'

const NOW = Date.parse('2026-11-22T00:00:00Z')

describe('the date of an article', () => {
  it.each([
    ['Sat, 21 Nov 2026 13:03:00 +0900', '2026-11-21T04:03:00.000Z'],
    ['Sat, 21 Nov 2026 04:03:00 GMT', '2026-11-21T04:03:00.000Z'],
    ['21 Nov 26 04:03 Z', '2026-11-21T04:03:00.000Z'],
    ['Fri, 20 Nov 2026 20:03:00 PST', '2026-11-21T04:03:00.000Z'],
    ['Sat, 21 Nov 2026 13:03:00 JST', '2026-11-21T04:03:00.000Z'],
    ['土, 21 11月 2026 13:03:00 +0900', null],
    ['Saturday, 21-Nov-26 04:03:00 GMT', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21T13:03:00+09:00', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21T13:03:00.123+0900', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21T04:03:00Z', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21T04:03Z', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21 13:03:00', '2026-11-21T04:03:00.000Z'],
    ['2026-11-21 13:03 JST', '2026-11-21T04:03:00.000Z'],
    ['2026/11/21 13:03', '2026-11-21T04:03:00.000Z'],
    ['2026.11.21', '2026-11-20T15:00:00.000Z'],
    ['2026年11月21日 13時03分', '2026-11-21T04:03:00.000Z'],
    ['2026年11月21日（土） 午後1時3分', '2026-11-21T04:03:00.000Z'],
    ['２０２６年１１月２１日１３時０３分', '2026-11-21T04:03:00.000Z'],
    ['令和8年11月21日 午前0時5分', '2026-11-20T15:05:00.000Z'],
    ['Nov 21, 2026 1:03 PM EST', '2026-11-21T18:03:00.000Z'],
    ['November 21st, 2026', '2026-11-20T15:00:00.000Z'],
    ['12:00', null],
    ['yesterday', null],
    ['2026-02-31T00:00:00Z', null],
    ['2026-13-01', null],
    // Day or month first, which cannot be told apart.
    ['10/11/2026 13:03', null],
    ['21.11.2026', null],
    ['2026-11-21T99:99:00Z', null],
    ['0000-00-00', null],
    ['1970-01-01T00:00:00Z', null],
    ['2026-11-23T00:00:00Z', null],
    ['2026-11-22T00:05:00Z', '2026-11-22T00:05:00.000Z'],
    ['', null],
    [undefined, null],
  ])('%j is read as %j', (written, moment) => {
    expect(readDate(written, NOW)?.toISOString() ?? null).toBe(moment)
  })

  it('is null, or a moment after 1970 and no later than ten minutes from now, for any input', () => {
    const pieces = '0 1 9 12 31 99 2026 - / : . , T Z + 年 月 日 時 午後 令和 Nov JST PM'.split(' ')
    const written = fc.array(fc.constantFrom(...pieces, ' '), { maxLength: 20 }).map((all) => all.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string(), written), (text) => {
        const date = readDate(text, NOW)
        expect(date === null || (date.getTime() > 0 && date.getTime() <= NOW + 600_000)).toBe(true)
      }),
    )
  })
})
