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
/**
 * Distance and length of the probes of an article: a passage longer than COPY_MAX contains a whole
 * probe wherever it begins.
 */
const PROBE = 16

const NAME = /[ァ-ヺー]{3,}|[a-z][a-z0-9.&'+-]*/g
const squash = (folded: string): string => folded.replace(/[\s、。,.・「」『』()]/g, '')

/** An article, prepared for the search for copies. */
export interface CopiedText {
  readonly text: string
  /** All its substrings of this length. */
  readonly runs: ReadonlySet<string>
}

/** @param folded by `foldFacts` (text.ts) */
export function readForCopies(folded: string): CopiedText {
  const text = squash(folded)
  const runs = new Set<string>()
  for (let at = 0; at + RUN_MIN <= text.length; at += 1) runs.add(text.slice(at, at + RUN_MIN))
  return { text, runs }
}

/**
 * The share of these texts' characters that stand in the article in runs of at least sixteen; names
 * and quotations are not counted.
 */
export function shareOfCopies(folded: readonly string[], { runs }: CopiedText): number {
  let copied = 0
  let whole = 0
  for (const text of folded) {
    const squashed = squash(text)
    const weights = weigh(text, squashed)
    whole += weights.at(-1)!
    let counted = 0
    for (let at = 0; at + RUN_MIN <= squashed.length; at += 1) {
      if (!runs.has(squashed.slice(at, at + RUN_MIN))) continue
      copied += weights[at + RUN_MIN]! - weights[Math.max(at, counted)]!
      counted = at + RUN_MIN
    }
  }
  return whole === 0 ? 0 : copied / whole
}

/**
 * The longest passage that a folded text shares with the article, if it is too long; punctuation is
 * ignored.
 */
export function findCopy(folded: string, { text: article }: CopiedText): string | null {
  const text = squash(folded)
  const weights = weigh(folded, text)
  const places = new Map<string, number>()
  for (let at = text.length - PROBE; at >= 0; at -= 1) places.set(text.slice(at, at + PROBE), at)
  let longest = { from: 0, to: 0, weight: COPY_MAX }
  for (let at = 0; places.size > 0 && at + PROBE <= article.length; at += PROBE) {
    const place = places.get(article.slice(at, at + PROBE))
    if (place === undefined) continue
    const shift = at - place
    let from = place
    while (from > 0 && text[from - 1] === article[from - 1 + shift]) from -= 1
    let to = place + PROBE
    while (to < text.length && text[to] === article[to + shift]) to += 1
    const weight = weights[to]! - weights[from]!
    if (weight > longest.weight) longest = { from, to, weight }
  }
  return longest.weight > COPY_MAX ? text.slice(longest.from, longest.to) : null
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
