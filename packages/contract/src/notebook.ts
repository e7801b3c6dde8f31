/** The notebook of a member: what follows from one device to another. */
import { z } from 'zod'
import { answers, done, id, requires, wholeNumber, type Call } from './common.ts'
import { NOTEBOOK_BATCH, POST_NUMBER_MAX, NOTEBOOK_OWN_POSTS_MAX, READING_RECORDS_MAX } from './limits.ts'
import { threadPosition } from './threads.ts'

const number = z.int().min(0).max(POST_NUMBER_MAX)
const at = z.int().min(0).describe('milliseconds since 1970; one in the future becomes now')

/** Of all calls of the notebook. */
export const meantMember = z.object({
  memberId: id.optional().describe('whom the page means: the session of another member is refused (403)'),
})

export const notebookEntry = z.object({
  threadId: id,
  readThrough: number.describe('number of the last post that was on screen'),
  visitedAt: at.nullable(),
  visitRemovedAt: at.optional(),
  favouriteAt: at.nullable(),
  favouriteRemovedAt: at.optional(),
  isOwn: z.boolean().describe('whether the member opened the thread'),
  isOwnRemoved: z.literal(true).optional(),
  ownPosts: z.array(number).max(NOTEBOOK_OWN_POSTS_MAX).describe('numbers of posts that the member wrote'),
  ownPostsRemovedThrough: number.optional(),
  updatedAt: at,
  forgottenAt: at.optional().describe('what was known before is forgotten'),
})

export const storedNotebook = z.object({
  entries: z
    .array(z.object({ entry: notebookEntry, thread: threadPosition }))
    .describe('oldest change first, with where the thread stands'),
  since: z.int().describe('for the next call'),
  more: z.boolean().describe('whether the next call has more entries now'),
  total: z.int().describe('threads of which something is stored'),
})
export type StoredNotebook = z.infer<typeof storedNotebook>

export const readNotebook = {
  ...requires('keepNotebook'),
  method: 'GET',
  url: '/api/notebook',
  schema: {
    summary: 'What has changed in the member’s notebook',
    description: `At most ${NOTEBOOK_BATCH} entries. Only the member's own are ever answered.`,
    tags: ['notebook'],
    querystring: meantMember.extend({
      since: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('`since` of the answer before'),
    }),
    response: answers(storedNotebook),
  },
} as const satisfies Call

export const addToNotebook = {
  ...requires('keepNotebook'),
  method: 'POST',
  url: '/api/notebook',
  schema: {
    summary: 'Merge entries into the member’s notebook',
    description:
      'The furthest position stays, lists are united, and what was removed later stays removed. Beyond ' +
      `${READING_RECORDS_MAX} threads those that changed longest ago are dropped; favourites and own threads last.`,
    tags: ['notebook'],
    querystring: meantMember,
    body: z.object({ entries: z.array(notebookEntry).min(1).max(NOTEBOOK_BATCH) }),
    response: answers(done),
  },
} as const satisfies Call

export const clearNotebook = {
  ...requires('keepNotebook'),
  method: 'DELETE',
  url: '/api/notebook',
  schema: {
    summary: 'Delete everything in the member’s notebook',
    description: 'Their rules of hiding too. What their browsers keep stays there.',
    tags: ['notebook'],
    querystring: meantMember,
    response: answers(done),
  },
} as const satisfies Call
