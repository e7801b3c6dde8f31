/** Anchors to other posts in a text: >>12, ＞＞３-５, >>1,3. Pure. */

/** Posts from `from` to `to`, both included, in ascending order. */
export interface NumberRange {
  readonly from: number
  readonly to: number
}

export interface FoundAnchor {
  readonly index: number
  readonly text: string
  readonly ranges: readonly NumberRange[]
}

const NUMBER = String.raw`[1-9１-９][0-9０-９]{0,8}(?![0-9０-９])`
const RANGE = String.raw`${NUMBER}(?:[-－‐–~～〜]${NUMBER})?`
const ANCHOR = new RegExp(String.raw`[>＞]{2}(${RANGE}(?:[,，]${RANGE})*)`, 'gu')

const toNumber = (digits: string): number =>
  Number(digits.replace(/[０-９]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0)))

function toRange(text: string): NumberRange {
  const [first = '', last = first] = text.split(/[-－‐–~～〜]/u)
  const [from, to] = [toNumber(first), toNumber(last)]
  return from <= to ? { from, to } : { from: to, to: from }
}

/**
 * Limit per post: a thousand anchors fit into one post and would make a page slow. Anchors beyond
 * it stay text.
 */
export const ANCHORS_MAX = 30

export const findAnchors = (text: string, max = ANCHORS_MAX): FoundAnchor[] =>
  [...text.matchAll(ANCHOR).take(max)].map((match) => ({
    index: match.index,
    text: match[0],
    ranges: (match[1] ?? '').split(/[,，]/u).map(toRange),
  }))

/**
 * The numbers that an anchor names, at most `max` of them: >>1-1000 must not open a thousand
 * popovers.
 */
export function numbersOf(ranges: readonly NumberRange[], max: number): number[] {
  const numbers = new Set<number>()
  for (const { from, to } of ranges) {
    for (let number = from; number <= to && numbers.size < max; number += 1) numbers.add(number)
  }
  return [...numbers]
}

/** An anchor to more posts than this answers none of them: >>1-1000 is no thousand answers. */
const ANSWERED_MAX = 10

/** The numbers of the posts that a post answers, each once. */
export function numbersAnsweredBy({
  number,
  content,
}: {
  readonly number: number
  readonly content: string
}): number[] {
  const numbers = new Set<number>()
  for (const { ranges } of findAnchors(content)) {
    const named = numbersOf(ranges, ANSWERED_MAX + 1)
    if (named.length <= ANSWERED_MAX) for (const answered of named) if (answered < number) numbers.add(answered)
  }
  return [...numbers]
}
