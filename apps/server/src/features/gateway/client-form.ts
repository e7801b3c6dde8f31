/**
 * Forms as browsers of 2ch send them: urlencoded, in CP932 whatever the page said, or in UTF-8 if
 * the Content-Type says so.
 */
import { decodeCp932 } from '@shinobi/dat/cp932'

/** Fields beyond these are ignored. */
const FIELDS_MAX = 50

/**
 * The fields of a form. Bytes are put together before they are decoded: half a character may be
 * percent-encoded and half not (`%83e`). Numeric references become the characters that they stand
 * for, because CP932 lacks them; what cannot be decoded is left out.
 */
export function readClientForm(body: Buffer, contentType: string): ReadonlyMap<string, string> {
  const isUtf8 = /;\s*charset\s*=\s*"?utf-?8/i.test(contentType)
  const decode = isUtf8 ? (bytes: Buffer) => bytes.toString('utf8') : decodeCp932
  const fields = new Map<string, string>()
  for (const pair of splitBytes(body, 0x26).slice(0, FIELDS_MAX)) {
    const at = pair.indexOf(0x3d)
    if (at < 0) continue
    const name = decode(unescapeBytes(pair.subarray(0, at)))
    if (!fields.has(name)) fields.set(name, toText(decode(unescapeBytes(pair.subarray(at + 1)))))
  }
  return fields
}

function splitBytes(bytes: Buffer, separator: number): Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; parts.length <= FIELDS_MAX;) {
    const at = bytes.indexOf(separator, from)
    parts.push(bytes.subarray(from, at < 0 ? bytes.length : at))
    if (at < 0) break
    from = at + 1
  }
  return parts
}

/** Undoes percent-encoding, and + for a space. */
function unescapeBytes(bytes: Buffer): Buffer {
  const result = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    const escaped = byte === 0x25 ? hexAt(bytes, at + 1) * 16 + hexAt(bytes, at + 2) : Number.NaN
    if (!Number.isNaN(escaped)) {
      result[length] = escaped
      at += 2
    } else result[length] = byte === 0x2b ? 0x20 : byte
    length += 1
  }
  return result.subarray(0, length)
}

/** The digit at a place; NaN for any other character. */
function hexAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

const toText = (text: string): string =>
  text
    .replaceAll(/&#(\d{1,7}|x[0-9a-f]{1,6});/gi, (whole, digits: string) => {
      const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)
      const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : whole
    })
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\ufffd', '')
    .toWellFormed()
