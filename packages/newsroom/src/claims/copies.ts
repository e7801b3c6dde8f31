/** Finds long passages that a summary copies from its article word for word. */
import { readQuotations } from './text.ts'

/**
 * Characters in a row that may be copied, names and quotations not counted: the lead of a news
 * agency is about twice as long.
 */
export const COPY_MAX = 40
/** Shorter common runs are ordinary words of the subject. */
const RUN_MIN = 16
/** The share of characters of all sentences that may stand in such runs. */
export const COPIED_SHARE_MAX = 0.7
const NAME = /[ァ-ヺー]{3,}|[a-z][a-z0-9.&'+-]*/g
const squash = (folded: string): string => folded.replace(/[\s、。,.・「」『』()]/g, '')

/** The runs of an article: all its substrings of their minimum length. */
export type Runs = ReadonlySet<string>

/** All substrings of this length. */
export const substringsOf = (text: string, length: number): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length)))

/** @param folded by `foldFacts` (text.ts) */
export const readRuns = (folded: string): Runs => substringsOf(squash(folded), RUN_MIN)

/** The characters of a text, and of its passages that stand in the article, where they count. */
function readCopied(folded: string, runs: Runs) {
  const text = squash(folded)
  const weights = weigh(folded, text)
  const places: { from: number; to: number }[] = []
  for (let at = 0; at + RUN_MIN <= text.length; at += 1) {
    if (!runs.has(text.slice(at, at + RUN_MIN))) continue
    const last = places.at(-1)
    if (last?.to === at + RUN_MIN - 1) last.to += 1
    else places.push({ from: Math.max(at, last?.to ?? 0), to: at + RUN_MIN })
  }
  const passages = places.map(({ from, to }) => ({
    passage: text.slice(from, to),
    weight: weights[to]! - weights[from]!,
  }))
  return { whole: weights.at(-1)!, passages }
}

/**
 * The share of these texts' characters that stand in the article in runs of at least sixteen; names
 * and quotations are not counted.
 */
export function shareOfCopies(folded: readonly string[], runs: Runs): number {
  const copied = folded.map((text) => readCopied(text, runs))
  const whole = copied.reduce((sum, one) => sum + one.whole, 0)
  const taken = copied.flatMap(({ passages }) => passages).reduce((sum, { weight }) => sum + weight, 0)
  return whole === 0 ? 0 : taken / whole
}

/**
 * The longest passage that a folded text shares with the article, if it is too long; punctuation is
 * ignored.
 */
export function findCopy(folded: string, runs: Runs): string | null {
  const [longest] = readCopied(folded, runs).passages.toSorted((a, b) => b.weight - a.weight)
  return longest !== undefined && longest.weight > COPY_MAX ? longest.passage : null
}

/** For each position of the text without spaces, the number of characters before it that count. */
function weigh(folded: string, text: string): number[] {
  const free = new Set<number>()
  const exempt = (passage: string, from: number): number => {
    const start = passage === '' ? -1 : text.indexOf(passage, from)
    if (start === -1) return from
    for (let at = start; at < start + passage.length; at += 1) free.add(at)
    return start + passage.length
  }
  let from = 0
  for (const quotation of readQuotations(folded)) from = exempt(squash(quotation), from)
  for (const match of text.matchAll(NAME)) exempt(match[0], match.index)
  const weights = [0]
  for (let at = 0; at < text.length; at += 1) weights.push(weights[at]! + (free.has(at) ? 0 : 1))
  return weights
}
