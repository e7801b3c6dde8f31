/** Japan has no summer time. */
const OFFSET_MS = 9 * 3_600_000
const DAY_MS = 86_400_000

/** The day of the last call: every post asks for it several times, and writing a date is slow. */
let last = { number: NaN, day: '' }

/** The calendar day in Japan at a time in milliseconds: YYYY-MM-DD. */
export function dayInJapan(at: number): string {
  const number = Math.floor((at + OFFSET_MS) / DAY_MS)
  if (number !== last.number) last = { number, day: new Date(number * DAY_MS).toISOString().slice(0, 10) }
  return last.day
}

/** When this day began in Japan, in milliseconds. */
export const startOfDayInJapan = (at: number): number => Date.parse(dayInJapan(at)) - OFFSET_MS

/** When the day after this one begins in Japan, in milliseconds. */
export const nextDayInJapan = (at: number): number => startOfDayInJapan(at) + DAY_MS
