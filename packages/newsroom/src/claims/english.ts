/** Reads the numbers of an English article, so that a Japanese summary can be compared with it. */

const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const WORDS = new Map(SMALL_NUMBERS.split(' ').map((word, value) => [word, value]))
const TENS = new Map(
  Object.entries({
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    seventy: 70,
    eighty: 80,
    ninety: 90,
    dozen: 12,
  }),
)
const ORDINALS = new Map(
  Object.entries({ first: 1, second: 2, third: 3, fourth: 4, fifth: 5, twice: 2, half: 50, double: 2, triple: 3 }),
)
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** As powers of ten. */
const SCALES = new Map(
  Object.entries({ hundred: 2, thousand: 3, million: 6, billion: 9, trillion: 12, k: 3, m: 6, mn: 6, bn: 9, tn: 12 }),
)
const COUNTED = new RegExp(
  `(?<![a-z])(?:(?<digits>\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.(?<fraction>\\d+))?|(?<word>[a-z]+)(?:-(?<ones>[a-z]+))?)(?:[ -]?(?<scale>${[...SCALES.keys()].join('|')})(?![a-z]))?`,
  'g',
)
const MONTH_NAME = `(?<![a-z])(${MONTHS.join('|')})(?:[a-z]{0,6})\\.?`
const MONTH_AND_DAY = new RegExp(
  `${MONTH_NAME} (\\d{1,2})(?!\\d)|(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH_NAME}`,
  'g',
)
const MONTH_AND_YEAR = new RegExp(`${MONTH_NAME}(?: \\d{1,2},?)? (\\d{4})(?!\\d)`, 'g')
/** From Sunday on. */
const WEEKDAYS = 'sun mon tues wednes thurs fri satur'.split(' ').map((name) => `${name}day`)

/**
 * All values in a folded English text, in digits or words, in the form of `FoundNumber.values`.
 * Units are not read.
 */
export function readEnglishNumbers(folded: string): string[] {
  const values = [...folded.matchAll(COUNTED)].flatMap(({ groups = {} }) => {
    const { digits, fraction = '', word = '', ones = '', scale } = groups
    const power = scale === undefined ? 0 : SCALES.get(scale)!
    if (digits !== undefined) return [shiftPoint(digits.replaceAll(',', ''), fraction, power)]
    const value = readWord(word, ones)
    return value === null ? [] : [shiftPoint(String(value), '', power)]
  })
  // 半年 is of six months (numbers.ts).
  const halves = /(?<![a-z])half[ -](?:a )?year/.test(folded) ? ['6'] : []
  return [...values, ...halves, ...readEnglishDays(folded).months]
}

const readWord = (word: string, ones: string): number | null => {
  const tens = TENS.get(word)
  return tens === undefined ? (WORDS.get(word) ?? ORDINALS.get(word) ?? null) : tens + (WORDS.get(ones) ?? 0)
}

/** The days in an English text: pairs of month and day, and of year and month. */
export function readEnglishDays(folded: string) {
  const toMonth = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3)) + 1)
  return {
    monthsWithDay: [...folded.matchAll(MONTH_AND_DAY)].map(
      ([, before, day, otherDay, after]) => [toMonth(before ?? after ?? ''), String(Number(day ?? otherDay))] as const,
    ),
    yearsWithMonth: [...folded.matchAll(MONTH_AND_YEAR)].map(
      ([, month = '', year = '']) => [year, toMonth(month)] as const,
    ),
    months: [...folded.matchAll(new RegExp(MONTH_NAME, 'g'))].map(([, month = '']) => toMonth(month)),
    weekdays: WEEKDAYS.flatMap((name, at) => (folded.includes(name) ? ['日月火水木金土'[at]!] : [])),
  }
}

function shiftPoint(whole: string, fraction: string, power: number): string {
  const digits = `${whole}${fraction.padEnd(power, '0').slice(0, power)}`.replace(/^0+(?=\d)/, '')
  const rest = fraction.slice(power).replace(/0+$/, '')
  return rest === '' ? digits : `${digits}.${rest}`
}
