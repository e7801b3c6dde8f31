/** Text in CP932: Shift_JIS as Windows and the browsers of 2ch use it. */
import iconv from 'iconv-lite'

/**
 * Encodes a text. Characters that CP932 lacks become numeric references (`&#128514;`), as browsers
 * send them in forms. Lone surrogates become U+FFFD.
 */
export function encodeCp932(text: string): Buffer {
  const wellFormed = text.toWellFormed()
  return iconv.encode(
    wellFormed.replaceAll(/[^\0-\x7f]/gu, (character) => {
      const code = character.codePointAt(0)!
      return isLacking(code) ? `&#${code};` : character
    }),
    'cp932',
  )
}

/** Bytes of each code point beyond ASCII: 0 while they are unknown. */
const known = new Uint8Array(0x11_0000)
const LACKS = 0xff

function isLacking(code: number): boolean {
  if (known[code] === 0) {
    const bytes = iconv.encode(String.fromCodePoint(code), 'cp932')
    // iconv-lite writes ? for what it cannot encode.
    known[code] = bytes.includes('?') ? LACKS : bytes.length
  }
  return known[code] === LACKS
}

/** The bytes that one character takes. */
export function cp932Length(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x80) return 1
  return isLacking(code) ? `&#${code};`.length : known[code]!
}

/** The bytes that a text takes; counting ends above `max`. */
export function cp932Bytes(text: string, max: number): number {
  let bytes = 0
  for (const character of text) if ((bytes += cp932Length(character)) > max) break
  return bytes
}

/** Decodes a text. Bytes that mean nothing, and halves of characters, become U+FFFD. */
export const decodeCp932 = (bytes: Buffer): string => iconv.decode(bytes, 'cp932')
