/**
 * Answers to requests for a part of a cached answer that only ever grows (RFC 9110 §14), as
 * browsers of 2ch ask for what is behind the bytes that they have.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** `whole` includes requests without a range, and with one that is not understood. */
export type RangeAnswer =
  | { readonly kind: 'whole' | 'unchanged' | 'unsatisfiable' }
  /** Both ends are inclusive. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }

interface Ranged {
  /** In bytes. */
  readonly size: number
  /** In milliseconds; whole seconds. */
  readonly lastModified: number
  /** Of the answer without compression. */
  readonly etag: string
}

/**
 * How a request is answered. Whoever asks for more than the last byte gets it, whatever their date
 * says. A client that has everything asks for its last byte, to see that nothing was changed
 * before.
 */
export function answerRange(headers: IncomingHttpHeaders, { size, lastModified, etag }: Ranged): RangeAnswer {
  const isUnchanged = isDate(headers['if-modified-since'], lastModified)
  const range = rangeOf(headers.range, size)
  const ifRange = headers['if-range']
  const isMeant = ifRange === undefined || ifRange === etag || isDate(String(ifRange), lastModified)
  if (range === null || !isMeant) {
    // The caller compares entity tags, which come first.
    return { kind: headers['if-none-match'] === undefined && isUnchanged ? 'unchanged' : 'whole' }
  }
  if (range.start >= size) return { kind: 'unsatisfiable' }
  if (range.start === size - 1 && isUnchanged) return { kind: 'unchanged' }
  return { kind: 'part', ...range }
}

/**
 * Whether a client names the date that it was given, and not merely a later one: after a restore
 * from a backup the last change may be older than what the client has.
 */
const isDate = (date: string | undefined, lastModified: number): boolean =>
  date !== undefined && Date.parse(date) === lastModified

/** One range of bytes; several, and other units, are answered as if there were none. */
function rangeOf(range: string | undefined, size: number): { start: number; end: number } | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '')
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '')
    return last === '' || Number(last) === 0 ? null : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? size - 1 : Number(last)]
  return end < start && last !== '' ? null : { start, end: Math.min(end, size - 1) }
}
