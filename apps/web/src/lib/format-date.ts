/**
 * Dates as a Japanese reader writes them, in Tokyo whatever the browser thinks: 11月21日 13:03, with the year in front when
 * it is not this year. Computed rather than left to Intl: Japan keeps no summer time, fifty rows cost nothing,
 * and server and browser cannot disagree about a space.
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

/** The year in Tokyo, for the copyright line. */
export const tokyoYear = (now: Date): number => inTokyo(now).getUTCFullYear()
