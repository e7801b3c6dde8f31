/** The encoding of a log: nothing in the file names it, so it is judged by the bytes. */
import iconv from 'iconv-lite'
import { decodeCp932 } from './cp932.ts'

export type LogEncoding = 'cp932' | 'euc-jp' | 'utf-8'

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
/** One byte that belongs to no character weighs as much as this many half-width kana. */
const ERROR_COST = 10

/** The encoding that fits the bytes best. Pure ASCII counts as CP932. */
export function detectEncoding(bytes: Buffer): LogEncoding {
  if (bytes.subarray(0, 3).equals(BOM)) return 'utf-8'
  const utf8 = judgeUtf8(bytes)
  if (utf8.wide > 0 && utf8.errors * 4 <= utf8.wide) return 'utf-8'
  return costOfEuc(bytes) < costOfCp932(bytes) ? 'euc-jp' : 'cp932'
}

/** Bytes that mean nothing become U+FFFD. Line feeds stay where they are. */
export function decodeLog(bytes: Buffer, encoding: LogEncoding): string {
  switch (encoding) {
    case 'utf-8':
      return bytes.subarray(bytes.subarray(0, 3).equals(BOM) ? 3 : 0).toString('utf8')
    case 'euc-jp':
      return iconv.decode(bytes, 'euc-jp')
    default:
      return decodeCp932(bytes)
  }
}

const isBetween = (byte: number | undefined, from: number, to: number): boolean =>
  byte !== undefined && byte >= from && byte <= to

/** Characters of several bytes, and bytes that belong to none. */
function judgeUtf8(bytes: Buffer): { readonly wide: number; readonly errors: number } {
  let [wide, errors] = [0, 0]
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.readUInt8(index)
    if (byte < 0x80) continue
    const more = isBetween(byte, 0xc2, 0xdf) ? 1 : isBetween(byte, 0xe0, 0xef) ? 2 : isBetween(byte, 0xf0, 0xf4) ? 3 : 0
    let taken = 0
    while (taken < more && isBetween(bytes[index + 1 + taken], 0x80, 0xbf)) taken += 1
    if (more > 0 && taken === more) wide += 1
    else errors += 1
    index += taken
  }
  return { wide, errors }
}

/** Half-width kana are what the characters of another encoding look like. */
function costOfCp932(bytes: Buffer): number {
  let cost = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.readUInt8(index)
    if (byte < 0x80) continue
    if (isBetween(byte, 0xa1, 0xdf)) cost += 1
    else if (isBetween(byte, 0x81, 0xfc) && byte !== 0xa0 && isTrail(bytes[index + 1])) index += 1
    else cost += ERROR_COST
  }
  return cost
}

const isTrail = (byte: number | undefined): boolean => isBetween(byte, 0x40, 0xfc) && byte !== 0x7f

function costOfEuc(bytes: Buffer): number {
  let cost = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes.readUInt8(index)
    if (byte < 0x80) continue
    if (byte === 0x8e && isBetween(bytes[index + 1], 0xa1, 0xdf)) {
      cost += 1
      index += 1
    } else if (byte === 0x8f && isBetween(bytes[index + 1], 0xa1, 0xfe) && isBetween(bytes[index + 2], 0xa1, 0xfe)) {
      index += 2
    } else if (isBetween(byte, 0xa1, 0xfe) && isBetween(bytes[index + 1], 0xa1, 0xfe)) {
      index += 1
    } else cost += ERROR_COST
  }
  return cost
}
