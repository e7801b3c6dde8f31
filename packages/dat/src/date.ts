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
