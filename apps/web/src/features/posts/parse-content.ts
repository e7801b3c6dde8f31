/**
 * Parses the plain text of a post into tokens: text, anchors to other posts (>>12, ＞＞３-５, >>1,3),
 * IDs of writers (ID:k3x9pQ_a) and links.
 * Pure, and lossless: the `text` of all tokens joined is the input.
 */
import { ANCHORS_MAX, findAnchors, type NumberRange } from '@shinobi/text/anchors'
import { findUrls, type FoundUrl } from './find-url.ts'

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'anchor'; readonly text: string; readonly ranges: readonly NumberRange[] }
  | { readonly kind: 'id'; readonly text: string; readonly id: string }
  | ({ readonly kind: 'link' } & FoundUrl)
  /** An address in a post of a newcomer, which is no link. */
  | { readonly kind: 'address'; readonly text: string }

interface Found {
  readonly index: number
  readonly token: Exclude<Token, { kind: 'text' }>
}

export const LINKS_MAX = 50
export const IDS_MAX = 50

/** An ID as the line of a post shows it (apps/server/src/features/posters/poster-ids.ts). */
const ID = /(?<![\w-])ID[:：]([\w-]{8})(?![\w-])/g

interface Options {
  /** Tokens of the same post that precede the text. */
  readonly before?: readonly Token[]
  /** Addresses are no links. */
  readonly plainLinks?: boolean | undefined
}

export function parseContent(text: string, { before = [], plainLinks = false }: Options = {}): Token[] {
  const left = (kind: Token['kind'], max: number): number =>
    Math.max(0, max - before.filter((token) => token.kind === kind).length)
  const links: Found[] = findUrls(text)
    .slice(0, left(plainLinks ? 'address' : 'link', LINKS_MAX))
    .map(({ index, ...link }) => ({
      index,
      token: plainLinks ? { kind: 'address', text: link.text } : { kind: 'link', ...link },
    }))
  const ids: Found[] = [...text.matchAll(ID)]
    .slice(0, left('id', IDS_MAX))
    .map(({ index, 0: typed, 1: id }) => ({ index, token: { kind: 'id', text: typed, id: id! } }))
  const anchors: Found[] = findAnchors(text, left('anchor', ANCHORS_MAX)).map(({ index, ...anchor }) => ({
    index,
    token: { kind: 'anchor', ...anchor },
  }))
  const found = [...links, ...anchors, ...ids].toSorted((a, b) => a.index - b.index)
  const tokens: Token[] = []
  let end = 0
  for (const { index, token } of found) {
    // An ID may be a part of an address.
    if (index < end) continue
    if (index > end) tokens.push({ kind: 'text', text: text.slice(end, index) })
    tokens.push(token)
    end = index + token.text.length
  }
  if (end < text.length) tokens.push({ kind: 'text', text: text.slice(end) })
  return tokens
}

/**
 * How many posts an anchor names in all. A repeated number counts twice; this is used only to show
 * that there are more.
 */
export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
