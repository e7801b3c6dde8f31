/** Turns the bytes of a page or feed into text. Japanese sites write in four charsets, and some say the wrong one, or none. */
import { getEncoding } from 'encoding-sniffer'

/** How far into a document its own declaration is looked for. */
const DECLARED_WITHIN = 8_192
/** A charset that no document is written in: it stands for none declared. */
const NONE = 'x-user-defined'
/** What browsers take where nothing helps. */
const LAST_RESORT = 'windows-1252'

/** Every sequence of bytes is valid in these, so that being valid is no sign of being right. */
const PROVES_NOTHING = /^(windows-|iso-8859-|koi8|macintosh|x-mac|ibm)/i

/**
 * Decodes a document: by its byte order mark, by what HTTP says of it, by what it says of itself, by its bytes. What is declared counts
 * only where the bytes bear it out.
 * @param contentType the header's value; null without one
 */
export function decodeText(bytes: Buffer, contentType: string | null): string {
  const declared = declaredCharsets(bytes, contentType)
  for (const charset of declared) {
    if (PROVES_NOTHING.test(charset)) continue
    const text = decodeStrictly(bytes, charset)
    if (text !== null) return text
  }
  const [first = LAST_RESORT] = declared
  const loose = decoderOf(first, false)?.decode(bytes) ?? bytes.toString('latin1')
  // A broken character here and there does not make another charset of it.
  if (!PROVES_NOTHING.test(first) && !isMostlyBroken(loose)) return loose
  return decodeByBytes(bytes) ?? loose
}

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

function decodeStrictly(bytes: Buffer, charset: string): string | null {
  try {
    return decoderOf(charset, true)?.decode(bytes) ?? null
  } catch {
    return null
  }
}

/** One in ten of what is not plain ASCII could not be read. */
function isMostlyBroken(text: string): boolean {
  const special = text.match(/[^\0-\x7f]/gu)?.length ?? 0
  return (text.match(/\u{fffd}/gu)?.length ?? 0) * 10 > special
}

/** How ISO-2022-JP leaves ASCII; nothing else has these. */
const ESCAPES = ['\u{1b}$@', '\u{1b}$B', '\u{1b}(J', '\u{1b}(I']

/** Null when the bytes do not show what they are: neither UTF-8 nor Japanese. */
function decodeByBytes(bytes: Buffer): string | null {
  const isPlain = bytes.every((byte) => byte < 0x80)
  if (isPlain && ESCAPES.some((escape) => bytes.includes(escape))) return decodeStrictly(bytes, 'iso-2022-jp')
  const utf8 = decodeStrictly(bytes, 'utf-8')
  if (utf8 !== null) return utf8
  // What is written in one of them can often be read as the other, but not as kana.
  return (
    ['euc-jp', 'shift_jis']
      .map((charset) => decodeStrictly(bytes, charset))
      .find((text) => text !== null && kanaShare(text) >= KANA_SHARE) ?? null
  )
}

/** Of Japanese text, half is kana; of other text read as Japanese, next to nothing. */
const KANA_SHARE = 0.15

/** How much of what is not ASCII is kana and its marks. Half-width kana do not count: that is what wrongly read text is full of. */
function kanaShare(text: string): number {
  const special = text.match(/[^\0-\x7f]/gu)?.length ?? 0
  const kana = text.match(/[ぁ-んァ-ヶー、。「」]/gu)?.length ?? 0
  return special === 0 ? 0 : kana / special
}
