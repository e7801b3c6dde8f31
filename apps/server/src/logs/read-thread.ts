/** A log, of any form, as a thread to import. */
import { threadLog, type ThreadLog } from '@shinobi/contract/logs'
import { NAMELESS } from '@shinobi/contract/nameless'
import { isWebAddress } from '@shinobi/contract/web-address'
import { REMOVED } from '@shinobi/dat/line'
import { cleanLine, cleanText } from '@shinobi/dat/markup'
import { readLog, type LogPost } from '@shinobi/dat/read-log'
import type { LogFile } from './sources.ts'
import type { Report } from './report.ts'

/** A post of a log. */
export interface LoggedPost {
  /** From 1, without gaps. */
  readonly number: number
  /** Null for 名無し. */
  readonly name: string | null
  readonly trip: string | null
  /** Has the mark of this board's staff. */
  readonly staff: boolean
  readonly mail: string
  /** Null where the log has none. */
  readonly at: Date | null
  readonly posterId: string | null
  readonly content: string
  readonly removed: boolean
}

export interface LoggedThread {
  readonly file: string
  readonly key: number
  readonly title: string
  readonly posts: readonly LoggedPost[]
  /** Undefined where the form of the log does not say; null for a thread that was open. */
  readonly closedAt?: Date | null
  readonly aiGenerated: boolean
  readonly sourceSite: string | null
  readonly sourceUrl: string | null
}

/** A thread without a title. */
const UNTITLED = '無題'

/** Longest texts, in UTF-16 units: beyond all that boards took, and little enough for a page. */
const LINE_MAX = 500
const CONTENT_MAX = 65_536
/** Most posts of a thread: the longest threads of 2ch had 10,000. */
const POSTS_MAX = 100_000

/**
 * @param listed its title in subject.txt
 * @returns null for a file that is left out, which the report says
 */
export function readThread(file: LogFile, listed: string | undefined, report: Report): LoggedThread | null {
  const { name, content } = file
  if (!Buffer.isBuffer(content)) {
    report.leaveOut(content, name)
    return null
  }
  const thread = file.isJson ? readJson(file, content, report) : readDat(file, content, listed, report)
  if (thread === null) return null
  const { posts } = thread
  if (!isThreadKey(thread.key)) {
    report.leaveOut('no_key', name)
    return null
  }
  if (posts.length === 0 || posts.length > POSTS_MAX) {
    report.leaveOut(posts.length === 0 ? 'empty' : 'too_many_posts', name)
    return null
  }
  return {
    ...thread,
    title: shorten(thread.title, LINE_MAX),
    posts: posts.map((post) => shortenPost(post, file, report)),
  }
}

function shortenPost(post: LoggedPost, { name: file }: LogFile, report: Report): LoggedPost {
  const { number, name, trip, mail, posterId, content } = post
  const shorter = {
    ...{ name: name && shorten(name, LINE_MAX), trip: trip && shorten(trip, LINE_MAX), mail: shorten(mail, LINE_MAX) },
    ...{ posterId: posterId && shorten(posterId, LINE_MAX), content: shorten(content, CONTENT_MAX) },
  }
  if (shorter.content !== content) report.odd('long_text', file, 1, [number])
  return { ...post, ...shorter }
}

/** Keys are seconds since 1970, of ten digits at most. */
const isThreadKey = (key: number): boolean => key > 0 && key < 1e10

/** The beginning of a text, without half a character at its end. */
const shorten = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

const NO_SOURCE = { aiGenerated: false, sourceSite: null, sourceUrl: null } as const

function readDat(
  { name, key }: LogFile,
  content: Buffer,
  listed: string | undefined,
  report: Report,
): LoggedThread | null {
  if (key === null) {
    report.leaveOut('no_key', name)
    return null
  }
  const log = readLog(content)
  for (const [kind, { count, numbers }] of log.odd) report.odd(kind, name, count, numbers)
  const isKnown = log.title !== '' && log.title !== REMOVED
  if (!isKnown && listed !== undefined) report.odd('listed_title', name, 1, [])
  const title = (isKnown ? log.title : listed) ?? (log.title || UNTITLED)
  return { file: name, key, title, posts: log.posts.map(toLoggedPost), ...NO_SOURCE }
}

/** A cap, ★, is that of another board: it stays in the name, where nobody here can type it. */
const toLoggedPost = ({ name, staff, body, ...post }: LogPost): LoggedPost => ({
  ...{ ...post, name: staff ? `${name} ★`.trim() : toName(name), staff: false, content: body },
})

const toName = (name: string): string | null => (name === '' || name === NAMELESS ? null : name)

function readJson({ name }: LogFile, content: Buffer, report: Report): LoggedThread | null {
  const log = parseLog(content)
  if (log === null) {
    report.leaveOut('not_json', name)
    return null
  }
  const { key, title, createdAt, closedAt, aiGenerated, sourceSite, sourceUrl } = log.thread
  const pictures = log.posts.filter(({ image }) => image !== null).map(({ number }) => number)
  if (pictures.length > 0) report.odd('picture', name, pictures.length, pictures)
  const posts = log.posts.map((post): LoggedPost => ({
    ...{ number: post.number, staff: post.staff, removed: post.removed, content: cleanText(post.content) },
    ...{ name: toName(cleanLine(post.name ?? '')), trip: cleanLine(post.trip ?? '') || null },
    ...{ mail: cleanLine(post.mail), posterId: cleanLine(post.posterId ?? '') || null },
    at: post.createdAt === null ? null : new Date(post.createdAt),
  }))
  return {
    ...{
      file: name,
      key: key ?? Math.floor(Date.parse(createdAt) / 1_000),
      title: cleanLine(title) || UNTITLED,
      posts,
    },
    ...{ closedAt: closedAt === null ? null : new Date(closedAt), aiGenerated },
    sourceSite: sourceSite && cleanLine(sourceSite),
    sourceUrl: sourceUrl !== null && isWebAddress(sourceUrl) ? sourceUrl : null,
  }
}

/** Null for what is no log, or has a gap in its numbers. */
function parseLog(content: Buffer): ThreadLog | null {
  let value: unknown
  try {
    value = JSON.parse(content.toString('utf8'))
  } catch {
    return null
  }
  const { data } = threadLog.safeParse(value)
  return data?.posts.every(({ number }, index) => number === index + 1) === true ? data : null
}
