import type { ThreadSort } from '@shinobi/contract/threads'
import { refuse } from '../../lib/api-error.ts'
import { UUID } from '../../lib/uuid.ts'

/** Where a page of threads ended: the sort value and the id of its last thread. */
export interface ThreadCursor {
  readonly sort: ThreadSort
  /** Posts or likes for popular and liked; 0 for the orders by age. */
  readonly value: number
  readonly id: string
}

/** Above every id: the place before the newest thread. */
export const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Cursors are opaque to clients; the letter of the sort keeps one list's cursor out of another. */
export const writeCursor = ({ sort, value, id }: ThreadCursor): string => `${sort[0]}${value}.${id}`

/** @throws ApiError when the cursor is none of this list's */
export function readCursor(text: string, sort: ThreadSort): ThreadCursor {
  const match = /^([nopl])(\d{1,10})\.(.+)$/.exec(text)
  if (match === null || match[1] !== sort[0] || !UUID.test(match[3]!)) throw refuse('bad_cursor', 'bad_cursor')
  return { sort, value: Math.min(Number(match[2]), 2_147_483_647), id: match[3]!.toLowerCase() }
}
