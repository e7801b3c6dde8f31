/** A thread as a file to keep, part by part. */
import { LOG_FORMAT, type ThreadLog } from '@shinobi/contract/logs'
import { formatDate } from '@shinobi/dat/date'
import { escapeText, REMOVED } from '@shinobi/dat/line'
import { datTitle, lineOf, mailOf, toDatPost } from './dat-lines.ts'
import type { DatPostRow, LoggedThread } from './dats.queries.ts'
import { imageUrl } from '../images/image-store.ts'

/** What a file of a thread needs beside its posts. */
export interface LogContext {
  /** Of the thread in its category; null without one. */
  readonly key: number | null
  readonly publicUrl: string
}

type Writer = (thread: LoggedThread, rows: readonly DatPostRow[], context: LogContext) => Iterable<Buffer>

/**
 * The forms of files, with what writes them: a part for each post, so that nothing waits for all.
 */
export const LOG_WRITERS = {
  *json(thread, rows, context) {
    const head = JSON.stringify(toHead(thread, context))
    yield Buffer.from(`${head.slice(0, -1)},"posts":[`)
    for (const [index, row] of rows.entries()) {
      yield Buffer.from(`${index === 0 ? '' : ','}\n${JSON.stringify(toLogPost(row, context))}`)
    }
    yield Buffer.from('\n]}\n')
  },
  *dat(thread, rows, { publicUrl }) {
    for (const row of rows) yield lineOf(thread, row, publicUrl)
  },
  *txt(thread, rows, { publicUrl }) {
    yield Buffer.from(`${datTitle(thread)}\n${publicUrl}/thread/${thread.id}\n`)
    for (const row of rows) yield Buffer.from(`\n${toText(thread, row, publicUrl)}`)
  },
  *html(thread, rows, { publicUrl }) {
    const title = escapeText(datTitle(thread))
    const address = escapeText(`${publicUrl}/thread/${thread.id}`)
    yield Buffer.from(`<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${looks}</style></head>
<body><h1>${title}</h1>
<address><a href="${address}">${address}</a></address>
`)
    for (const row of rows) yield Buffer.from(toArticle(thread, row, publicUrl))
    yield Buffer.from('</body></html>\n')
  },
} as const satisfies Record<string, Writer>
export type FileForm = keyof typeof LOG_WRITERS

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
