/** Moderation: cases (the reports of one post), held posts, removals, threads, the log. */
import { z } from 'zod'
import { banTerms } from './bans.ts'
import {
  answers,
  done,
  id,
  logged,
  noteText,
  ofThread,
  reasonText,
  requires,
  time,
  wholeNumber,
  type Call,
} from './common.ts'
import { imageFields } from './images.ts'
import { AUDIT_PAGE, CASES_PAGE, HELD_PAGE, MUTE_HOURS_MAX, TRACE_HOURS_MAX } from './limits.ts'
import { messages } from './messages.ts'
import { post, rule } from './posts.ts'
import { summaryKind, threadPin } from './threads.ts'

/**
 * A post as moderators see it. A removed post keeps its text for as long as that is stored, but
 * shows no image.
 */
export const moderatedPost = post.extend({
  writer: z.string().describe('masked token of who wrote it, the same within the thread'),
})
export type ModeratedPost = z.infer<typeof moderatedPost>

export const reporter = z.object({
  handle: z.string().describe('a name, or a masked token'),
  isMember: z.boolean(),
  upheld: z.number().int().describe('of the own reports, those that led to something'),
  dismissed: z.number().int(),
  muted: z.boolean(),
})
export const caseReport = z.object({
  _id: id,
  reason: z.string(),
  seen: z.string().describe('what the post said when it was reported'),
  createdAt: time,
  reporter,
})
export type CaseReport = z.infer<typeof caseReport>

const thread = z.object({
  _id: id,
  title: z.string(),
  category: z.string(),
  categoryId: id,
  locked: z.boolean(),
  removed: z.boolean(),
})

/** All reports of one post. */
export const moderationCase = z.object({
  thread: thread.extend({ summary: summaryKind.nullable().describe('of news: how its opening text was made') }),
  post: moderatedPost,
  ownerNotes: z.array(z.string()).describe('of post 1: what its writer added below it, oldest first'),
  context: z.array(moderatedPost).describe('the two posts before it and the two after it'),
  reports: z.array(caseReport).describe('oldest first, 50 at most'),
  reportCount: z.number().int(),
  voices: z.number().int().describe('distinct reporters who count; visitors of one address are one'),
  flag: z.string().nullable().describe('the word whose rule flagged it'),
  status: z.enum(['open', 'closed']),
  note: z.string(),
  decision: z
    .string()
    .nullable()
    .describe('of a closed one: dismiss, remove, remove_all, ban or lock; news_correct: the summary was corrected'),
  decidedBy: z.string().nullable().describe('who moderates some categories gets no name but their own'),
  decidedAt: time.nullable(),
  createdAt: time.describe('when it was opened, or opened again by a new voice'),
  actionId: id.nullable().describe('the decision in the log, while it can be taken back'),
})
export type ModerationCase = z.infer<typeof moderationCase>

const caseParams = z.object({ threadId: id, postId: id })

export const getQueue = {
  ...requires('enterAdministration'),
  method: 'GET',
  url: '/api/admin/queue',
  schema: {
    summary: 'How much waits; `queueChanged` on the socket says when to ask again',
    tags: ['moderation'],
    response: answers(
      z
        .object({
          cases: z.number().int(),
          held: z.number().int(),
          news: z.number().int().describe('stories that wait for approval; 0 for whoever is no administrator'),
        })
        .describe('1000 stands for more'),
    ),
  },
} as const satisfies Call

export const listCases = {
  ...requires('decideReports'),
  method: 'GET',
  url: '/api/admin/cases',
  schema: {
    summary: 'Reported posts',
    tags: ['moderation'],
    querystring: z.object({
      status: z.enum(['open', 'closed']).default('open'),
      sort: z
        .enum(['reported', 'oldest'])
        .default('reported')
        .describe('most reported, then oldest; closed ones come newest first'),
      cursor: z.string().max(200).optional(),
      limit: wholeNumber(1, 50).default(CASES_PAGE),
    }),
    response: answers(z.object({ cases: z.array(moderationCase), next: z.string().nullable() })),
  },
} as const satisfies Call

export const getCase = {
  ...requires('decideReports'),
  method: 'GET',
  url: '/api/admin/cases/:threadId/:postId',
  schema: {
    summary: 'One reported post',
    tags: ['moderation'],
    params: caseParams,
    response: answers(moderationCase),
  },
} as const satisfies Call

export const caseDecision = z.discriminatedUnion('action', [
  z.object({ action: z.literal('dismiss'), note: noteText.default('') }),
  z.object({ action: z.literal('remove'), rule, note: noteText.default('') }),
  z.object({ action: z.literal('remove_all'), rule, note: noteText.default('') }).describe('everything by this writer'),
  z
    .object({ action: z.literal('ban'), rule, note: noteText.default(''), ban: banTerms })
    .describe('removes the post as well'),
  z.object({ action: z.literal('lock'), note: noteText.default('') }).describe('locks the thread'),
])
export type CaseDecision = z.infer<typeof caseDecision>

export const decideCase = {
  ...requires('decideReports'),
  method: 'POST',
  url: '/api/admin/cases/:threadId/:postId/decision',
  schema: {
    summary: 'Decide on a reported post',
    description:
      '409 when somebody else was first. `removed` counts the posts; `actionId` takes all of the decision back (remove_all, the ban and other cases of this writer included).',
    tags: ['moderation'],
    params: caseParams,
    body: caseDecision,
    response: answers(z.object({ case: moderationCase, actionId: id, removed: z.number().int() })),
  },
} as const satisfies Call

export const noteCase = {
  ...requires('decideReports'),
  method: 'PUT',
  url: '/api/admin/cases/:threadId/:postId/note',
  schema: {
    summary: 'Leave a note for the other moderators',
    tags: ['moderation'],
    params: caseParams,
    body: z.object({ note: noteText }),
    response: answers(done),
  },
} as const satisfies Call

export const undoAction = {
  ...requires('undo'),
  method: 'POST',
  url: '/api/admin/actions/:actionId/undo',
  schema: {
    summary: 'Take an action back, within 24 hours',
    tags: ['moderation'],
    params: z.object({ actionId: id }),
    response: answers(done),
  },
} as const satisfies Call

export const muteReporter = {
  ...requires('muteReporters'),
  method: 'PUT',
  url: '/api/admin/threads/:threadId/reports/:reportId/mute',
  schema: {
    summary: 'Do not count this reporter for a while, or count again',
    description: 'Holds on the whole board, so it is for those who moderate all of it. Open cases are counted anew.',
    tags: ['moderation'],
    params: z.object({ threadId: id, reportId: id }),
    body: z.object({
      muted: z.boolean(),
      hours: wholeNumber(1, MUTE_HOURS_MAX).nullable().default(null).describe('null: until it is taken back'),
      reason: noteText.default(''),
    }),
    response: answers(done),
  },
} as const satisfies Call

/** A post or thread that waits for a moderator. */
export const heldItem = z.object({
  _id: id,
  kind: z.enum(['post', 'thread']),
  thread: thread.nullable(),
  title: z.string().nullable().describe('of a thread that waits'),
  category: z.string(),
  name: z.string().nullable(),
  isMember: z.boolean(),
  staff: z.literal(true).optional().describe('sent with the seal of the staff; missing on every other item'),
  content: z.string(),
  ...imageFields,
  why: z
    .enum(['word', 'shield', 'image', 'similar', 'ban', 'silence'])
    .describe(
      'image: of a newcomer, where the category holds those; similar: the third of different writers who wrote ' +
        'nearly the same within a day; ban: its writer was banned while it was held; silence: the opener of ' +
        'the thread silenced its ID meanwhile',
    ),
  detail: z.string().nullable(),
  createdAt: time,
})
export type HeldItem = z.infer<typeof heldItem>

export const listHeld = {
  ...requires('decideHeld'),
  method: 'GET',
  url: '/api/admin/held',
  schema: {
    summary: 'Posts and threads that wait, oldest first',
    tags: ['moderation'],
    querystring: z.object({ cursor: id.optional(), limit: wholeNumber(1, 50).default(HELD_PAGE) }),
    response: answers(z.object({ held: z.array(heldItem), next: id.nullable() })),
  },
} as const satisfies Call

export const decideHeld = {
  ...requires('decideHeld'),
  method: 'POST',
  url: '/api/admin/held/:heldId/decision',
  schema: {
    summary: 'Let a held post through, or not',
    tags: ['moderation'],
    params: z.object({ heldId: id }),
    body: z.object({ action: z.enum(['approve', 'reject']), rule: rule.optional() }),
    response: answers(done),
  },
} as const satisfies Call

/** The state of the visitor's own held post. */
export const getHeldState = {
  method: 'GET',
  url: '/api/held/:heldId',
  schema: {
    summary: 'Whether an own post or thread still waits',
    description: 'For whoever wrote it, by session or visitor cookie. A post that is let through keeps its id.',
    tags: ['posts'],
    params: z.object({ heldId: id }),
    response: answers(
      z.object({
        status: z
          .enum(['waiting', 'approved', 'rejected', 'expired', 'withdrawn'])
          .describe('expired: it could no longer be published, and nobody has judged it'),
        threadId: id.nullable().describe('where the post stands; null for a thread until it is let through'),
        number: z.int().nullable().describe('of a post that was let through'),
        category: z.string().nullable().describe('name of the category that a thread waits in; null for a post'),
      }),
    ),
  },
} as const satisfies Call

/** The twin of `deleteOwnPost` for what is not published yet. */
export const withdrawHeld = {
  method: 'DELETE',
  url: '/api/held/:heldId',
  schema: {
    summary: 'Take back an own post or thread that still waits',
    description: 'For whoever wrote it, by session or visitor cookie. 409 `already_done` once it was decided.',
    tags: ['posts'],
    params: z.object({ heldId: id }),
    response: answers(done),
  },
} as const satisfies Call

export const restorePost = {
  ...requires('removePosts'),
  method: 'POST',
  url: '/api/admin/posts/:id/restore',
  schema: {
    summary: 'Bring a removed post back',
    tags: ['moderation'],
    params: z.object({ id }),
    querystring: z.object(ofThread),
    response: answers(logged),
  },
} as const satisfies Call

export const restoreThread = {
  ...requires('removeThreads'),
  method: 'POST',
  url: '/api/admin/threads/:id/restore',
  schema: {
    summary: 'Bring a removed thread back, within 24 hours',
    tags: ['moderation'],
    params: z.object({ id }),
    response: answers(logged),
  },
} as const satisfies Call

export const changeThread = {
  ...requires('changeThreads'),
  method: 'PUT',
  url: '/api/admin/threads/:id',
  schema: {
    summary: 'Lock, pin or move a thread',
    tags: ['moderation'],
    params: z.object({ id }),
    body: z
      .object({
        locked: z.boolean().optional(),
        pinned: threadPin.nullable().optional(),
        categoryId: id.optional(),
        reason: noteText.default(''),
      })
      // Each change becomes its own log entry, so that it can be undone by itself.
      .refine(
        ({ locked, pinned, categoryId }) =>
          [locked, pinned, categoryId].filter((part) => part !== undefined).length === 1,
        { error: messages.bad_request },
      )
      .describe('one of locked, pinned and categoryId'),
    response: answers(logged),
  },
} as const satisfies Call

/** An entry of the log. */
export const auditEntry = z.object({
  _id: id,
  at: time,
  actor: z.string().nullable().describe('null: the board itself'),
  action: z.string().describe('see AUDIT_LABELS'),
  category: z.string().nullable(),
  threadId: id.nullable(),
  number: z.number().int().nullable(),
  subject: z.string().nullable(),
  rule: rule.nullable(),
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).describe('before and after, where there is such'),
  undone: z.boolean(),
  undoable: z.boolean(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const listAudit = {
  ...requires('readAuditLog'),
  method: 'GET',
  url: '/api/admin/audit',
  schema: {
    summary: 'The log of everything done here, newest first',
    tags: ['moderation'],
    querystring: z.object({ cursor: id.optional(), limit: wholeNumber(1, 100).default(AUDIT_PAGE) }),
    response: answers(z.object({ entries: z.array(auditEntry), next: id.nullable() })),
  },
} as const satisfies Call

/** The same for everybody: the action and the rule, without who acted and who was affected. */
export const publicLogEntry = z.object({
  _id: id,
  at: time,
  action: z.string(),
  category: z.string().nullable(),
  threadId: id.nullable().describe('null when the thread cannot be seen'),
  title: z.string().nullable(),
  number: z.number().int().nullable(),
  rule: rule.nullable(),
  undone: z.boolean(),
})
export type PublicLogEntry = z.infer<typeof publicLogEntry>

export const listPublicLog = {
  method: 'GET',
  url: '/api/moderation-log',
  schema: {
    summary: 'The public log of moderation (御触書), newest first',
    tags: ['site'],
    querystring: z.object({ cursor: id.optional(), limit: wholeNumber(1, 100).default(AUDIT_PAGE) }),
    response: answers(z.array(publicLogEntry)),
  },
} as const satisfies Call

/** Temporary IP logging of a thread. */
export const traceOrder = z.object({
  _id: id,
  threadId: id,
  title: z.string(),
  reason: z.string(),
  createdBy: z.string().nullable(),
  createdAt: time,
  endsAt: time,
  traces: z.number().int(),
})
export type TraceOrder = z.infer<typeof traceOrder>
const traceParams = z.object({ id })

export const listTracing = {
  ...requires('orderIpLogging'),
  method: 'GET',
  url: '/api/admin/tracing',
  schema: {
    summary: 'Threads whose writers are logged now',
    tags: ['moderation'],
    response: answers(z.object({ orders: z.array(traceOrder) })),
  },
} as const satisfies Call

export const startTracing = {
  ...requires('orderIpLogging'),
  method: 'POST',
  url: '/api/admin/threads/:id/tracing',
  schema: {
    summary: 'Log who writes into a thread, for a time',
    tags: ['moderation'],
    params: traceParams,
    body: z.object({ reason: reasonText, hours: wholeNumber(1, TRACE_HOURS_MAX) }),
    response: answers(traceOrder),
  },
} as const satisfies Call

export const endTracing = {
  ...requires('orderIpLogging'),
  method: 'DELETE',
  url: '/api/admin/threads/:id/tracing',
  schema: {
    summary: 'End it, and forget what was logged',
    tags: ['moderation'],
    params: traceParams,
    response: answers(done),
  },
} as const satisfies Call

export const readTraces = {
  ...requires('orderIpLogging'),
  method: 'POST',
  url: '/api/admin/threads/:id/traces',
  schema: {
    summary: 'Read what was logged, the newest thousand posts by number; every reading is logged itself',
    tags: ['moderation'],
    params: traceParams,
    body: z.object({ reason: reasonText }),
    response: answers(
      z.object({
        traces: z.array(
          z.object({ postId: id, number: z.number().int(), at: time, address: z.string(), agent: z.string() }),
        ),
      }),
    ),
  },
} as const satisfies Call
