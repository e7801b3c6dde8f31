/**
 * Lines of a dat, the file in which browsers of 2ch (専ブラ) read a thread: one line a post,
 * `name<>mail<>date ID<> body <>title`, in CP932. Clients keep what they have read and ask for the
 * bytes behind it, so the line of a post has the same number of bytes for ever.
 */
import { cp932Bytes, cp932Length, encodeCp932 } from './cp932.ts'
import { formatDate } from './date.ts'

/** A post as its line shows it. All texts are plain, neither escaped nor encoded. */
export interface DatPost {
  readonly name: string
  /** The part behind ◆; null without a tripcode. */
  readonly trip: string | null
  /** Has the mark of the staff, ★. */
  readonly staff: boolean
  /** `sage`, or ''. */
  readonly mail: string
  readonly at: Date
  readonly posterId: string | null
  /** Its lines are separated by \n. */
  readonly body: string
  /** How many of its last lines stay when it is cut; none when not given. */
  readonly lastLines?: number
  /** Of post 1: the title of its thread. The lines of other posts have none. */
  readonly title: string
}

/** What stands in the place of a removed post. Clients know the word. */
export const REMOVED = 'あぼーん'

/** The end of a body that had to be shortened. */
const CUT = '…'

/** Variation selectors: programs that do not know them show boxes. */
const SELECTORS = /[\ufe00-\ufe0f]|\udb40[\udd00-\uddef]/g

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  // CP932 lacks them, but its encoders write \ and ~ in their place.
  ...{ '¥': '&#165;', '‾': '&#8254;' },
}

/** Escapes what would be markup; variation selectors are left out. */
export const escapeText = (text: string): string =>
  text.replaceAll(SELECTORS, '').replaceAll(/[&<>"¥‾]/g, (character) => ENTITIES[character] ?? character)

/** What a field cannot hold. */
const BREAKS = /[\0\t\n\v\f\r\u0085\u2028\u2029]+/g

/** A text in a field of a line: escaped, and without line breaks. */
export const toField = (text: string): string => escapeText(text.replaceAll(BREAKS, ' ').trim())

const toBody = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[\0\v\f]/g, ' ')
    .split('\n')
    .map(escapeText)
    .join(' <br> ')

/** The fields of a line, escaped and not yet encoded. */
export interface Fields {
  readonly name: string
  readonly mail: string
  readonly date: string
  readonly body: string
  readonly title: string
}

interface CuttableFields extends Fields {
  /** The end of the body that stays when it is cut. */
  readonly bodyEnd: string
}

function fieldsOf({ name, trip, staff, mail, at, posterId, body, lastLines = 0, title }: DatPost): CuttableFields {
  const shown = toField(name) + (staff ? ' ★' : '')
  return {
    name: trip === null ? shown : `${shown}</b> ◆${toField(trip)} <b>`,
    mail: toField(mail),
    date: formatDate(at) + (posterId === null ? '' : ` ID:${toField(posterId)}`),
    body: toBody(body),
    bodyEnd: lastLines === 0 ? '' : toBody(body.split('\n').slice(-lastLines).join('\n')),
    title: toField(title),
  }
}

const encodeLine = ({ name, mail, date, body, title }: Fields, padding = 0): Buffer =>
  encodeCp932(`${name}<>${mail}<>${date}<> ${body} ${' '.repeat(padding)}<>${title}\n`)

/** The line of a post, with its line break. */
export const formatLine = (post: DatPost): Buffer => encodeLine(fieldsOf(post))

/**
 * The same, but a line of more than `max` bytes is cut there, and no more of it is encoded: that
 * takes ten times as long as the rest.
 */
export function formatLineWithin(post: DatPost, max: number): Buffer {
  const fields = fieldsOf(post)
  return lengthOf(fields, max) > max ? fit(fields, max) : encodeLine(fields)
}

/** The bytes of a line; of one with more than `max` some number above it. */
const lengthOf = ({ body, ...fields }: Fields, max: number): number =>
  encodeLine({ ...fields, body: '' }).length + cp932Bytes(body, max)

/**
 * The line of a post whose content may have changed since its line got its length: padded with
 * spaces behind the body, or shortened.
 * @param bytes length of the line
 */
export const fitLine = (post: DatPost, bytes: number): Buffer => fit(fieldsOf(post), bytes)

/**
 * The line of a removed post.
 * @param title of post 1, which keeps it; '' for all others
 * @param bytes length of the line; as short as it can be when it is not given
 */
export function formatRemoved(title: string, bytes?: number): Buffer {
  const fields = { name: REMOVED, mail: REMOVED, date: REMOVED, body: REMOVED, bodyEnd: '', title: toField(title) }
  return bytes === undefined ? encodeLine(fields) : fit(fields, bytes)
}

/**
 * A line that is too long loses its mail field, or its name too, if it fits without them; otherwise
 * its body is cut, and they stay where there is room.
 */
function fit(fields: CuttableFields, bytes: number): Buffer {
  const [mail, name] = [encodeCp932(fields.mail).length, encodeCp932(fields.name).length]
  const length = lengthOf(fields, bytes + mail + name)
  if (length <= bytes) return encodeLine(fields, bytes - length)
  const withoutMail = length - mail
  if (withoutMail <= bytes) return encodeLine({ ...fields, mail: '' }, bytes - withoutMail)
  const withoutName = withoutMail - name
  if (withoutName <= bytes) return encodeLine({ ...fields, mail: '', name: '' }, bytes - withoutName)
  const bare = { ...fields, mail: '', name: '', bodyEnd: '' }
  const blank = { ...bare, body: '' }
  const line = cutBody(fields, bytes) ?? cutBody(bare, bytes)
  if (line !== null) return line
  const missing = bytes - encodeLine(blank).length
  if (missing >= 0) return encodeLine(blank, missing)
  const dateless = { ...blank, date: '', title: '' }
  return encodeLine(dateless, Math.max(0, bytes - encodeLine(dateless).length))
}

/** Shortens a body. @returns null when there is no room even for its end */
function cutBody(fields: CuttableFields, bytes: number): Buffer | null {
  const { body, bodyEnd } = fields
  const end = bodyEnd === '' ? CUT : `${CUT} <br> ${bodyEnd}`
  const room = bytes - encodeLine({ ...fields, body: end }).length
  if (room < 0) return null
  // Half an entity or half a <br> would be shown as text.
  const pieces = body.slice(0, body.length - bodyEnd.length).matchAll(/&#?\w+;| <br> |[^]/gu)
  let beginning = ''
  let used = 0
  for (const [piece] of pieces) {
    // Entities and <br> are ASCII.
    const length = piece.length > 2 ? piece.length : cp932Length(piece)
    if (used + length > room) break
    used += length
    beginning += piece
  }
  return encodeLine({ ...fields, body: beginning + end }, room - used)
}
