/** Compares the days in a summary with those of its article. */
import { readEnglishDays } from './english.ts'
import { findUnborne, type Matter } from './matters.lists.ts'
import { readNumbers, type FoundNumber } from './numbers.ts'

/**
 * Words for days relative to the day of writing; those of a line are synonyms. Words after a | also
 * count in the article, but a summary may use them in a wider sense.
 */
const RELATIVE_DAYS: readonly Matter[] = [
  ...['今日 本日 きょう|同日 today', '昨日 きのう|前日 yesterday', '一昨日 おととい', '明日 あす あした|tomorrow'],
  ...['明後日 あさって', '今朝 けさ', '昨夜 昨晩 ゆうべ', '今夜 今晩', '今週|this.week', '先週|last.week'],
  ...['来週|next.week', '今月|当月 this.month', '先月|前月 last.month', '来月|next.month', '一昨年 おととし', '再来年'],
  '今年 本年 ことし|今春 今夏 今秋 今冬 今季 今年度 this.year',
  '昨年 去年|前年 昨春 昨夏 昨秋 昨冬 昨季 昨年度 last.year year.earlier',
  '来年|来春 来夏 来秋 来冬 来季 来年度 next.year',
  '翌日|翌\\d+日 次の日 あくる日 明くる日 翌朝 翌未明',
  ...['翌朝|次の日の朝 明くる朝', '翌週|次の週', '翌月|翌\\d+月 次の月', '翌年|翌\\d+年 次の年 あくる年 明くる年'],
  ...['春', '夏', '秋', '冬'].flatMap((season) => [
    `今${season}|この${season} 今年${season} 今年の${season} ことし${season} ことしの${season}`,
    `来${season}|来年${season} 来年の${season} 次の${season}`,
    `昨${season}|昨年${season} 昨年の${season} 去年の${season} 前年${season} 前年の${season}`,
  ]),
].map((line) => {
  const [said = '', others = ''] = line.split('|').map((words) => words.split(' ').map(toPattern).join('|'))
  return { said: new RegExp(said, 'g'), borne: new RegExp(others === '' ? said : `${said}|${others}`) }
})

/**
 * A word in kana must not be part of another word: あす is not in 飛ばすあすか, nor けさ in だけさ.
 */
function toPattern(word: string): string {
  if (/^[ぁ-ん]+$/.test(word))
    return `(?<![ぁ-ん](?<![はがもにでのやと]))${word}(?=$|[^ぁ-ん]|は|が|も|の|に|で(?!き)|から|まで|より|と|へ)`
  // 一昨日 is not 昨日.
  return /^[昨来]/.test(word) ? `(?<![一再])${word}` : word
}
const WEEKDAY =
  /[(]([月火水木金土日])(?:曜|・[祝休])*[)]|(?<![祝休平元毎翌同\d])([月火水木金土日])(?=(?:[~・-][月火水木金土日])*曜)/g
const weekdaysOf = (folded: string): string[] =>
  [...folded.matchAll(WEEKDAY)].map(([, inBrackets, before]) => inBrackets ?? before ?? '')
const DAY = 86_400_000
const JAPAN = 9 * 3_600_000
/** A bare 22日 means the latest such day, at most this many days before publication. */
const BARE_DAYS_BACK = 7

/** Dates written in digits, as numbers with their units: 2026-11-22 and 2026/11/22. */
export function readNumericDates(folded: string): FoundNumber[] {
  return [...folded.matchAll(/(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g)].flatMap(
    ([written, ...parts], index) =>
      parts.map((part, place) => ({
        written,
        values: [String(Number(part))],
        unit: ['年', '月', '日'][place]!,
        start: index,
        end: index,
      })),
  )
}

const dayPair = (month: string, day: string): string => `${month}月${day}日`
const monthPair = (year: string, month: string): string => `${year}年${month}月`

/** Pairs of month and day, and of year and month, where they stand together. */
function readPairs(numbers: readonly FoundNumber[]): { pair: string; written: string }[] {
  return numbers.flatMap((number, index) => {
    const next = numbers[index + 1]
    if (next === undefined || next.start !== number.end) return []
    const [a = '', b = ''] = [number.values[0], next.values[0]]
    const written = `${number.written}${next.written}`
    if (number.unit === '月' && next.unit === '日') return [{ pair: dayPair(a, b), written }]
    return number.unit === '年' && next.unit === '月' ? [{ pair: monthPair(a, b), written }] : []
  })
}

/**
 * The full dates of bare days in the article, if they were shortly before publication (in Japan).
 */
function completeBareDays(numbers: readonly FoundNumber[], publishedAt: string | null): string[] {
  const published = publishedAt === null ? Number.NaN : Date.parse(publishedAt)
  if (!Number.isFinite(published)) return []
  const named = new Set(numbers.filter(({ unit }) => unit === '日').flatMap(({ values }) => values))
  return Array.from({ length: BARE_DAYS_BACK }, (_, back) => new Date(published + JAPAN - back * DAY))
    .filter((day) => named.has(String(day.getUTCDate())))
    .map((day) => dayPair(String(day.getUTCMonth() + 1), String(day.getUTCDate())))
}

/** 同23日 is of the month that its sentence has before it. */
const daysOfSameMonth = (folded: string, numbers: readonly FoundNumber[]): string[] =>
  numbers.flatMap(({ values, unit, start }, index) => {
    if (unit !== '日' || folded[start - 1] !== '同') return []
    const sentence = folded.lastIndexOf('\n', start)
    const month = numbers.slice(0, index).findLast((before) => before.unit === '月' && before.start > sentence)
    return month === undefined ? [] : values.map((day) => dayPair(month.values[0]!, day))
  })

/** 9月 may be the 前月 of an article on 10月. */
const monthsBefore = (folded: string, numbers: readonly FoundNumber[]): string[] =>
  /前月|前の月/u.test(folded)
    ? numbers.filter(({ unit }) => unit === '月').map(({ values }) => String(((Number(values[0]) + 10) % 12) + 1))
    : []

/**
 * The days of an article (title and text, folded), in pairs as month/day and year/month, and the
 * months of bare days.
 */
export function readDays(folded: string, numbers: readonly FoundNumber[], publishedAt: string | null) {
  const completed = completeBareDays(numbers, publishedAt)
  const english = readEnglishDays(folded)
  return {
    text: folded,
    pairs: new Set([
      ...readPairs(numbers).map(({ pair }) => pair),
      ...completed,
      ...daysOfSameMonth(folded, numbers),
      ...english.monthsWithDay.map(([month, day]) => dayPair(month, day)),
      ...english.yearsWithMonth.map(([year, month]) => monthPair(year, month)),
    ]),
    weekdays: new Set([...weekdaysOf(folded), ...(folded.includes('土日') ? '土日' : ''), ...english.weekdays]),
    months: [...completed.map((pair) => pair.slice(0, pair.indexOf('月'))), ...monthsBefore(folded, numbers)],
  }
}

/** Days of a folded text that the article does not have, as the text writes them. */
export function findUnknownDays(folded: string, article: Omit<ReturnType<typeof readDays>, 'months'>): string[] {
  const pairs = readPairs(readNumbers(folded)).filter(({ pair }) => !article.pairs.has(pair))
  const weekdays = weekdaysOf(folded).filter((day) => !article.weekdays.has(day))
  const relative = findUnborne(RELATIVE_DAYS, folded, article.text)
  return [...pairs.map(({ written }) => written), ...weekdays.map((day) => `${day}曜`), ...relative]
}
