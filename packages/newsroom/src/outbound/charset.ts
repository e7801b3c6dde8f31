/**
 * Decodes the bytes of a page or feed. Japanese sites use four charsets, and some declare a wrong
 * one, or none.
 */
import { isAscii } from 'node:buffer'
import { getEncoding } from 'encoding-sniffer'

/** Bytes at the beginning of a document in which its own declaration is searched. */
const DECLARED_WITHIN = 8_192
/** A charset in which no document is written: it stands for "none declared". */
const NONE = 'x-user-defined'
/** What browsers assume without any other sign. */
const LAST_RESORT = 'windows-1252'

/** Every sequence of bytes is valid in these charsets, so validity is no evidence. */
const PROVES_NOTHING = /^(windows-|iso-8859-|koi8|macintosh|x-mac|ibm)/i

/**
 * Bytes of a document that are examined: documents may have millions, and the event loop waits
 * meanwhile.
 */
const SAMPLE_BYTES = 200_000

/**
 * Decodes a document by its byte order mark, the declaration of HTTP, its own declaration, or its
 * bytes, in this order. A declaration counts only where the bytes agree with it.
 * @param contentType the header's value; null without one
 */
export function decodeText(bytes: Buffer, contentType: string | null): string {
  if (isAscii(bytes) && ESCAPES.some((escape) => bytes.includes(escape))) return decodeLoosely(bytes, 'iso-2022-jp')
  const declared = declaredCharsets(bytes, contentType)
  const sample = sampleOf(bytes)
  const proved = declared.find((charset) => !PROVES_NOTHING.test(charset) && readStrictly(sample, charset) !== null)
  const [first = LAST_RESORT] = declared
  return decodeLoosely(bytes, proved ?? (isBorneOut(sample, first) ? first : charsetByBytes(sample)) ?? first)
}

/**
 * Escape sequences by which ISO-2022-JP leaves ASCII; no other charset has them. Its bytes are
 * ASCII, so they agree with most declarations.
 */
const ESCAPES = ['\u{1b}$@', '\u{1b}$B', '\u{1b}(J', '\u{1b}(I']

/**
 * The part by which charsets can be distinguished: it begins where ASCII ends, or a byte before,
 * for letters of two bytes.
 */
function sampleOf(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length && bytes[start]! < 0x80) start += 1
  if (start === bytes.length) return bytes.subarray(0, SAMPLE_BYTES)
  return bytes.subarray(start - (start % 2)).subarray(0, SAMPLE_BYTES)
}

const decodeLoosely = (bytes: Buffer, charset: string): string => new TextDecoder(charset).decode(bytes)

/** A few broken characters do not disprove a charset. */
const isBorneOut = (sample: Buffer, charset: string): boolean =>
  !PROVES_NOTHING.test(charset) && !isMostlyBroken(decodeLoosely(sample, charset))

/** The most likely first. */
function declaredCharsets(bytes: Buffer, contentType: string | null): string[] {
  const label = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType ?? '')?.[1]
  const options = { maxBytes: DECLARED_WITHIN, defaultEncoding: NONE }
  const outside = label === undefined ? NONE : getEncoding(bytes, { ...options, transportLayerEncodingLabel: label })
  return [outside, getEncoding(bytes, options)].filter(
    (charset) => charset !== NONE && readStrictly(Buffer.alloc(0), charset) !== null,
  )
}

/**
 * Null for bytes that are invalid in that charset, and for a charset without a decoder. A letter
 * that the end of the sample cuts in two is valid.
 */
function readStrictly(sample: Buffer, charset: string): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(sample, { stream: true })
  } catch {
    return null
  }
}

/** How many units of a text match, without building a list of them. */
const count = (text: string, pattern: RegExp): number => text.length - text.replace(pattern, '').length
const SPECIAL = /[^\0-\x7f]/g

/** At least one in ten characters outside ASCII could not be decoded. */
const isMostlyBroken = (text: string): boolean => count(text, /\ufffd/g) * 10 > count(text, SPECIAL)

/** Null when the bytes are neither UTF-8 nor Japanese. */
function charsetByBytes(sample: Buffer): string | null {
  if (readStrictly(sample, 'utf-8') !== null) return 'utf-8'
  // Text of one charset is often valid in the other, but then has few kana.
  return ['euc-jp', 'shift_jis'].find((charset) => kanaShare(readStrictly(sample, charset) ?? '') >= KANA_SHARE) ?? null
}

/** Half of Japanese text is kana; other text decoded as Japanese has hardly any. */
const KANA_SHARE = 0.15

/**
 * The share of kana and their marks among characters outside ASCII. Half-width kana do not count,
 * because wrongly decoded text is full of them.
 */
function kanaShare(text: string): number {
  const special = count(text, SPECIAL)
  return special === 0 ? 0 : count(text, /[ぁ-んァ-ヶー、。「」]/g) / special
}
