/**
 * Checks quantities written as words: half, twice, most, none. The article must have such a word,
 * or numbers that show it.
 */
import type { FoundNumber } from './japanese-numbers.ts'

/** An article, prepared for the lookup of such words. */
export interface SharedText {
  /** Title and text, folded by `foldFacts` (checker-text.ts). */
  readonly text: string
  readonly numbers: readonly FoundNumber[]
}

interface Share {
  readonly said: RegExp
  /** Words of the article with the same meaning. */
  readonly borne: RegExp
  /** Whether the article's numbers show it. */
  readonly isCounted: (article: SharedText) => boolean
}

/** More numbers than this are not compared with each other. */
const COMPARED_MAX = 300
/** Tolerance of "half" and "twice". */
const LENIENCE = 0.1

const percents = ({ numbers }: SharedText): number[] =>
  numbers.filter(({ unit }) => unit === '%').flatMap(({ values }) => values.map(Number))

/** Whether two numbers with the same unit have this ratio. */
function haveRatio({ numbers }: SharedText, ratio: number): boolean {
  const compared = numbers
    .slice(0, COMPARED_MAX)
    .flatMap(({ values, unit }) => values.map((value) => ({ value: Number(value), unit })))
  return compared.some((one) =>
    compared.some(
      (other) => other.unit === one.unit && one.value > 0 && Math.abs(other.value / one.value / ratio - 1) < LENIENCE,
    ),
  )
}

const HALF = '半減|半分|半数|半額|5割|50%|五割|2分の1|二分の一|折半'
const SHARES: readonly Share[] = [
  {
    said: /半減|半額|半分|半数(?!を[超上]|超|以上)/g,
    borne: new RegExp(`${HALF}|過半|の半ば`),
    isCounted: (article) => haveRatio(article, 0.5) || percents(article).some((value) => Math.abs(value - 50) <= 5),
  },
  {
    said: /過半数?|半数(?:を[超上]|超|以上)/g,
    borne: /過半|半数|半分以上|大半|大多数|賛成多数/,
    isCounted: (article) => percents(article).some((value) => value >= 50 && value <= 100),
  },
  {
    said: /(?<![\d一二三四五六七八九十百数何])倍(?:増|額|に)/g,
    borne: /倍増|倍額|(?<![\d.])2倍|二倍|(?<![\d一二三四五六七八九十百数何])倍に/,
    isCounted: (article) => haveRatio(article, 2),
  },
  {
    said: /(?<![ァ-ヺー])ゼロ(?![ァ-ヺー]|から|歳|系)/g,
    borne: /ゼロ|皆無|無し|なし|なかっ|いない|いなかっ|[1一]人も|[1一]件も|ひとつも|一切|全く|ません/,
    isCounted: ({ numbers }) => numbers.some(({ values }) => values.includes('0')),
  },
]

/** Such words of a folded text that neither the words nor the numbers of the article support. */
export function findUnknownShares(folded: string, article: SharedText): string[] {
  return SHARES.flatMap(({ said, borne, isCounted }) => {
    const words = folded.match(said) ?? []
    return words.length === 0 || borne.test(article.text) || isCounted(article) ? [] : words
  })
}
