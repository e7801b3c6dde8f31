import { expect, test } from 'vitest'
import { formatDateTime } from './format-date.ts'

const now = new Date('2026-11-21T04:03:00Z')

test('a date of this year is said without the year, in Tokyo', () => {
  expect(formatDateTime('2026-11-21T04:03:00.000Z', now)).toBe('11月21日 13:03')
})

test('midnight in Tokyo is 00:00 of the new day', () => {
  expect(formatDateTime('2026-03-31T15:00:00.000Z', now)).toBe('4月1日 00:00')
})

test('which year it is follows Tokyo for the date and for the clock', () => {
  expect(formatDateTime('2025-12-31T15:30:00.000Z', now)).toBe('1月1日 00:30')
  expect(formatDateTime('2025-12-31T14:59:00.000Z', now)).toBe('2025年12月31日 23:59')
  expect(formatDateTime('2026-06-01T00:00:00.000Z', new Date('2026-12-31T15:00:00Z'))).toBe('2026年6月1日 09:00')
})

test('the words are those of Intl for ja-JP with a long month', () => {
  const format = new Intl.DateTimeFormat('ja-JP', {
    timeZone: 'Asia/Tokyo',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  })
  const time = new Date('2026-07-04T21:09:00Z')
  expect(formatDateTime(time, now)).toBe(format.format(time))
})
