import { refuse } from '../../lib/api-error.ts'
import { UUID } from '../../lib/uuid.ts'

/** The lists of cases: open ones by either order, and closed ones. */
export type CaseList = 'reported' | 'oldest' | 'closed'

/** Where a page of cases ended. */
export interface CaseCursor {
  readonly list: CaseList
  /** Voices of its last case; 0 in the other lists. */
  readonly voices: number
  /** When it was opened, or closed. */
  readonly at: Date
  readonly postId: string
}

/** Opaque to clients; the letter of the list keeps one list's cursor out of another. */
export const writeCaseCursor = ({ list, voices, at, postId }: CaseCursor): string =>
  `${list[0]}${voices}.${at.getTime()}.${postId}`

/** @throws ApiError bad_cursor when it is none of this list's */
export function readCaseCursor(text: string, list: CaseList): CaseCursor {
  const [, letter, voices, at, postId = ''] = /^([roc])(\d{1,9})\.(\d{1,15})\.(.+)$/.exec(text) ?? []
  if (letter !== list[0] || !UUID.test(postId)) throw refuse('bad_cursor', 'bad_cursor')
  return { list, voices: Number(voices), at: new Date(Number(at)), postId: postId.toLowerCase() }
}
