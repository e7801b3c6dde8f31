/**
 * Whether two articles report the same story in the same words: copy of a news agency that several
 * papers print, with another title and lead, cut short, or with a few words changed. Two articles
 * that differ in their words stay two stories.
 */
import { foldForSearch } from '@shinobi/text/fold'

/**
 * Bands of a fingerprint. Of articles that share a fifth of their passages, 97 in 100 share a band.
 */
const BANDS = 16
/**
 * Characters of a passage for the fingerprint: long enough that the set phrases of news contribute
 * little.
 */
const PASSAGE = 5
/**
 * Characters of a passage for the comparison: short enough that a changed word affects few of them.
 */
const PIECE = 3

/**
 * Likeness from which on two articles are one story. It lies between measured cases
 * (near-duplicates.test.ts): copy that was cut short or edited reaches at least 0.5; other reports
 * of one event, and reports in set phrases (earthquakes, stock markets), stay below 0.35.
 */
export const SAME_STORY = 0.42

/** The content of a text: without width, case, spaces and punctuation. */
const essence = (text: string): string => foldForSearch(text).replace(/[\s\p{P}\p{S}]+/gu, '')

/** Hashes of all runs of `length` units. */
function hashRuns(text: string, length: number): Set<number> {
  const hashes = new Set<number>()
  const last = Math.max(0, text.length - length)
  for (let start = 0; start <= last && text !== ''; start += 1) {
    let hash = 0x811c9dc5
    for (let at = start; at < start + length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hashes.add(hash)
  }
  return hashes
}

/**
 * Mixes a hash anew for each band (the finaliser of MurmurHash3), so that the bands are
 * independent.
 */
function mix(hash: number, band: number): number {
  let mixed = hash ^ Math.imul(band + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * The fingerprint of a text (MinHash): signed 32-bit integers, the same at every run. Texts that
 * share a band may report the same story, and `likeness` decides; texts that share none hardly ever
 * do.
 */
export function bandsOf(text: string): number[] {
  const hashes = hashRuns(essence(text), PASSAGE)
  if (hashes.size === 0) return []
  const least = new Int32Array(BANDS).fill(0x7fffffff)
  for (const hash of hashes) {
    for (let band = 0; band < BANDS; band += 1) {
      const mixed = mix(hash, band)
      if (mixed < least[band]!) least[band] = mixed
    }
  }
  return [...least]
}

/** The share of the smaller set that the other one contains, 0 to 1. */
function contained<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  return small.size === 0 ? 0 : small.intersection(large).size / small.size
}

/** Figures with what they count: 震度4, 21日, 3万8000円. */
const figures = (text: string): Set<string> => new Set(text.match(/\d[\d.,]*[^\d\s]?/g) ?? [])
/** With fewer figures, the comparison of figures is meaningless. */
const FIGURES_MIN = 3
/**
 * Copies keep nearly all figures, even when one was updated; reports in set phrases share a third
 * at most.
 */
const FIGURES_SHARED = 0.6

/**
 * The share of the shorter text that the longer one contains, 0 to 1. Texts that differ in their
 * figures count as less alike: a report of an earthquake or of a day on the stock market repeats
 * the last one with other figures, and is another story.
 */
export function likeness(a: string, b: string): number {
  const [one, other] = [foldForSearch(a), foldForSearch(b)]
  const words = contained(hashRuns(essence(one), PIECE), hashRuns(essence(other), PIECE))
  const [figuresOfOne, figuresOfOther] = [figures(one), figures(other)]
  if (Math.min(figuresOfOne.size, figuresOfOther.size) < FIGURES_MIN) return words
  const shared = contained(figuresOfOne, figuresOfOther)
  return shared >= FIGURES_SHARED ? words : words * shared
}
