/** Dates as dats have them: those of Japan, with weekday and hundredths. */

const JAPAN_MS = 9 * 3_600_000
const WEEKDAYS = '日月火水木金土'

const two = (number: number): string => String(number).padStart(2, '0')

/** `2026/11/23(月) 12:34:56.78`; always of the same length. */
export function formatDate(at: Date): string {
  const there = new Date(at.getTime() + JAPAN_MS)
  const day = `${there.getUTCFullYear()}/${two(there.getUTCMonth() + 1)}/${two(there.getUTCDate())}`
  const time = `${two(there.getUTCHours())}:${two(there.getUTCMinutes())}:${two(there.getUTCSeconds())}`
  return `${day}(${WEEKDAYS[there.getUTCDay()]}) ${time}.${two(Math.floor(there.getUTCMilliseconds() / 10))}`
}

/** Years of two digits from here on are those of the last century. */
const LAST_CENTURY_FROM = 70
const DATE =
  /^\s*(\d{4}|\d{2})\/(\d{1,2})\/(\d{1,2})\s?(?:\([^()]{0,20}\))?\s{0,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?/

/**
 * The time at the beginning of a date field, with or without weekday, seconds and hundredths, with
 * a year of four digits or two; null without one.
 * @returns the time, and what is behind it
 */
export function parseDate(field: string): { readonly at: Date; readonly rest: string } | null {
  const match = DATE.exec(field)
  if (match === null) return null
  const [all, year, month, day, hour, minute, second = '0', fraction = '0'] = match
  const short = Number(year)
  const fullYear = year!.length === 4 ? short : short + (short >= LAST_CENTURY_FROM ? 1_900 : 2_000)
  const milliseconds = Math.round(Number(`0.${fraction}`) * 1_000)
  const parts = [Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const there = new Date(Date.UTC(fullYear, ...parts, milliseconds))
  // Hours above 23 are how some boards write the night; the 31st of June is an error.
  const isReal = parts[0] < 12 && parts[1] >= 1 && parts[1] <= 31 && parts[2] < 30 && parts[3] < 60 && parts[4] <= 60
  const at = new Date(there.getTime() - JAPAN_MS)
  if (!isReal || at.getTime() < 0) return null
  return { at, rest: field.slice(all.length) }
}
