/** A thread as a file to keep: as text, and as JSON. */
import { LOG_FORMAT, type ThreadLog } from '@shinobi/contract/logs'
import { formatDate } from '@shinobi/dat/date'
import { toDatPost } from './dat-lines.ts'
import type { DatPostRow, LoggedThread } from './dats.queries.ts'
import { imageUrl } from '../images/image-store.ts'

const REMOVED = 'あぼーん'

/** @param key of the thread in its category; null without one */
export const toThreadLog = (
  thread: LoggedThread,
  rows: readonly DatPostRow[],
  { key, publicUrl }: { readonly key: number | null; readonly publicUrl: string },
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
