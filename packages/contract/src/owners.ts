/** スレ主: what the opener of a thread does in it, from a level on. All of it stands in its log. */
import { z } from 'zod'
import { answers, created, done, id, line, time, trimmedBody, type Call } from './common.ts'
import { OWNER_NOTE, OWNER_NOTES_MAX, OWNER_REASON } from './owner-limits.ts'
import { ownerNoteWords, ownerReasonWords } from './owner-words.ts'

/** An entry of スレ主の記録, the same for everybody. */
export const ownerAction = z.object({
  _id: id,
  at: time,
  kind: z
    .enum(['note', 'fold', 'silence', 'close'])
    .describe('a note below post 1, a folded post, an ID that may not write here until midnight, the thread locked'),
  number: z.number().int().nullable().describe('fold, silence: the post'),
  posterId: z.string().nullable().describe('silence: the ID'),
  text: z
    .string()
    .nullable()
    .describe('the note, or the reason; null once it was taken back, of a note also while post 1 is removed'),
  undone: z.enum(['owner', 'staff']).nullable().describe('who took it back; null while it stands'),
})
export type OwnerAction = z.infer<typeof ownerAction>

const reason = line(OWNER_REASON, ownerReasonWords)

export const ownerTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), text: trimmedBody(OWNER_NOTE, ownerNoteWords) }),
  z.object({ kind: z.literal('fold'), postId: id, text: reason }),
  z.object({ kind: z.literal('silence'), postId: id.describe('a post of today with the ID'), text: reason }),
  z.object({ kind: z.literal('close'), text: reason }),
])
export type OwnerTask = z.infer<typeof ownerTask>

export const actAsOwner = {
  method: 'POST',
  url: '/api/threads/:threadId/owner-actions',
  schema: {
    summary: 'Add a note to an own thread, fold a post in it, silence an ID for the day, or close it',
    description:
      `For whoever opened the thread, by session or visitor cookie, from a level on. At most ${OWNER_NOTES_MAX} notes. ` +
      'Moderators can take all of it back.',
    tags: ['owners'],
    params: z.object({ threadId: id }),
    body: ownerTask,
    response: created(ownerAction),
  },
} as const satisfies Call

export const takeBackAsOwner = {
  method: 'DELETE',
  url: '/api/threads/:threadId/owner-actions/:actionId',
  schema: {
    summary: 'Take back a note, a fold or a silence of one’s own thread',
    tags: ['owners'],
    params: z.object({ threadId: id, actionId: id }),
    response: answers(done),
  },
} as const satisfies Call
