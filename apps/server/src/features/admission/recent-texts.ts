/**
 * The texts of the last day as signatures: a ring in memory, with an index by pairs of rows
 * (locality sensitive hashing). It has no text and no name, only a number for each writer. A
 * look-up takes a microsecond or two.
 */
import { mix, ROWS, ROWS_ALIKE } from './text-signature.ts'

/** A text, as the ring knows it. */
export interface RecentText {
  /** A hash of who wrote it. */
  readonly writer: number
  readonly rows: ArrayLike<number>
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface RecentTexts {
  /** Notes a text. @returns how many others have written nearly the same since `since`, up to 3 */
  note(text: RecentText, since: number): number
  /**
   * Notes a text of before the start, the newest first.
   * @returns false when there is no room for more
   */
  noteEarlier(text: RecentText): boolean
}

/** Texts of one day on a busy board; when there are more, the oldest are forgotten sooner. 2 MB. */
const TEXTS_MAX = 16_384
/** By pairs of rows: texts with 10 of 16 equal rows have two of the eight pairs in common. */
const PAIRS = ROWS / 2
const HEADS_BITS = 16
/** Texts compared at most, however many share a pair. */
const COMPARED_MAX = 64
/** Of one text so many writers are kept: a fourth one would change no answer. */
const WRITERS_KEPT = 3
const NONE = -1

/** The chain of a pair. */
const headOf = (rows: ArrayLike<number>, at: number, pair: number): number =>
  mix(Math.imul(rows[at]! ^ pair, 0x9e3779b1) ^ rows[at + 1]!) >>> (32 - HEADS_BITS)

export function createRecentTexts(size = TEXTS_MAX): RecentTexts {
  const writers = new Int32Array(size)
  /** 0 for an empty slot. */
  const times = new Float64Array(size)
  const rowsOf = new Int32Array(size * ROWS)
  /** Slots by pair, in chains: a link is a slot and the place of its pair. */
  const heads = new Int32Array(1 << HEADS_BITS).fill(NONE)
  const links = new Int32Array(size * PAIRS).fill(NONE)
  /** The look-up that has compared a slot last. */
  const comparedBy = new Uint32Array(size)
  let lookUp = 0
  /** The next slot; from the other end come texts of before the start. */
  let next = 0
  let earliest = size

  function put(slot: number, { writer, rows, at }: RecentText): void {
    remove(slot)
    writers[slot] = writer
    times[slot] = at
    for (let row = 0; row < ROWS; row += 1) rowsOf[slot * ROWS + row] = rows[row]!
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const head = headOf(rows, 2 * pair, pair)
      links[slot * PAIRS + pair] = heads[head]!
      heads[head] = slot * PAIRS + pair
    }
  }

  function remove(slot: number): void {
    if (times[slot] === 0) return
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const gone = slot * PAIRS + pair
      const head = headOf(rowsOf, slot * ROWS + 2 * pair, pair)
      if (heads[head] === gone) {
        heads[head] = links[gone]!
        continue
      }
      let link = heads[head]!
      while (links[link] !== gone) link = links[link]!
      links[link] = links[gone]!
    }
    times[slot] = 0
  }

  function isAlike(slot: number, rows: ArrayLike<number>): boolean {
    let equal = 0
    for (let row = 0; row < ROWS; row += 1) if (rowsOf[slot * ROWS + row] === rows[row]) equal += 1
    return equal >= ROWS_ALIKE
  }

  /** Slots of nearly equal texts. */
  function findAlike(rows: ArrayLike<number>, since: number): readonly number[] {
    let alike: number[] | null = null
    let compared = 0
    lookUp = (lookUp + 1) >>> 0
    for (let pair = 0; pair < PAIRS; pair += 1) {
      for (let link = heads[headOf(rows, 2 * pair, pair)]!; link !== NONE; link = links[link]!) {
        const slot = (link / PAIRS) | 0
        if (comparedBy[slot] === lookUp || times[slot]! <= since) continue
        comparedBy[slot] = lookUp
        if (isAlike(slot, rows)) (alike ??= []).push(slot)
        compared += 1
        if (compared === COMPARED_MAX) return alike ?? []
      }
    }
    return alike ?? []
  }

  const othersOf = (writer: number, slots: readonly number[]): number =>
    new Set(slots.map((slot) => writers[slot]!).filter((other) => other !== writer)).size

  return {
    note(text, since) {
      const alike = findAlike(text.rows, since)
      const others = alike.length === 0 ? 0 : othersOf(text.writer, alike)
      const own = alike.find((slot) => writers[slot] === text.writer)
      if (own === undefined && others < WRITERS_KEPT) {
        put(next, text)
        next = (next + 1) % size
        return others
      }
      // What is repeated stays a day from its last repetition.
      const kept = own ?? alike.reduce((one, other) => (times[other]! < times[one]! ? other : one))
      times[kept] = text.at
      return Math.min(others, WRITERS_KEPT)
    },
    noteEarlier(text) {
      if (earliest <= next) return false
      const alike = findAlike(text.rows, 0)
      const isKnown = alike.some((slot) => writers[slot] === text.writer)
      if (isKnown || othersOf(text.writer, alike) >= WRITERS_KEPT) return true
      earliest -= 1
      put(earliest, text)
      return true
    },
  }
}
