/**
 * Parses the plain text of a post into tokens: text, anchors to other posts (>>12, ＞＞３-５, >>1,3)
 * and links.
 * Pure, and lossless: the `text` of all tokens joined is the input.
 */
import { findUrls, type FoundUrl } from './find-url.ts'

/** Posts from `from` to `to`, both included, in ascending order. */
export interface NumberRange {
  readonly from: number
  readonly to: number
}

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'anchor'; readonly text: string; readonly ranges: readonly NumberRange[] }
  | ({ readonly kind: 'link' } & FoundUrl)

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

interface Found {
  readonly index: number
  readonly token: Exclude<Token, { kind: 'text' }>
}

/**
 * Limit per post: a thousand anchors fit into one post and would make a page slow. Anchors beyond
 * it stay text.
 */
export const ANCHORS_MAX = 30
export const LINKS_MAX = 50

function findAnchors(text: string, max: number): Found[] {
  return [...text.matchAll(ANCHOR).take(max)].map((match) => ({
    index: match.index,
    token: { kind: 'anchor', text: match[0], ranges: (match[1] ?? '').split(/[,，]/u).map(toRange) },
  }))
}

/** @param before tokens of the same post that precede the text */
export function parseContent(text: string, before: readonly Token[] = []): Token[] {
  const left = (kind: Token['kind'], max: number): number =>
    Math.max(0, max - before.filter((token) => token.kind === kind).length)
  const links: Found[] = findUrls(text)
    .slice(0, left('link', LINKS_MAX))
    .map(({ index, ...link }) => ({ index, token: { kind: 'link', ...link } }))
  const anchors = findAnchors(text, left('anchor', ANCHORS_MAX))
  const found = [...links, ...anchors].toSorted((a, b) => a.index - b.index)
  const tokens: Token[] = []
  let end = 0
  for (const { index, token } of found) {
    // An anchor inside an address cannot occur (no address contains ">"), but losing text would be
    // worse than losing a link.
    if (index < end) continue
    if (index > end) tokens.push({ kind: 'text', text: text.slice(end, index) })
    tokens.push(token)
    end = index + token.text.length
  }
  if (end < text.length) tokens.push({ kind: 'text', text: text.slice(end) })
  return tokens
}

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

/**
 * How many posts an anchor names in all. A repeated number counts twice; this is used only to show
 * that there are more.
 */
export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
