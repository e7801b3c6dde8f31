/** Breaks a title into lines where a reader pauses. */
import { loadDefaultJapaneseParser } from 'budoux'

/** Width of a text in em. */
export type Measure = (text: string) => number

export interface Setting {
  /** Font size in pixels. */
  readonly size: number
  readonly lines: readonly string[]
}

/** A short title is set larger. */
const SIZES = [
  { size: 92, linesMax: 1 },
  { size: 80, linesMax: 2 },
  { size: 68, linesMax: 3 },
  { size: 60, linesMax: 3 },
  { size: 54, linesMax: 3 },
] as const

/** Characters that begin no line, and such that end none (JIS X 4051). */
const BEGINS_NO_LINE =
  /^[、。，．・：；:;,.？！?!ー‐゠–〜〓…‥ゝゞヽヾ々〻）)\]｝}〕〉》」』】〙〗〟’”»ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ]/u
const ENDS_NO_LINE = /[（([｛{〔〈《「『【〘〖〝‘“«]$/u
const IN_WORD = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}'’._/-]/u

const parser = loadDefaultJapaneseParser()

/** @param width of a line in pixels */
export function setTitle(title: string, width: number, measure: Measure): Setting {
  const phrases = phrasesOf(title)
  for (const { size, linesMax } of SIZES) {
    const lines = breakLines(phrases, width / size, measure)
    if (lines.length <= linesMax) return { size, lines: balance(phrases, lines, width / size, measure) }
  }
  const { size, linesMax } = SIZES[SIZES.length - 1]!
  const lines = breakLines(phrases, width / size, measure)
  const last = shorten(lines.slice(linesMax - 1).join(''), width / size, measure)
  return { size, lines: [...lines.slice(0, linesMax - 1), last] }
}

/** The text, or its beginning with an ellipsis. */
export function shorten(text: string, width: number, measure: Measure): string {
  if (measure(text) <= width) return text
  const characters = [...text]
  while (characters.length > 0 && measure(`${characters.join('')}…`) > width) characters.pop()
  return `${characters.join('').trimEnd()}…`
}

/** Spaces end a phrase. */
function phrasesOf(title: string): string[] {
  return join(
    title.split(/(?<= )/u).flatMap((part) => parser.parse(part)),
    { keepWords: true },
  )
}

/** Joins parts between which no line may end. */
function join(parts: readonly string[], { keepWords }: { readonly keepWords: boolean }): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    const isOne =
      before !== undefined &&
      (BEGINS_NO_LINE.test(part) ||
        ENDS_NO_LINE.test(before) ||
        (keepWords && IN_WORD.test(lastOf(before)) && IN_WORD.test(firstOf(part))))
    if (isOne) joined[joined.length - 1] = before + part
    else joined.push(part)
  }
  return joined
}

const firstOf = (text: string): string => [...text][0] ?? ''
const lastOf = (text: string): string => [...text].at(-1) ?? ''

function breakLines(phrases: readonly string[], width: number, measure: Measure): string[] {
  const fits = (text: string): boolean => measure(text.trimEnd()) <= width
  const lines: string[] = []
  let line = ''
  for (const part of phrases.flatMap((phrase) => divide(phrase, fits))) {
    if (line !== '' && !fits(line + part)) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return [...lines, line.trimEnd()]
}

/** A phrase wider than a line is broken between characters, and if need be between any. */
function divide(phrase: string, fits: (text: string) => boolean): string[] {
  if (fits(phrase)) return [phrase]
  return join([...phrase], { keepWords: false }).flatMap((part) => (fits(part) ? [part] : [...part]))
}

/** Narrows the lines as long as they stay as many, so that none is left with a word or two. */
function balance(
  phrases: readonly string[],
  lines: readonly string[],
  width: number,
  measure: Measure,
): readonly string[] {
  // Narrower lines would tear a phrase that is whole now.
  const least = Math.max(...phrases.map((phrase) => measure(phrase.trimEnd())))
  let balanced = lines
  for (let narrower = width - 0.5; narrower >= least; narrower -= 0.5) {
    const tried = breakLines(phrases, narrower, measure)
    if (tried.length > lines.length) break
    balanced = tried
  }
  return balanced
}
