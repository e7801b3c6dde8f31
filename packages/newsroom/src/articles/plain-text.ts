/**
 * Turns foreign text into text that can be stored, compared and shown: without markup, controls and
 * invisible characters.
 */
import { decodeHTMLStrict } from 'entities'
import { truncateGraphemes } from '@shinobi/contract/text'

/**
 * Controls, direction marks, zero-width characters and lone surrogates. Variation selectors stay:
 * they distinguish the 葛 of one name from that of another.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what is looked for
  /[\p{Cf}\p{Cs}\x00-\x08\x0e-\x1f\x7f-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\uffff]/gu

/**
 * A line end between two Japanese characters in the source of a page, where readers see no space.
 */
const JAPANESE_LINE_END =
  /(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])[ \t\u00a0]*[\r\n]\s*(?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])/g

/** Text as one line: no controls, spaces collapsed, in NFC. */
export const oneLine = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(JAPANESE_LINE_END, '')
    // An ideographic space separates names and headlines, so it stays; any other run of spaces
    // becomes one space.
    .replace(/\s+/g, (spaces) => (spaces.includes('\u3000') ? '\u3000' : ' '))
    .trim()
    .normalize('NFC')

/** An HTML tag; "a < b" and "<3" are none. */
const TAG = /<\/?[a-z][^<>]*>/gi

/**
 * Without a regular expression, which would search for the end of a comment from each of its
 * beginnings: a title may consist of thousands of those.
 */
function withoutComments(markup: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const start = markup.indexOf('<!--', at)
    // `<!-->` is a complete comment, too.
    const end = start < 0 ? -1 : markup.indexOf('-->', start + 2)
    if (end < 0) return kept + markup.slice(at)
    kept += markup.slice(at, start)
    at = end + 3
  }
}

/**
 * Longer titles are attacks, and are cut. Ordinary ones may be written in numeric entities, eight
 * characters per letter, and descriptions may begin with a picture.
 */
const ROUGH_LENGTH = 10_000

/** HTML as one line of plain text. */
export const withoutMarkup = (markup: string): string =>
  oneLine(decodeHTMLStrict(withoutComments(markup).replace(TAG, '')))

/**
 * A title or name of a feed or page, which may contain HTML, as one line of plain text of at most
 * `max` graphemes.
 */
export function plainLine(markup: string, max: number): string {
  const text = withoutMarkup(markup.slice(0, ROUGH_LENGTH))
  // The ellipsis counts as a character.
  return truncateGraphemes(text, max) === text ? text : truncateGraphemes(text, max - 1)
}
