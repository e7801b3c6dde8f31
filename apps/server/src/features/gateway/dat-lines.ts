/** What the lines of a dat and of subject.txt show of threads and posts. */
import { NAMELESS } from '@shinobi/contract/nameless'
import { encodeCp932 } from '@shinobi/dat/cp932'
import { fitLine, formatLine, formatLineWithin, formatRemoved, toField, type DatPost } from '@shinobi/dat/line'
import { imageUrl } from '../images/image-store.ts'
import type { DatPostRow, DatThread } from './dats.queries.ts'

/** The writer of news. */
const BOARD = '忍板'

/** The title as clients list it: an AI summary says that it is one. */
export const datTitle = ({ title, aiGenerated }: DatThread): string => (aiGenerated ? `【AI要約】${title}` : title)

/** A line of subject.txt. @param key of the thread in this category */
export const subjectLine = (thread: DatThread, key: number): Buffer =>
  encodeCp932(`${key}.dat<>${toField(datTitle(thread))} (${thread.postCount})\n`)

/** Where pictures are, `https://…` without a slash at the end. */
type PublicUrl = string

/** The mail field of a post. */
export const mailOf = ({ mail, sage }: Pick<DatPostRow, 'mail' | 'sage'>): string => mail ?? (sage ? 'sage' : '')

/** What is shown of a post that is not removed. */
export function toDatPost(thread: DatThread, row: DatPostRow, publicUrl: PublicUrl): DatPost {
  const isNews = row.number === 1 && thread.summary !== null
  const source =
    isNews && thread.sourceUrl !== null ? [`出典：${thread.sourceSite ?? ''}`.trimEnd(), thread.sourceUrl] : []
  // Clients make links of addresses; those of newcomers are none.
  const content = row.plainLinks ? row.content.replaceAll('://', '：//') : row.content
  const behind = [...source, ...(row.image === null ? [] : [publicUrl + imageUrl(row.image)])]
  return {
    name: row.name ?? (isNews ? BOARD : NAMELESS),
    trip: row.trip,
    staff: row.asStaff,
    mail: mailOf(row),
    at: row.createdAt,
    posterId: row.posterId,
    body: [content, ...behind].filter((part) => part !== '').join('\n'),
    lastLines: behind.length,
    title: titleIn(thread, row),
  }
}

/** The first line has the title, the others have none. */
const titleIn = (thread: DatThread, { number }: Pick<DatPostRow, 'number'>): string =>
  number === 1 ? datTitle(thread) : ''

/**
 * The line of a post.
 * @param bytes its length, once it was sent; a line that is new is as long as its content is, also
 * when the post was removed before anybody asked for it
 * @param max bytes of a line that is new: a longer one is cut
 */
export function lineOf(
  thread: DatThread,
  row: DatPostRow,
  publicUrl: PublicUrl,
  { bytes, max }: { readonly bytes?: number | undefined; readonly max?: number } = {},
): Buffer {
  const post = toDatPost(thread, row, publicUrl)
  const fresh = () => (max === undefined ? formatLine(post) : formatLineWithin(post, max))
  if (row.deletedAt !== null) {
    const isPurged = row.content === ''
    return formatRemoved(titleIn(thread, row), bytes ?? (isPurged ? undefined : fresh().length))
  }
  return bytes === undefined ? fresh() : fitLine(post, bytes)
}
