/**
 * Dates in the Japanese form and in Tokyo time, whatever the browser's zone: 11月21日 13:03, with the
 * year in front when it is not this year. Computed without Intl: Japan has no daylight saving time,
 * fifty rows are fast, and server and browser cannot differ in a space.
 */
const TOKYO_OFFSET_MS = 9 * 3_600_000

const inTokyo = (time: Date) => new Date(time.getTime() + TOKYO_OFFSET_MS)
const twoDigits = (value: number) => String(value).padStart(2, '0')

export function formatDateTime(time: string | Date, now: Date): string {
  const date = inTokyo(new Date(time))
  const year = date.getUTCFullYear() === inTokyo(now).getUTCFullYear() ? '' : `${date.getUTCFullYear()}年`
  const day = `${date.getUTCMonth() + 1}月${date.getUTCDate()}日`
  return `${year}${day} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}

/** 13:03 for a time of today, 11/21 for one of this year, else 2025/11. */
export function formatShortTime(time: string | Date, now: Date): string {
  const [date, today] = [inTokyo(new Date(time)), inTokyo(now)]
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  if (year !== today.getUTCFullYear()) return `${year}/${month}`
  if (month !== today.getUTCMonth() + 1 || day !== today.getUTCDate()) return `${month}/${day}`
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}

const WEEKDAYS = '日月火水木金土'

/** A post's time as textboards write it: 11月21日(土) 13:03:45. */
export function formatPostTime(time: string | Date, now: Date): string {
  const date = inTokyo(new Date(time))
  const [day = '', clock = ''] = formatDateTime(time, now).split(' ')
  return `${day}(${WEEKDAYS[date.getUTCDay()]}) ${clock}:${twoDigits(date.getUTCSeconds())}`
}

/** The day in Tokyo as 2026-11-21, for names of files and keys. */
export const tokyoDay = (time: number): string => inTokyo(new Date(time)).toISOString().slice(0, 10)

/** The year in Tokyo, for the copyright line. */
export const tokyoYear = (now: Date): number => inTokyo(now).getUTCFullYear()
