/**
 * The search index contains single characters and pairs of adjacent ones ("grams") of the folded
 * text, so that any Japanese text of at least one character is found without a dictionary. A gram
 * is packed into a bigint together with its bucket, a range of threads by age:
 * `bucket << 32 | first << 16 | second`.
 * So one index serves "newest first" by walking bucket after bucket, and a search for a very common
 * word ends after the first of them.
 */

/**
 * Grams of a text without their bucket: each UTF-16 unit and each pair, once. Whitespace separates
 * words and is left out.
 */
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

/** Grams to look up for a term: its pairs, or its only character. */
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
 * Packs grams with their bucket. JavaScript's safe integers suffice for two million buckets, or two
 * billion threads, and are several times as fast as BigInt.
 */
export function packGrams(bucket: number, grams: Iterable<number>): number[] {
  const high = bucket * 2 ** 32
  return Array.from(grams, (gram) => high + gram)
}

/** PostgreSQL's number of the type bigint. */
const BIGINT = 20
const [HEAD_BYTES, ELEMENT_BYTES] = [20, 12]

/**
 * The grams of some texts, one after the other, as a bigint[] in PostgreSQL's binary form: hundreds
 * of numbers a text take a third of the time of their digits, on both sides.
 */
export function encodeGrams(
  texts: readonly { readonly bucket: number; readonly grams: ReadonlySet<number> }[],
): Buffer {
  const count = texts.reduce((sum, { grams }) => sum + grams.size, 0)
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + count * ELEMENT_BYTES)
  // One dimension without nulls, from index 1.
  let at = 0
  for (const field of [1, 0, BIGINT, count, 1]) at = bytes.writeInt32BE(field, at)
  for (const { bucket, grams } of texts) {
    for (const gram of grams) {
      at = bytes.writeInt32BE(8, at)
      at = bytes.writeInt32BE(bucket, at)
      at = bytes.writeUInt32BE(gram, at)
    }
  }
  return bytes
}
