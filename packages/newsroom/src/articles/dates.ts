/** Reads the publication dates of articles, in the many ways in which publishers write them. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Minutes east of Greenwich. */
const ZONES = new Map(
  Object.entries({
    ...{ z: 0, ut: 0, utc: 0, gmt: 0, jst: 540, kst: 540, 日本時間: 540, 日本標準時: 540 },
    ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
    ...{ wet: 0, bst: 60, west: 60, cet: 60, cest: 120, eet: 120, eest: 180, msk: 180, ist: 330, hkt: 480, sgt: 480 },
  }),
)
/** Without a zone: Japanese publishers often leave it out. */
const JAPAN = 540

/** First years of the eras, minus one. */
const ERAS = new Map([
  ['令和', 2018],
  ['平成', 1988],
])

const YEAR_FIRST = /(?<era>令和|平成)?(?<year>\d{1,4}|元)[-/.年](?<month>\d{1,2})[-/.月](?<day>\d{1,2})(?!\d)日?/
const DAY_FIRST = /(?<day>\d{1,2})[ -](?<name>[a-z]{3,9})\.?,?[ -](?<year>\d{4}|\d{2})(?!\d)/
const MONTH_FIRST = /(?<name>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})/
const CLOCK =
  /(?<half>午前|午後)?(?<hour>\d{1,2})[:時](?:(?<minute>\d{1,2})(?:[:分](?<second>\d{1,2})(?:[.,]\d+)?)?)?[分秒]?\s*(?<latin>[ap]\.?m\b)?/
const OFFSET = /(?:gmt|utc)?\s*(?<sign>[+-])(?<hours>\d{2}):?(?<minutes>\d{2})?/
const ZONE = /(?:^|[^a-z])(?<zone>[a-z]{1,4}|日本時間|日本標準時)(?![a-z])/

/** Articles are not older than the web, and no clock is that wrong. */
const EARLIEST = Date.UTC(1990, 0)
const SKEW_MS = 10 * 60_000

/** Midnight of that day in Greenwich; null for a day that does not exist. */
function readDay({ year, era, name = '', month, day }: Record<string, string | undefined>): number | null {
  const written = year === '元' ? 1 : Number(year)
  const full = written + (era !== undefined ? ERAS.get(era)! : written < 100 ? 2000 : 0)
  const index = month === undefined ? MONTHS.indexOf(name.slice(0, 3)) : Number(month) - 1
  const date = new Date(Date.UTC(full, index, Number(day)))
  // Date would turn the 31st of February into a day of March.
  return date.getUTCMonth() === index && date.getUTCDate() === Number(day) ? date.getTime() : null
}

function readClock(text: string): { minutes: number; rest: string } | null {
  const found = CLOCK.exec(text)
  if (found === null) return { minutes: 0, rest: text }
  const { half, hour, minute, second, latin } = found.groups ?? {}
  const written = Number(hour)
  const afternoon = half === '午後' || latin?.startsWith('p') === true
  const morning = half === '午前' || latin?.startsWith('a') === true
  // 午後0時 and 12 pm are both noon; 午前0時 and 12 am midnight.
  const hours = afternoon ? (written % 12) + 12 : morning && written === 12 ? 0 : written
  const minutes = Number(minute ?? 0)
  const seconds = Number(second ?? 0)
  if (hours > 24 || minutes > 59 || seconds > 60) return null
  return { minutes: hours * 60 + minutes + seconds / 60, rest: text.slice(found.index + found[0].length) }
}

function readZone(text: string): number {
  const offset = OFFSET.exec(text)
  if (offset !== null) {
    const minutes = Number(offset.groups?.['hours']) * 60 + Number(offset.groups?.['minutes'] ?? 0)
    return minutes > 14 * 60 ? JAPAN : offset.groups?.['sign'] === '-' ? -minutes : minutes
  }
  return ZONES.get(ZONE.exec(text)?.groups?.['zone'] ?? '') ?? JAPAN
}

/**
 * The moment that a date of a feed or page means. Null for text that is no date and for dates after
 * `now`: such an article is announced ahead, or the publisher's clock is wrong, and it would stay
 * on top of all others.
 */
export function readDate(text: string | null | undefined, now: number = Date.now()): Date | null {
  const plain = (text ?? '').slice(0, 100).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  const found = YEAR_FIRST.exec(plain) ?? DAY_FIRST.exec(plain) ?? MONTH_FIRST.exec(plain)
  const day = readDay(found?.groups ?? {})
  const clock = found === null ? null : readClock(plain.slice(found.index + found[0].length))
  if (day === null || clock === null) return null
  const at = day + (clock.minutes - readZone(clock.rest)) * 60_000
  return at < EARLIEST || at > now + SKEW_MS ? null : new Date(Math.round(at))
}
