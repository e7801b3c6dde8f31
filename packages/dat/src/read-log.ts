/**
 * Reads logs of threads as 2ch, its ancestors and JBBS wrote them. Whatever the bytes are, each
 * line is a post and keeps its number; what is odd is counted.
 */
import { parseDate } from './date.ts'
import { REMOVED, type Fields } from './line.ts'
import { decodeLog, detectEncoding, type LogEncoding } from './encoding.ts'
import { collapse, decodeEntities, toLine, toText } from './markup.ts'

/**
 * - 2ch: `name<>mail<>date ID<> body <>title`
 * - comma: the same, separated by commas; commas of the texts are `＠｀`
 * - jbbs: `number<>name<>mail<>date<>body<>title<>ID`
 */
export type LogFormat = '2ch' | 'comma' | 'jbbs'

/** A post of a log. All texts are plain. */
export interface LogPost {
  /** From 1, without gaps. */
  readonly number: number
  readonly name: string
  /** The part behind ◆; null without a tripcode. */
  readonly trip: string | null
  /** The name had a cap, ★, which `name` is without. */
  readonly staff: boolean
  readonly mail: string
  /** Null where the line has no date that can be read. */
  readonly at: Date | null
  readonly posterId: string | null
  /** Its lines are separated by \n. */
  readonly body: string
  /** Removed (あぼーん), or missing; all texts are empty. */
  readonly removed: boolean
}

/** What may be odd about a line, in the words of a report. */
export const LOG_ODDITIES = {
  broken_line: 'lines with too few fields; their text is kept as the body',
  more_fields: 'lines with too many fields',
  removed_post: 'removed posts (あぼーん)',
  empty_line: 'empty lines; kept as removed posts',
  missing_number: 'numbers without a line; kept as removed posts',
  bad_number: 'lines whose number is not above the one before',
  bad_bytes: 'lines with bytes that are no characters',
  nul: 'lines with NUL bytes',
  no_date: 'posts without a date that can be read; they get the one before',
  long_id: 'IDs that are none, by their length',
  hidden_id: 'hidden IDs (ID:???)',
  host: 'posts that show the host of their writer; it is not kept',
  be: 'posts with a BE account; it is not kept',
  stock: 'posts with the mark of a stockholder; it is not kept',
  icon: 'posts with an icon (sssp://); it is not kept',
  markup: 'posts with tags that are dropped',
  no_title: 'threads without a title',
} as const
export type LogOddity = keyof typeof LOG_ODDITIES

export interface Log {
  readonly encoding: LogEncoding
  readonly format: LogFormat
  /** Empty where the log has none. */
  readonly title: string
  readonly posts: readonly LogPost[]
  /** The posts with each oddity: how many, and the numbers of the first. */
  readonly odd: ReadonlyMap<LogOddity, { readonly count: number; readonly numbers: readonly number[] }>
}

/** Numbers that are kept for each oddity. */
const EXAMPLES = 3
/** Numbers that may be missing between two lines of JBBS; threads there have 1,000 posts. */
const GAP_MAX = 10_000
/** Longer blocks behind `ID:` are no IDs. */
const ID_MAX = 40

const COMMA = '＠｀'

/** The fields of a line, as they are in the file. */
interface LogFields extends Fields {
  /** Of JBBS, where it is a field of its own. */
  readonly id: string
}

/** Reads a log of any encoding. Takes time linear in its size, and throws nothing. */
export function readLog(bytes: Buffer): Log {
  const encoding = detectEncoding(bytes)
  const lines = decodeLog(bytes, encoding).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const format = formatOf(first)
  const odd = new Map<LogOddity, { count: number; numbers: number[] }>()
  const posts: LogPost[] = []
  let title = ''

  const note = (kind: LogOddity): void => {
    const known = odd.get(kind) ?? { count: 0, numbers: [] }
    odd.set(kind, known)
    known.count += 1
    if (known.numbers.length < EXAMPLES) known.numbers.push(posts.length + 1)
  }
  const addRemoved = (): void => void posts.push(removedPost(posts.length + 1))

  for (const raw of lines) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    if (format === 'jbbs') {
      const number = /^\d{1,6}(?=<>)/.exec(line)?.[0]
      const gap = number === undefined ? 0 : Number(number) - posts.length - 1
      if (gap < 0 || gap > GAP_MAX) note('bad_number')
      else {
        for (let missing = 0; missing < gap; missing += 1) {
          note('missing_number')
          addRemoved()
        }
      }
    }
    if (line.includes('\0')) note('nul')
    if (line.includes('\ufffd')) note('bad_bytes')
    if (line.trim() === '') {
      note('empty_line')
      addRemoved()
      continue
    }
    const fields = splitLine(line, format, note)
    if (fields === null) {
      note('broken_line')
      note('no_date')
      posts.push({ ...removedPost(posts.length + 1), body: toText(line, () => {}), removed: false })
      continue
    }
    if (posts.length === 0) title = titleOf(fields.title)
    posts.push(toPost(posts.length + 1, fields, note))
  }
  if (title === '') odd.set('no_title', { count: 1, numbers: [] })
  return { encoding, format, title, posts, odd }
}

const removedPost = (number: number): LogPost => ({
  ...{ number, name: '', trip: null, staff: false, mail: '', at: null, posterId: null, body: '', removed: true },
})

function formatOf(line: string): LogFormat {
  const fields = line.split('<>')
  if (fields.length >= 6 && /^\d{1,6}$/.test(fields[0]!) && parseDate(fields[3]!) !== null) return 'jbbs'
  return fields.length === 1 && commaFields(line) !== null ? 'comma' : '2ch'
}

function splitLine(line: string, format: LogFormat, note: (kind: LogOddity) => void): LogFields | null {
  const fields = line.split('<>')
  if (format === 'jbbs') {
    const [, name = '', mail = '', date = '', body, title = '', id = ''] = fields
    if (body === undefined) return null
    if (fields.length > 7) note('more_fields')
    return { name, mail, date, body, title, id }
  }
  if (fields.length === 1 && format === 'comma') return commaFields(line)
  const [name = '', mail = '', date = '', body, ...titles] = fields
  if (body === undefined) return null
  if (titles.length > 1) note('more_fields')
  return { name, mail, date, body, title: titles.join(' '), id: '' }
}

/** Null for a line of another format. */
function commaFields(line: string): LogFields | null {
  const fields = line.split(',')
  if (fields.length < 4) return null
  const [name = '', mail = '', date = '', body = '', title = ''] = fields.map((field) => field.replaceAll(COMMA, ','))
  if (parseDate(date) === null && !date.includes(REMOVED)) return null
  return { name, mail, date, body, title, id: '' }
}

/** The BE account of the opener may follow, behind a tab: `title\t[123456789]`. */
function titleOf(field: string): string {
  const tab = field.lastIndexOf('\t')
  const isAccount = tab >= 0 && /^\[[^[\]]{0,40}\]$/.test(field.slice(tab).trim())
  return toLine(isAccount ? field.slice(0, tab) : field)
}

function toPost(number: number, fields: LogFields, note: (kind: LogOddity) => void): LogPost {
  const dated = parseDate(fields.date)
  const isEmpty = fields.name + fields.mail + fields.date + fields.body === ''
  const isRemoved = fields.date.includes(REMOVED) || (dated === null && fields.body.trim() === REMOVED)
  if (isEmpty || isRemoved) {
    note('removed_post')
    return { ...removedPost(number), at: dated?.at ?? null }
  }
  if (dated === null) note('no_date')
  const marks = readMarks(dated === null ? fields.date : dated.rest, note)
  let hasTags = false
  const body = toText(withoutIcon(fields.body, note), () => (hasTags = true))
  if (hasTags) note('markup')
  return {
    ...{ number, ...readName(fields.name), mail: toLine(fields.mail), at: dated?.at ?? null },
    ...{ posterId: marks ?? readId(fields.id, note), body, removed: false },
  }
}

/**
 * A tripcode is in `</b> ◆code <b>`: names are bold, and what is outside of that nobody can have
 * typed. Other texts outside, such as ワッチョイ, stay parts of the name.
 */
function readName(field: string): Pick<LogPost, 'name' | 'trip' | 'staff'> {
  const mark = /<\/b> ?◆/i.exec(field)
  let [rest, trip] = [field, null as string | null]
  if (mark !== null) {
    const from = mark.index + mark[0].length
    const end = field.indexOf('<', from)
    const code = toLine(end < 0 ? field.slice(from) : field.slice(from, end))
    if (code !== '' && !code.includes(' ')) {
      trip = code
      rest = `${field.slice(0, mark.index)}${end < 0 ? '' : field.slice(end)}`
    }
  }
  const name = toLine(rest)
  if (name.endsWith(' ★')) return { name: name.slice(0, -2), trip, staff: true }
  // The field of a nameless cap begins with a space, which is cut.
  return name === '★' ? { name: '', trip, staff: true } : { name, trip, staff: false }
}

/** What follows the time. @returns the ID */
function readMarks(rest: string, note: (kind: LogOddity) => void): string | null {
  let id: string | null = null
  if (/<a\s/i.test(rest)) note('stock')
  if (rest.includes('BE:')) note('be')
  if (rest.includes('HOST:') || rest.includes('発信元:')) note('host')
  const from = rest.indexOf('ID:')
  if (from >= 0) id = readId(/^[^\s<]*/.exec(rest.slice(from + 3))![0], note)
  // Machi BBS: `[ host.example.jp ]`.
  if (/\[ [^\s[\]]{1,255} \]/.test(rest)) note('host')
  return id
}

function readId(block: string, note: (kind: LogOddity) => void): string | null {
  const id = collapse(decodeEntities(block.slice(0, ID_MAX * 8)).replaceAll('\ufffd', ''))
  if (id === '') return null
  if (id.startsWith('???')) note('hidden_id')
  else if (id.length > ID_MAX || block.length > ID_MAX * 8) note('long_id')
  else return toLine(id)
  return null
}

/** An icon is the first line of a body: ` sssp://img.2ch.net/ico/a.gif <br> text `. */
function withoutIcon(body: string, note: (kind: LogOddity) => void): string {
  const icon = /^ ?sssp:\/\/[^\s<]{1,300}(?: ?<br> ?| ?$)/i.exec(body)
  if (icon === null) return body
  note('icon')
  return ` ${body.slice(icon[0].length)}`
}
