import type { ThreadSort } from '@shinobi/contract/threads'
import { refuse } from '../../lib/api-error.ts'
import { UUID } from '../../lib/uuid.ts'

/** The end of a page of threads: the sort value and the id of its last thread. */
export interface ThreadCursor {
  readonly sort: ThreadSort
  /**
   * What the list is sorted by: posts, likes, speed (speedRank), or the time of the last post in
   * milliseconds; 0 for the orders by age.
   */
  readonly value: number
  /** Only for speed: the moment in milliseconds at which all pages of the list compute it. */
  readonly moment?: number | undefined
  readonly id: string
}

/** Greater than every id: the position before the newest thread. */
export const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Cursors are opaque to clients; the letter of the sort makes a cursor invalid in other lists. */
export const writeCursor = ({ sort, value, moment, id }: ThreadCursor): string =>
  `${sort[0]}${value}${moment === undefined ? '' : `-${moment}`}.${id}`

/** Beyond it PostgreSQL's integers and times end. */
const VALUE_MAX = 2_147_483_647
const TIME_MAX = 8_640_000_000_000_000

/** @throws ApiError when the cursor does not belong to this list */
export function readCursor(text: string, sort: ThreadSort): ThreadCursor {
  const match = /^([noplsa])(\d{1,16})(?:-(\d{1,16}))?\.(.+)$/.exec(text)
  if (match === null || match[1] !== sort[0] || !UUID.test(match[4]!)) throw refuse('bad_cursor', 'bad_cursor')
  const [, , value, moment, id] = match
  if ((sort === 'speed') !== (moment !== undefined)) throw refuse('bad_cursor', 'bad_cursor')
  return {
    sort,
    value: Math.min(Number(value), sort === 'speed' || sort === 'active' ? TIME_MAX : VALUE_MAX),
    ...(moment !== undefined && { moment: Math.min(Number(moment), TIME_MAX) }),
    id: id!.toLowerCase(),
  }
}
