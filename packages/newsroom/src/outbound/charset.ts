/** Turns the bytes of a page or feed into text. Japanese sites write in four charsets, and some say the wrong one, or none. */
import { isAscii } from 'node:buffer'
import { getEncoding } from 'encoding-sniffer'

/** How far into a document its own declaration is looked for. */
const DECLARED_WITHIN = 8_192
/** A charset that no document is written in: it stands for none declared. */
const NONE = 'x-user-defined'
/** What browsers take where nothing helps. */
const LAST_RESORT = 'windows-1252'

/** Every sequence of bytes is valid in these, so that being valid is no sign of being right. */
const PROVES_NOTHING = /^(windows-|iso-8859-|koi8|macintosh|x-mac|ibm)/i

/** How much of a document is looked at: documents may be millions of bytes, and everybody waits meanwhile. */
const SAMPLE_BYTES = 200_000

/**
 * Decodes a document: by its byte order mark, by what HTTP says of it, by what it says of itself, by its bytes. What is declared counts
 * only where the bytes bear it out.
 * @param contentType the header's value; null without one
 */
export function decodeText(bytes: Buffer, contentType: string | null): string {
  const declared = declaredCharsets(bytes, contentType)
  const sample = sampleOf(bytes)
  const proved = declared.find((charset) => !PROVES_NOTHING.test(charset) && readStrictly(sample, charset) !== null)
  const [first = LAST_RESORT] = declared
  return decodeLoosely(bytes, proved ?? (isBorneOut(sample, first) ? first : charsetByBytes(bytes, sample)) ?? first)
}

/** The part that tells charsets apart: it begins where ASCII ends, or next to it, where two bytes are a letter. */
function sampleOf(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length && bytes[start]! < 0x80) start += 1
  if (start === bytes.length) return bytes.subarray(0, SAMPLE_BYTES)
  return bytes.subarray(start - (start % 2)).subarray(0, SAMPLE_BYTES)
}

const decodeLoosely = (bytes: Buffer, charset: string): string =>
  decoderOf(charset, false)?.decode(bytes) ?? bytes.toString('latin1')

/** A broken character here and there does not make another charset of it. */
const isBorneOut = (sample: Buffer, charset: string): boolean =>
  !PROVES_NOTHING.test(charset) && !isMostlyBroken(decodeLoosely(sample, charset))

/** The likeliest first. */
function declaredCharsets(bytes: Buffer, contentType: string | null): string[] {
  const label = /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType ?? '')?.[1]
  const options = { maxBytes: DECLARED_WITHIN, defaultEncoding: NONE }
  const outside = label === undefined ? NONE : getEncoding(bytes, { ...options, transportLayerEncodingLabel: label })
  return [outside, getEncoding(bytes, options)].filter(
    (charset) => charset !== NONE && decoderOf(charset, false) !== null,
  )
}

/** Null for what has a name but no decoder. */
function decoderOf(charset: string, fatal: boolean): TextDecoder | null {
  try {
    return new TextDecoder(charset, { fatal })
  } catch {
    return null
  }
}

/** Null for what is not of that charset. A letter that the end of the sample cuts in two is. */
function readStrictly(sample: Buffer, charset: string): string | null {
  try {
    return decoderOf(charset, true)?.decode(sample, { stream: true }) ?? null
  } catch {
    return null
  }
}

/** One in ten of what is not plain ASCII could not be read. */
function isMostlyBroken(text: string): boolean {
  return count(text, (code) => code === 0xfffd) * 10 > count(text, isSpecial)
}

const isSpecial = (code: number): boolean => code > 0x7f

/** How many units of a text are such, without a list of them. */
function count(text: string, isSuch: (code: number) => boolean): number {
  let found = 0
  for (let at = 0; at < text.length; at += 1) if (isSuch(text.charCodeAt(at))) found += 1
  return found
}

/** How ISO-2022-JP leaves ASCII; nothing else has these. */
const ESCAPES = ['\u{1b}$@', '\u{1b}$B', '\u{1b}(J', '\u{1b}(I']

/** Null when the bytes do not show what they are: neither UTF-8 nor Japanese. */
function charsetByBytes(bytes: Buffer, sample: Buffer): string | null {
  if (isAscii(bytes) && ESCAPES.some((escape) => bytes.includes(escape))) return 'iso-2022-jp'
  if (readStrictly(sample, 'utf-8') !== null) return 'utf-8'
  // What is written in one of them can often be read as the other, but not as kana.
  return ['euc-jp', 'shift_jis'].find((charset) => kanaShare(readStrictly(sample, charset) ?? '') >= KANA_SHARE) ?? null
}

/** Of Japanese text, half is kana; of other text read as Japanese, next to nothing. */
const KANA_SHARE = 0.15

/** How much of what is not ASCII is kana and its marks. Half-width kana do not count: that is what wrongly read text is full of. */
function kanaShare(text: string): number {
  const special = count(text, isSpecial)
  return special === 0 ? 0 : count(text, isKana) / special
}

/** ぁ-ん, ァ-ヶ, ー, 、。「」 */
const isKana = (code: number): boolean =>
  (code >= 0x3041 && code <= 0x3093) ||
  (code >= 0x30a1 && code <= 0x30f6) ||
  (code >= 0x300c && code <= 0x300d) ||
  (code >= 0x3001 && code <= 0x3002) ||
  code === 0x30fc
