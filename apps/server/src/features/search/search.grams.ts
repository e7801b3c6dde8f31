/**
 * The search index holds single characters and pairs of neighbours ("grams") of the folded text, so any Japanese text of
 * one character and up is found, without a dictionary. A gram is packed into a bigint together with its bucket, a run of
 * threads by age: `bucket << 32 | first << 16 | second`. So one index serves "newest first" by walking bucket after bucket,
 * and a very common word ends after the first of them.
 */

/** Grams of a text without their bucket: each UTF-16 unit, and each pair, once. Spaces and line ends part words and are left out. */
export function gramsOf(folded: string): Set<number> {
  const grams = new Set<number>()
  let previous = 0
  for (let index = 0; index < folded.length; index += 1) {
    const unit = folded.charCodeAt(index)
    if (unit <= 0x20) {
      previous = 0
      continue
    }
    grams.add(unit * 0x10000)
    if (previous !== 0) grams.add(previous * 0x10000 + unit)
    previous = unit
  }
  return grams
}

/** Grams a search for a term asks for: its pairs, or the single character it is. */
export function gramsToFind(folded: string): number[] {
  const grams = new Set<number>()
  for (const word of folded.split(/\s+/)) {
    if (word.length === 1) grams.add(word.charCodeAt(0) * 0x10000)
    for (let index = 1; index < word.length; index += 1) {
      grams.add(word.charCodeAt(index - 1) * 0x10000 + word.charCodeAt(index))
    }
  }
  return [...grams]
}

/**
 * Packs grams with their bucket. JavaScript's whole numbers hold that for two million buckets, which are two thousand million threads; and they
 * are written several times as fast as its BigInt.
 */
export function packGrams(bucket: number, grams: Iterable<number>): number[] {
  const high = bucket * 2 ** 32
  return Array.from(grams, (gram) => high + gram)
}
