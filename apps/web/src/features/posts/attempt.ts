/**
 * One post, however often it is sent: the same text under the same name keeps its clientPostId until the server
 * acknowledged it, across failures and reloads, so that a resend never doubles it. Another text is another post.
 */
import { uuidV7 } from '../../lib/uuid-v7.ts'

/** Kept with the draft; flat strings, as drafts are. */
export interface PostDraft {
  content: string
  /** The id of the last unacknowledged attempt, and what was sent under it. */
  attemptId: string
  attemptOf: string
}

export const EMPTY_DRAFT: PostDraft = { content: '', attemptId: '', attemptOf: '' }

const signature = (content: string, name: string, image: File | null): string =>
  JSON.stringify([content, name, image === null ? null : [image.name, image.size, image.lastModified]])

/** The attempt for this post: the one under way if it is the same, else a new one. */
export function attemptFor(
  draft: PostDraft,
  content: string,
  name: string,
  image: File | null,
): Pick<PostDraft, 'attemptId' | 'attemptOf'> {
  const attemptOf = signature(content, name, image)
  if (draft.attemptId !== '' && draft.attemptOf === attemptOf) return { attemptId: draft.attemptId, attemptOf }
  return { attemptId: uuidV7(), attemptOf }
}
