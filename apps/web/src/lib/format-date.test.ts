import { expect, test } from 'vitest'
import { formatDateTime, formatPostTime, formatShortTime, tokyoDay } from './format-date.ts'

const now = new Date('2026-11-21T04:03:00Z')

test('a date of this year is formatted without the year, in Tokyo time', () => {
  expect(formatDateTime('2026-11-21T04:03:00.000Z', now)).toBe('11月21日 13:03')
})

test('midnight in Tokyo is 00:00 of the new day', () => {
  expect(formatDateTime('2026-03-31T15:00:00.000Z', now)).toBe('4月1日 00:00')
})

test('the year changes at midnight in Tokyo, for the date and for the clock', () => {
  expect(formatDateTime('2025-12-31T15:30:00.000Z', now)).toBe('1月1日 00:30')
  expect(formatDateTime('2025-12-31T14:59:00.000Z', now)).toBe('2025年12月31日 23:59')
  expect(formatDateTime('2026-06-01T00:00:00.000Z', new Date('2026-12-31T15:00:00Z'))).toBe('2026年6月1日 09:00')
})

test('the format equals that of Intl for ja-JP with a long month', () => {
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

test('a short time is the time of day today, the day this year, and the month before', () => {
  expect(formatShortTime('2026-11-20T15:00:00Z', now)).toBe('00:00')
  expect(formatShortTime('2026-11-20T14:59:00Z', now)).toBe('11/20')
  expect(formatShortTime('2025-12-31T15:00:00Z', now)).toBe('1/1')
  expect(formatShortTime('2025-12-31T14:59:00Z', now)).toBe('2025/12')
})

test('the time of a post has its weekday and its seconds in Tokyo', () => {
  expect(formatPostTime('2026-11-21T04:03:09.999Z', now)).toBe('11月21日(土) 13:03:09')
  expect(formatPostTime('2026-11-21T15:00:00Z', now)).toBe('11月22日(日) 00:00:00')
  expect(formatPostTime('2025-12-31T14:59:59Z', now)).toBe('2025年12月31日(水) 23:59:59')
})

test('a day begins at midnight in Tokyo, whatever the day in UTC is', () => {
  expect(tokyoDay(Date.parse('2026-11-20T14:59:59Z'))).toBe('2026-11-20')
  expect(tokyoDay(Date.parse('2026-11-20T15:00:00Z'))).toBe('2026-11-21')
})
