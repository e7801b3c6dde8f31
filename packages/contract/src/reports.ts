import { z } from 'zod'
import { answers, trimmedBody, type Call } from './common.ts'
import { reportReasonWords } from './complaints.ts'
import { POST, REPORT_REASON } from './limits.ts'
import { postParams } from './posts.ts'

/**
 * A visitor's report of a post. `content` is the text that the reporter saw, kept as evidence in
 * case the post changes.
 */
export const reportInput = z.object({
  reason: trimmedBody(REPORT_REASON, reportReasonWords),
  content: z.string().max(POST.maxBytes).default(''),
})

export const reportPost = {
  method: 'POST',
  url: '/api/threads/:threadId/posts/:postId/report',
  schema: {
    summary: 'Report a post to the moderators',
    tags: ['reports'],
    params: postParams,
    body: reportInput,
    response: answers(z.object({ message: z.string() })),
  },
} as const satisfies Call
