/** Places of searched words in a text as it was typed, for showing why it was found. */
import { foldSpaced, INVISIBLE } from './fold.ts'

/** Characters before the first hit: enough to see what it is about, and the hit stays in sight. */
const LEAD = 24
/**
 * Maximum number of different characters in a text that have to be normalised one by one. The text
 * after them is not searched, so that a hostile text takes a few milliseconds at most.
 */
const SLOW_MAX = 2_000
/** Maximum number of hits of one word that are considered. */
const HITS_MAX = 100
/** A text is folded in steps of so many pieces, until the excerpt is certain. */
const STEP = 500

/** What the excerpts of one answer may cost together. */
export interface ExcerptBudget {
  /** Pieces that are not plain. Without any left, an excerpt is the beginning of its text. */
  pieces: number
}

/**
 * A hundred posts of 4,000 characters have some 60,000 such pieces, if they are read to the end. It
 * takes 20 ms.
 */
export const createExcerptBudget = (): ExcerptBudget => ({ pieces: 100_000 })

/** White space, or a character with the marks and invisible characters that belong to it. */
const PIECE = new RegExp(String.raw`\s+|[^](?:[\p{M}\u309b\u309c\uff9e\uff9f]|${INVISIBLE.source})*`, 'uy')

/**
 * Characters that fold by themselves, whatever plain character follows: ASCII, kana, kanji, 、。「」.
 */
const isPlain = (unit: number): boolean =>
  (unit > 0x20 && unit < 0x7f) ||
  (unit >= 0x4e00 && unit <= 0x9fff) ||
  (unit >= 0x3041 && unit <= 0x3096) ||
  (unit >= 0x30a1 && unit <= 0x30f6) ||
  unit === 0x30fc ||
  (unit >= 0x3001 && unit <= 0x3002) ||
  (unit >= 0x300c && unit <= 0x300d)

function foldPlain(unit: number): number {
  if (unit >= 0x41 && unit <= 0x5a) return unit + 0x20
  return unit >= 0x30a1 && unit <= 0x30f6 ? unit - 0x60 : unit
}

interface FoldedPieces {
  readonly folded: string
  /** The piece of each UTF-16 unit of `folded`. */
  readonly pieceOf: readonly number[]
  /** Where each piece begins in the text, and the end of the last one. */
  readonly starts: readonly number[]
}

/**
 * Folds piece by piece, so that places in the folded copy lead back to the text. Yields what is
 * folded so far, after each step and at the end.
 * @param least pieces that are folded without a budget
 */
function* foldPieces(text: string, budget: ExcerptBudget, least: number): Generator<FoldedPieces, void> {
  const starts: number[] = []
  const pieceOf: number[] = []
  const known = new Map<string, string>()
  let folded = ''
  let slow = 0
  let at = 0
  while (at < text.length) {
    if (starts.length > 0 && starts.length % STEP === 0) yield { folded, pieceOf, starts: [...starts, at] }
    const unit = text.charCodeAt(at)
    const next = text.charCodeAt(at + 1)
    if (isPlain(unit) && (Number.isNaN(next) || next < 0x7f || isPlain(next))) {
      pieceOf.push(starts.length)
      starts.push(at)
      folded += String.fromCharCode(foldPlain(unit))
      at += 1
      continue
    }
    if (budget.pieces <= 0 && starts.length >= least) break
    budget.pieces -= 1
    PIECE.lastIndex = at
    const piece = PIECE.exec(text)?.[0] ?? text.charAt(at)
    let copy = known.get(piece)
    if (copy === undefined) {
      slow += 1
      if (slow > SLOW_MAX) break
      copy = foldSpaced(piece)
      known.set(piece, copy)
    }
    // The whole text would have one space here, and none at its beginning.
    if (copy.startsWith(' ') && (folded === '' || folded.endsWith(' '))) copy = copy.slice(1)
    for (let index = 0; index < copy.length; index += 1) pieceOf.push(starts.length)
    folded += copy
    starts.push(at)
    at += piece.length
  }
  yield { folded, pieceOf, starts: [...starts, at] }
}

/** A hit in pieces; `word` is the index of the word. */
interface Hit {
  readonly from: number
  readonly to: number
  readonly word: number
}

function findHits({ folded, pieceOf }: FoldedPieces, words: readonly string[]): Hit[] {
  const hits: Hit[] = []
  for (const [word, text] of words.entries()) {
    let place = text === '' ? -1 : folded.indexOf(text)
    for (let count = 0; place !== -1 && count < HITS_MAX; count += 1) {
      hits.push({ from: pieceOf.at(place)!, to: pieceOf.at(place + text.length - 1)! + 1, word })
      place = folded.indexOf(text, place + text.length)
    }
  }
  return hits.toSorted((one, other) => one.from - other.from || other.to - one.to)
}

/**
 * The first hit that is followed by the most different words within the excerpt, and their number.
 */
function bestHit(hits: readonly Hit[], room: number): { readonly best: Hit | undefined; readonly most: number } {
  let best: Hit | undefined
  let most = 0
  for (const hit of hits.slice(0, HITS_MAX)) {
    const inReach = hits.filter(({ from, to }) => from >= hit.from && to <= hit.from + room - LEAD)
    const count = new Set(inReach.map(({ word }) => word)).size
    if (best === undefined || count > most) [best, most] = [hit, count]
  }
  return { best, most }
}

/** Folds a text as far as its excerpt needs it: no later hit is better than one with all words. */
function findExcerpt(text: string, words: readonly string[], room: number, budget: ExcerptBudget) {
  // A hit may reach beyond the excerpt.
  const reach = room + Math.max(0, ...words.map((word) => word.length))
  let starts: readonly number[] = []
  let hits: readonly Hit[] = []
  let first: Hit | undefined
  for (const pieces of foldPieces(text, budget, room)) {
    starts = pieces.starts
    hits = findHits(pieces, words)
    const { best, most } = bestHit(hits, room)
    first = best
    if (best !== undefined && most === words.length && best.from + reach < starts.length) break
  }
  return { starts, hits, first }
}

/**
 * An excerpt around the hits of words, in parts: the second, the fourth and so on are hits. White
 * space is one space, and … shows where text is left out. Without a hit it is the beginning.
 * @param words folded by `foldForSearch`
 * @param length maximum number of characters
 * @param budget shared by the excerpts of one answer
 */
export function excerptAround(
  text: string,
  words: readonly string[],
  length: number,
  budget: ExcerptBudget = createExcerptBudget(),
): string[] {
  const room = length - 2
  const { starts, hits, first } = findExcerpt(text, words, room, budget)
  const count = starts.length - 1
  const lead = first === undefined ? 0 : Math.min(LEAD, Math.max(0, room - (first.to - first.from)))
  const from = first === undefined ? 0 : Math.max(0, first.from - lead)
  const to = Math.min(count, from + room)

  const parts: string[] = []
  let end = from
  const take = (piece: number): string => text.slice(starts[end], starts[piece]).replace(/\s+/gu, ' ')
  for (const hit of hits) {
    if (hit.from < from || hit.to <= end || hit.from >= to) continue
    const isJoined = hit.from <= end && parts.length > 0
    if (!isJoined) {
      parts.push(take(hit.from))
      end = hit.from
    }
    const marked = take(Math.min(hit.to, to))
    if (isJoined) parts[parts.length - 1] += marked
    else parts.push(marked)
    end = Math.min(hit.to, to)
  }
  parts.push(take(to))
  const isCut = starts.at(to)! < text.trimEnd().length
  parts[0] = (from > 0 ? '…' : '') + parts.at(0)!.trimStart()
  parts[parts.length - 1] = parts.at(-1)!.trimEnd() + (isCut ? '…' : '')
  return parts
}
