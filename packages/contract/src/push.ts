/** Web Push: notices to a browser that has no page of the board open. */
import { z } from 'zod'
import { answers, done, id, type Call } from './common.ts'
import { POST_NUMBER_MAX } from './limits.ts'
import { messages } from './messages.ts'
import {
  KEYWORDS_MAX,
  PUSH_KEEP_DAYS,
  PUSH_OWN_POSTS_MAX,
  PUSH_PER_HOUR_MAX,
  PUSH_THREADS_MAX,
} from './watching-limits.ts'

const token = z
  .string()
  .regex(/^[\w-]{43}$/)
  .describe('256 random bits that the browser chose, in base64url: whoever has it can change and delete')
const hour = z.int().min(0).max(23)

export const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: messages.push_unknown_service }).max(1_000),
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{87}=?$/, { error: messages.push_bad_keys }),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/, { error: messages.push_bad_keys }),
  }),
})
export type PushSubscriptionKeys = z.infer<typeof pushSubscription>

export const pushRegistration = z.object({
  token,
  subscription: pushSubscription.describe('of the browser’s push service (PushSubscription.toJSON)'),
  answers: z.boolean().describe('whether answers to own posts are sent'),
  titles: z.boolean().describe('whether notices show the titles of threads'),
  quiet: z
    .object({ from: hour, until: hour })
    .nullable()
    .describe('hours in Japan in which nothing is sent, from the first to before the second; null for none'),
  perHour: z.int().min(1).max(PUSH_PER_HOUR_MAX).describe('notices an hour, at most'),
  threads: z
    .array(
      z.object({
        threadId: id,
        watched: z.boolean().describe('whether new posts are sent'),
        ownPosts: z.array(z.int().min(1).max(POST_NUMBER_MAX)).max(PUSH_OWN_POSTS_MAX),
      }),
    )
    .max(PUSH_THREADS_MAX),
  words: z.array(z.string().min(1).max(200)).max(KEYWORDS_MAX).describe('of the titles of new threads, as typed'),
})
export type PushRegistration = z.infer<typeof pushRegistration>

export const getPush = {
  method: 'GET',
  url: '/api/push',
  schema: {
    summary: 'Whether this board sends notices by Web Push, and its key',
    tags: ['push'],
    response: answers(
      z.object({
        key: z.string().nullable().describe('applicationServerKey (VAPID), in base64url; null: no notices are sent'),
      }),
    ),
  },
} as const satisfies Call

export const registerPush = {
  method: 'PUT',
  url: '/api/push/registration',
  schema: {
    summary: 'Register a browser for notices, with what it watches',
    description:
      'It replaces what was registered under the token before, and another registration of the same subscription. No ' +
      `account and no cookie is needed or stored. It ends after ${PUSH_KEEP_DAYS} days without another call, or when ` +
      'the push service no longer knows the subscription.',
    tags: ['push'],
    body: pushRegistration,
    response: answers(done),
  },
} as const satisfies Call

export const dropPush = {
  method: 'POST',
  url: '/api/push/drop',
  schema: {
    summary: 'Delete a registration and all that belongs to it',
    description: 'A token that is not known is no error.',
    tags: ['push'],
    body: z.object({ token }),
    response: answers(done),
  },
} as const satisfies Call

export const testPush = {
  method: 'POST',
  url: '/api/push/test',
  schema: {
    summary: 'Send a notice to try it out, at once',
    description: '404 for an unknown token, 503 when the push service does not take it.',
    tags: ['push'],
    body: z.object({ token }),
    response: answers(done),
  },
} as const satisfies Call

/** What a notice carries to the service worker (public/push.js), encrypted for the browser. */
export interface PushMessage {
  readonly title: string
  readonly body: string
  /** A later notice with the same tag replaces this one on the screen. */
  readonly tag: string
  /** Where a press leads: a path of the board. */
  readonly path: string
  /** The thread and the number that was reached: what was read so far need not be shown. */
  readonly threadId?: string
  readonly number?: number
}
