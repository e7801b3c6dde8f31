import { refuse } from '../../lib/api-error.ts'
import { UUID } from '../../lib/uuid.ts'

/** The lists of cases: open ones in two orders, and closed ones. */
export type CaseList = 'reported' | 'oldest' | 'closed'

/** The end of a page of cases. */
export interface CaseCursor {
  readonly list: CaseList
  /** Voices of the page's last case; 0 in the other lists. */
  readonly voices: number
  /** When the case was opened, or closed. */
  readonly at: Date
  readonly postId: string
}

/** Opaque to clients; the letter of the list makes a cursor invalid in other lists. */
export const writeCaseCursor = ({ list, voices, at, postId }: CaseCursor): string =>
  `${list[0]}${voices}.${at.getTime()}.${postId}`

/** @throws ApiError bad_cursor when it does not belong to this list */
export function readCaseCursor(text: string, list: CaseList): CaseCursor {
  const [, letter, voices, at, postId = ''] = /^([roc])(\d{1,9})\.(\d{1,15})\.(.+)$/.exec(text) ?? []
  if (letter !== list[0] || !UUID.test(postId)) throw refuse('bad_cursor', 'bad_cursor')
  return { list, voices: Number(voices), at: new Date(Number(at)), postId: postId.toLowerCase() }
}
