/** A thread as a file to keep. */
import { LOG_FORMAT, type ThreadLog } from '@shinobi/contract/logs'
import { formatDate } from '@shinobi/dat/date'
import { escapeText } from '@shinobi/dat/line'
import { lineOf, toDatPost } from './dat-lines.ts'
import type { DatPostRow, LoggedThread } from './dats.queries.ts'
import { imageUrl } from '../images/image-store.ts'

const REMOVED = 'あぼーん'

export const toThreadLog = (
  thread: LoggedThread,
  rows: readonly DatPostRow[],
  { key, publicUrl }: LogContext,
): ThreadLog => ({
  ...{ format: LOG_FORMAT, version: 1, source: `${publicUrl}/thread/${thread.id}` },
  thread: {
    ...{ _id: thread.id, title: thread.title, category: thread.category, key },
    createdAt: thread.createdAt.toISOString(),
    closedAt: thread.closedAt?.toISOString() ?? null,
    ...{ aiGenerated: thread.aiGenerated, sourceSite: thread.sourceSite, sourceUrl: thread.sourceUrl },
  },
  posts: rows.map((row) => {
    const removed = row.deletedAt !== null
    return {
      number: row.number,
      name: removed ? null : row.name,
      trip: removed ? null : row.trip,
      staff: !removed && row.asStaff,
      mail: removed ? '' : (row.mail ?? (row.sage ? 'sage' : '')),
      createdAt: row.createdAt.toISOString(),
      posterId: removed ? null : row.posterId,
      content: removed ? '' : row.content,
      image: removed || row.image === null ? null : publicUrl + imageUrl(row.image),
      removed,
    }
  }),
})

/** A thread as plain text. */
export function toText(thread: LoggedThread, rows: readonly DatPostRow[], publicUrl: string): string {
  const posts = rows.map((row) => {
    if (row.deletedAt !== null) return `${row.number}：${REMOVED}\n`
    const { name, trip, staff, mail, at, posterId, body } = toDatPost(thread, row, publicUrl)
    const writer = name + (trip === null ? '' : `◆${trip}`) + (staff ? ' ★' : '') + (mail === '' ? '' : ` [${mail}]`)
    const id = posterId === null ? '' : ` ID:${posterId}`
    const lines = body.split('\n').map((line) => `　${line}`)
    return `${row.number}：${writer}：${formatDate(at)}${id}\n${lines.join('\n')}\n`
  })
  return `${thread.title}\n${publicUrl}/thread/${thread.id}\n\n${posts.join('\n')}`
}

/** A thread as one page without scripts. */
export function toHtml(thread: LoggedThread, rows: readonly DatPostRow[], publicUrl: string): string {
  const posts = rows.map((row) => {
    const { number } = row
    if (row.deletedAt !== null) return `<article id="${number}"><h2>${number} ${REMOVED}</h2></article>`
    const { name, trip, staff, mail, at, posterId, body } = toDatPost(thread, row, publicUrl)
    const writer = name + (trip === null ? '' : `◆${trip}`) + (staff ? ' ★' : '') + (mail === '' ? '' : ` [${mail}]`)
    const id = posterId === null ? '' : ` ID:${posterId}`
    const text = body
      .split('\n')
      .map((line) => escapeText(line).replaceAll(/&gt;&gt;(\d{1,5})/g, '<a href="#$1">&gt;&gt;$1</a>'))
      .join('<br>\n')
    return `<article id="${number}"><h2>${number} ${escapeText(writer)} <time datetime="${at.toISOString()}">${formatDate(at)}</time>${escapeText(id)}</h2>\n<p>${text}</p></article>`
  })
  const address = `${publicUrl}/thread/${thread.id}`
  return `<!doctype html>
<html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(thread.title)}</title>
<style>body{max-width:50rem;margin:auto;padding:1rem;line-height:1.6}h2{font-size:.9rem;margin:1rem 0 0}p{margin:0 0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere}</style></head>
<body><h1>${escapeText(thread.title)}</h1>
<p><a href="${escapeText(address)}">${escapeText(address)}</a></p>
${posts.join('\n')}
</body></html>
`
}

/** What a file of a thread needs beside its posts. */
export interface LogContext {
  /** Of the thread in its category; null without one. */
  readonly key: number | null
  readonly publicUrl: string
}

type Writer = (thread: LoggedThread, rows: readonly DatPostRow[], context: LogContext) => Buffer

/** The forms of files. */
export const LOG_WRITERS = {
  json: (thread, rows, context) => Buffer.from(`${JSON.stringify(toThreadLog(thread, rows, context), null, 1)}\n`),
  dat: (thread, rows, { publicUrl }) => Buffer.concat(rows.map((row) => lineOf(thread, row, publicUrl))),
  txt: (thread, rows, { publicUrl }) => Buffer.from(toText(thread, rows, publicUrl)),
  html: (thread, rows, { publicUrl }) => Buffer.from(toHtml(thread, rows, publicUrl)),
} as const satisfies Record<string, Writer>
export type FileForm = keyof typeof LOG_WRITERS
