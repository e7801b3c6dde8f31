/** A thread as a file to keep, part by part. */
import { LOG_FORMAT, type ThreadLog } from '@shinobi/contract/logs'
import { formatDate } from '@shinobi/dat/date'
import { escapeText, REMOVED } from '@shinobi/dat/line'
import type { Db } from '../../db/client.ts'
import { refuse } from '../../lib/api-error.ts'
import { inSlices } from '../../lib/in-slices.ts'
import { datTitle, lineOf, mailOf, toDatPost } from './dat-lines.ts'
import { selectLoggedThread, selectLogPosts, type DatPostRow, type LoggedThread } from './dats.queries.ts'
import { imageUrl } from '../images/image-store.ts'

/** What a file of a thread needs beside its posts. */
export interface LogContext {
  /** Of the thread in its category; null without one. */
  readonly key: number | null
  readonly publicUrl: string
}

/** A form of files. */
interface LogForm {
  head(thread: LoggedThread, context: LogContext): string
  post(thread: LoggedThread, row: DatPostRow, context: LogContext): string | Buffer
  readonly foot: string
}

export const LOG_FORMS = {
  json: {
    head: (thread, context) => `${JSON.stringify(toHead(thread, context)).slice(0, -1)},"posts":[`,
    post: (_thread, row, context) => `${row.number === 1 ? '' : ','}\n${JSON.stringify(toLogPost(row, context))}`,
    foot: '\n]}\n',
  },
  dat: {
    head: () => '',
    post: (thread, row, { publicUrl }) => lineOf(thread, row, publicUrl),
    foot: '',
  },
  txt: {
    head: (thread, { publicUrl }) => `${datTitle(thread)}\n${publicUrl}/thread/${thread.id}\n`,
    post: (thread, row, { publicUrl }) => `\n${toText(thread, row, publicUrl)}`,
    foot: '',
  },
  html: {
    head(thread, { publicUrl }) {
      const title = escapeText(datTitle(thread))
      const address = escapeText(`${publicUrl}/thread/${thread.id}`)
      return `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${looks}</style></head>
<body><h1>${title}</h1>
<address><a href="${address}">${address}</a></address>
`
    },
    post: (thread, row, { publicUrl }) => toArticle(thread, row, publicUrl),
    foot: '</body></html>\n',
  },
} as const satisfies Record<string, LogForm>
export type FileForm = keyof typeof LOG_FORMS

export interface Log {
  /** Where its posts are read. */
  readonly source: Db
  readonly thread: LoggedThread
  readonly form: FileForm
  readonly context: LogContext
}

/**
 * A log in parts of 200 kB of text, each of which is read and written when it is asked for: a
 * thread of long posts has fifty megabytes, which are never in memory together.
 * @param inTurn makes a part when there is a place for that
 * @throws ApiError not_found once the thread is removed
 */
export async function* writeLog(
  { source, thread, form, context }: Log,
  inTurn: (makePart: () => Promise<Buffer>) => Promise<Buffer> = (makePart) => makePart(),
): AsyncGenerator<Buffer> {
  const { head, post, foot }: LogForm = LOG_FORMS[form]
  let through = 0

  async function makePart(): Promise<Buffer> {
    const rows = await selectLogPosts(source, thread.id, through, thread.postCount)
    if (rows.length === 0 && (await selectLoggedThread(source, thread.id)) === undefined)
      throw refuse('not_found', 'thread_not_found')
    const beginning = through === 0 ? head(thread, context) : ''
    through = rows.at(-1)?.number ?? thread.postCount
    const posts = await inSlices(rows.values().map((row) => Buffer.from(post(thread, row, context))))
    return Buffer.concat([Buffer.from(beginning), ...posts, Buffer.from(through === thread.postCount ? foot : '')])
  }

  while (through < thread.postCount) yield await inTurn(makePart)
}

const toHead = (thread: LoggedThread, { key, publicUrl }: LogContext): Omit<ThreadLog, 'posts'> => ({
  ...{ format: LOG_FORMAT, version: 1, source: `${publicUrl}/thread/${thread.id}` },
  thread: {
    ...{ _id: thread.id, title: thread.title, category: thread.category, key },
    createdAt: thread.createdAt.toISOString(),
    closedAt: thread.closedAt?.toISOString() ?? null,
    ...{ aiGenerated: thread.aiGenerated, sourceSite: thread.sourceSite, sourceUrl: thread.sourceUrl },
  },
})

function toLogPost(row: DatPostRow, { publicUrl }: LogContext): ThreadLog['posts'][number] {
  const removed = row.deletedAt !== null
  const always = { number: row.number, createdAt: row.createdAt.toISOString(), removed }
  if (removed) {
    return { ...always, name: null, trip: null, staff: false, mail: '', posterId: null, content: '', image: null }
  }
  return {
    ...always,
    ...{ name: row.name, trip: row.trip, staff: row.asStaff, mail: mailOf(row), posterId: row.posterId },
    ...{ content: row.content, image: row.image === null ? null : publicUrl + imageUrl(row.image) },
  }
}

/** A post for people: who wrote it when, and its lines. Null for a removed one. */
function describe(thread: LoggedThread, row: DatPostRow, publicUrl: string) {
  if (row.deletedAt !== null) return null
  const { name, trip, staff, mail, at, posterId, body } = toDatPost(thread, row, publicUrl)
  return {
    writer: name + (trip === null ? '' : `◆${trip}`) + (staff ? ' ★' : '') + (mail === '' ? '' : ` [${mail}]`),
    time: formatDate(at) + (posterId === null ? '' : ` ID:${posterId}`),
    lines: body.split('\n'),
  }
}

function toText(thread: LoggedThread, row: DatPostRow, publicUrl: string): string {
  const shown = describe(thread, row, publicUrl)
  if (shown === null) return `${row.number}：${REMOVED}\n`
  const { writer, time, lines } = shown
  return `${row.number}：${writer}：${time}\n${lines.map((line) => `　${line}\n`).join('')}`
}

const looks =
  'body{max-width:50rem;margin:auto;padding:1rem;line-height:1.6}h2{font-size:.9rem;margin:1rem 0 0}' +
  'p{margin:0 0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere}'

function toArticle(thread: LoggedThread, row: DatPostRow, publicUrl: string): string {
  const { number } = row
  const shown = describe(thread, row, publicUrl)
  if (shown === null) return `<article id="${number}"><h2>${number} ${REMOVED}</h2></article>\n`
  const heading = escapeText(`${number} ${shown.writer} ${shown.time}`)
  const text = escapeText(shown.lines.join('\n'))
  const linked = text.replaceAll(/&gt;&gt;(\d{1,5})/g, '<a href="#$1">&gt;&gt;$1</a>')
  return `<article id="${number}"><h2>${heading}</h2>\n<p>${linked}</p></article>\n`
}
