/** A thread as a file to keep (docs/logs.md). */
import { z } from 'zod'
import { answers, id, time, type Call } from './common.ts'
import { threadParams } from './threads.ts'

export const LOG_FORMAT = 'shinobi-thread-log'

const logPost = z.object({
  number: z.number().int().min(1),
  name: z.string().nullable().describe('null for 名無し'),
  trip: z.string().nullable().describe('without its ◆'),
  staff: z.boolean().describe('has the staff mark'),
  mail: z.string().describe('`sage`, or empty; of an imported post as in its log'),
  createdAt: time.nullable(),
  posterId: z.string().nullable(),
  content: z.string().describe('as typed; empty for a removed post'),
  image: z.string().nullable().describe('address of the picture'),
  removed: z.boolean(),
})

/** The JSON form of a thread's log; `version` rises when a reader of this one could not read it. */
export const threadLog = z.object({
  format: z.literal(LOG_FORMAT),
  version: z.literal(1),
  source: z.string().describe('address of the thread'),
  thread: z.object({
    _id: id,
    title: z.string(),
    category: z.string(),
    key: z.number().int().nullable().describe('its name for browsers of 2ch, in its category'),
    createdAt: time,
    closedAt: time.nullable(),
    aiGenerated: z.boolean(),
    sourceSite: z.string().nullable(),
    sourceUrl: z.string().nullable(),
  }),
  posts: z.array(logPost),
})
export type ThreadLog = z.infer<typeof threadLog>

/** The forms in which a visitor can take a thread along. */
export const LOG_FORMS = ['dat', 'txt', 'json'] as const
export type LogForm = (typeof LOG_FORMS)[number]

const form = z.enum(LOG_FORMS)

export const getThreadLog = {
  method: 'GET',
  url: '/api/threads/:threadId/log.:form',
  schema: {
    summary: 'A thread as a file: dat, txt or json',
    description:
      'All posts, the removed ones without their content. `dat` is the log of 2ch in CP932, `json` as docs/logs.md says.',
    tags: ['threads'],
    params: threadParams.extend({ form }),
    produces: ['text/plain', 'application/json'],
    response: answers(z.any().describe('a file, as an attachment')),
  },
} as const satisfies Call
