/**
 * Finds addresses in text. Only http and https become links; anything else that looks like an
 * address stays text.
 */

/**
 * ASCII only: Japanese is written without spaces, so a path that allowed kana would include the
 * rest of the sentence.
 */
const ADDRESS = /(?<![a-z0-9])(h?)ttps?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/giu
const TRAILING = new Set(".,;:!?'*_~")
/** Longer than any address in use; browsers and servers have about the same limit. */
const ADDRESS_MAX = 2_048

export interface FoundUrl {
  /** The matched part of the text, as typed. */
  readonly text: string
  /** A parsed http(s) address. */
  readonly href: string
  /** The displayed text: Japanese percent-encoding decoded, everything else as in the address. */
  readonly label: string
}

export interface UrlMatch extends FoundUrl {
  readonly index: number
}

/**
 * Removes what belongs to the sentence rather than to the address: full stops, and closing brackets
 * that were opened before it.
 */
function trimSentence(address: string): string {
  const open = { ')': 0, ']': 0 }
  for (const char of address) {
    if (char === ')' || char === ']') open[char] -= 1
    else if (char === '(') open[')'] += 1
    else if (char === '[') open[']'] += 1
  }
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!
    if (last === ')' || last === ']') {
      if (open[last] >= 0) break
      open[last] += 1
    } else if (!TRAILING.has(last)) break
  }
  return address.slice(0, end)
}

/** Letters that cannot hide, mirror or reorder the text around them. */
const HARMLESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆・]+$/u

/**
 * Shows %E5%BF%8D as 忍 and leaves every other encoded byte encoded, so that the label contains no
 * invisible characters.
 */
function decodeForReading(address: string): string {
  return address.replace(/(?:%[0-9a-f]{2})+/giu, (encoded) => {
    try {
      return [...decodeURIComponent(encoded)]
        .map((char) => (HARMLESS.test(char) ? char : encodeURIComponent(char)))
        .join('')
    } catch {
      return encoded
    }
  })
}

/**
 * The address if a browser would open it over http(s) and it hides no user name before the host.
 */
function toHref(address: string): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}

/**
 * Every address in the text, in order. `ttps://` (written without its h, an old custom of boards)
 * counts as https://.
 */
export function findUrls(text: string): UrlMatch[] {
  const found: UrlMatch[] = []
  // Most texts have none, and looking for the whole pattern takes ten times as long.
  if (!/ttps?:/i.test(text)) return found
  for (const match of text.matchAll(ADDRESS)) {
    if (match[0].length > ADDRESS_MAX) continue
    const typed = trimSentence(match[0])
    const href = toHref(match[1] === '' ? `h${typed}` : typed)
    if (href !== null) found.push({ index: match.index, text: typed, href, label: decodeForReading(typed) })
  }
  return found
}
