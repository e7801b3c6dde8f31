/**
 * The title of the next thread: the number that counts a series in the title of the old one rises
 * by one, in the same kind of digits. A title without a number gets ★2.
 */
import { TITLE } from '@shinobi/contract/limits'
import { findProblem, splitGraphemes } from '@shinobi/contract/text'

const DIGITS = '[0-9]{1,4}|[０-９]{1,4}'
const KANJI = '[〇一二三四五六七八九十百千]{1,7}'

/**
 * The ways of counting a series, the surest first. A number that may belong to the subject
 * (第49回衆院選, 【2026】) is none of them.
 */
const COUNTERS: readonly RegExp[] = [
  ['[★☆][ 　]?', DIGITS, ''],
  [`(?:part|ｐａｒｔ|Ｐａｒｔ|ＰＡＲＴ|パート)[ 　]?[.．]?[ 　]?`, DIGITS, ''],
  ['その[ 　]?', `${DIGITS}|${KANJI}`, ''],
  ['', `${DIGITS}|${KANJI}`, '[ 　]?(?:スレ(?:ッド)?|本|枚|冊)目'],
  ['(?:vol|Ｖｏｌ|ＶＯＬ)[ 　]?[.．]?[ 　]?', DIGITS, ''],
  ['【', '[0-9]{1,3}|[０-９]{1,3}', '】'],
  ['第[ 　]?', `${DIGITS}|${KANJI}`, '(?=[ 　】」』）)]|$|スレ|部|章|幕|夜|弾|巻|陣)'],
  ['[#＃]', '[0-9]{1,3}|[０-９]{1,3}', '(?=[ 　】」』）)]|$)'],
  ['[(（[［]', '[0-9]{1,3}|[０-９]{1,3}', '[)）\\]］]$'],
  ['スレ(?:ッド)?[ 　]?', DIGITS, '$'],
].map(([before, number, after]) => new RegExp(`(${before})(?<![0-9０-９])(${number})(?![0-9０-９])(?=${after})`, 'giu'))

export function toNextTitle(title: string): string {
  for (const counter of COUNTERS) {
    const found = [...title.matchAll(counter)].at(-1)
    if (found === undefined) continue
    const [counted, mark = '', number = ''] = found
    return fit(title.slice(0, found.index), mark + addOne(number), title.slice(found.index + counted.length))
  }
  return fit(title.trimEnd(), ' ★2', '')
}

/** Shortens the part before the number, or the part after it, to the length of a title. */
function fit(start: string, number: string, end: string): string {
  let [before, after] = [start, end]
  while (findProblem(before + number + after, TITLE, 'line') === 'too_long') {
    if (before.length >= after.length) before = dropLast(before).trimEnd()
    else after = dropLast(after)
  }
  return before + number + after
}

const dropLast = (text: string): string => text.slice(0, [...splitGraphemes(text)].at(-1)?.index ?? 0)

function addOne(number: string): string {
  if (/^[0-9]/.test(number)) return String(Number(number) + 1).padStart(number.length, '0')
  if (/^[０-９]/.test(number)) {
    const plain = String(Number(number.normalize('NFKC')) + 1).padStart(number.length, '0')
    return plain.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  }
  // 一〇, 二〇二六: digits by position.
  if (number.includes('〇') || (number.length > 1 && !/[十百千]/.test(number))) {
    const plain = [...number].map((digit) => KANJI_DIGITS.indexOf(digit)).join('')
    return [...String(Number(plain) + 1)].map((digit) => KANJI_DIGITS[Number(digit)]).join('')
  }
  return writeKanji(readKanji(number) + 1)
}

const KANJI_DIGITS = '〇一二三四五六七八九'
const KANJI_UNITS: readonly (readonly [sign: string, value: number])[] = [
  ['千', 1_000],
  ['百', 100],
  ['十', 10],
]

function readKanji(text: string): number {
  let sum = 0
  let digit = 0
  for (const sign of text) {
    const unit = KANJI_UNITS.find(([name]) => name === sign)?.[1]
    if (unit === undefined) digit = KANJI_DIGITS.indexOf(sign)
    else {
      sum += unit * (digit === 0 ? 1 : digit)
      digit = 0
    }
  }
  return sum + digit
}

function writeKanji(number: number): string {
  if (number > 9_999) return String(number)
  let rest = number
  let text = ''
  for (const [sign, value] of KANJI_UNITS) {
    const digit = Math.floor(rest / value)
    if (digit > 0) text += (digit === 1 ? '' : KANJI_DIGITS[digit]!) + sign
    rest %= value
  }
  return rest === 0 ? text : text + KANJI_DIGITS[rest]!
}
