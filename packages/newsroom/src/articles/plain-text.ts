/** What others wrote, as text that can be stored, compared and shown: without markup, controls and characters that nobody sees. */
import { truncateGraphemes } from '@shinobi/contract/text'

/**
 * Controls, direction marks, zero-width characters and lone surrogates. Variation selectors stay: they tell the 葛 of one name from
 * that of another.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what is looked for
  /[\p{Cf}\p{Cs}\x00-\x08\x0e-\x1f\x7f-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufff0-\uffff]/gu

/** A line end in the source of a page between two Japanese characters; browsers and readers see no space there. */
const JAPANESE_LINE_END =
  /(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])[ \t\u00a0]*[\r\n]\s*(?=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef])/g

/** Text as one line: no controls, spaces collapsed, in NFC. */
export const oneLine = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(JAPANESE_LINE_END, '')
    // An ideographic space parts names and headlines and stays what it is; all others are one space.
    .replace(/\s+/g, (spaces) => (spaces.includes('\u3000') ? '\u3000' : ' '))
    .trim()
    .normalize('NFC')

/** The entities that publishers write into titles; the rest are numbers. */
const ENTITIES = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
    ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»' },
    ...{ middot: '·', bull: '•', times: '×', yen: '¥', copy: '©', reg: '®', trade: '™', deg: '°', euro: '€' },
  }),
)

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

const decodeEntities = (text: string): string => text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, decodeEntity)

/** What a tag of HTML looks like; "a < b" and "<3" are none. */
const TAG = /<\/?[a-z][^<>]*>/gi

/** By hand: an expression would look for the end of a comment from each of its beginnings, and a title may be made of those. */
function withoutComments(markup: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const start = markup.indexOf('<!--', at)
    // `<!-->` is a whole comment, too.
    const end = start < 0 ? -1 : markup.indexOf('-->', start + 2)
    if (end < 0) return kept + markup.slice(at)
    kept += markup.slice(at, start)
    at = end + 3
  }
}

/**
 * Longer titles are attacks; what is left of them still is a title. Ordinary ones may be written in numbers, eight characters for each
 * letter, and descriptions begin with a picture.
 */
const ROUGH_LENGTH = 10_000

/** A title or name as feeds and pages give it, perhaps with HTML in it, as one line of plain text of at most `max` graphemes. */
export function plainLine(markup: string, max: number): string {
  const text = oneLine(decodeEntities(withoutComments(markup.slice(0, ROUGH_LENGTH)).replace(TAG, '')))
  // The mark of omission counts, too.
  return truncateGraphemes(text, max) === text ? text : truncateGraphemes(text, max - 1)
}
