import { z } from 'zod'
import { categoryParams } from './categories.ts'
import { answers, body, created, freeName, id, line, pageQuery, time, wholeNumber, type Call } from './common.ts'
import { contentWords, nicknameWords } from './complaints.ts'
import { imageFields } from './images.ts'
import { NICKNAME, POST, SEARCH, TITLE, TRENDING_LIMIT, TRENDING_WINDOW_HOURS } from './limits.ts'
import { messages } from './messages.ts'

/** Orders of a thread list: 新着順, 古い順, 投稿数順, いいね順. */
export const threadSort = z.enum(['newest', 'oldest', 'popular', 'liked'])
export type ThreadSort = z.infer<typeof threadSort>

/** Stands first in the list of its category, or of the whole board too. */
export const threadPin = z.enum(['category', 'board'])
export type ThreadPin = z.infer<typeof threadPin>

/** Written by a language model, made of the article's own sentences, or the headline alone. */
export const summaryKind = z.enum(['ai', 'extractive', 'headline'])
export type SummaryKind = z.infer<typeof summaryKind>

/** A thread as it stands in a list. */
export const threadItem = z.object({
  _id: id,
  title: z.string(),
  excerpt: z.string().describe('first 200 characters of the opening text'),
  category: z.string().describe('name of the category'),
  categoryId: id,
  ...imageFields,
  nickname: z.string().nullable().describe('who opened it; null shows as 名無し'),
  userId: id.nullable().describe('the member who opened it; null for an anonymous visitor'),
  createdAt: time,
  lastPostAt: time,
  aiGenerated: z.boolean(),
  summary: summaryKind
    .nullable()
    .describe('of a news thread: how its opening text was made; see /api/threads/{threadId}/summary'),
  sourceSite: z.string().nullable(),
  sourceUrl: z.string().nullable().describe('http or https address of the original article'),
  likes: z.number().int(),
  postCount: z.number().int().describe('number of the newest post; the opening text is post 1'),
  locked: z.boolean().describe('nobody may write into it'),
  pinned: threadPin.nullable(),
})
export type ThreadItem = z.infer<typeof threadItem>

/** A thread as its own page shows it. */
export const thread = threadItem.extend({
  content: z.string().describe('the opening text, which is post 1'),
  revision: z.number().int().describe('rises with every visible change of the thread'),
})
export type Thread = z.infer<typeof thread>

/** A thread with its trending score: posts and likes of the window, halved every 12 hours. */
export const trendingItem = threadItem.extend({ score: z.number() })
export type TrendingItem = z.infer<typeof trendingItem>

const searchProblems = {
  blank: messages.search_too_long,
  too_short: messages.search_too_long,
  too_long: messages.search_too_long,
}

export const threadListQuery = pageQuery.extend({
  search: line(SEARCH, searchProblems)
    .optional()
    .describe('words in titles and posts, all of them; "a phrase" in quotes, -word to leave out'),
  sort: threadSort.default('newest'),
})

export const trendingQuery = z.object({
  windowHours: wholeNumber(1, 168).default(TRENDING_WINDOW_HOURS),
  limit: wholeNumber(1, 20).default(TRENDING_LIMIT),
})

export const threadParams = z.object({ threadId: id })

export const listThreads = {
  method: 'GET',
  url: '/api/threads',
  schema: {
    summary: 'Threads of all categories',
    tags: ['threads'],
    querystring: threadListQuery,
    response: answers(z.array(threadItem)),
  },
} as const satisfies Call

export const listCategoryThreads = {
  method: 'GET',
  url: '/api/categories/:categoryId/threads',
  schema: {
    summary: 'Threads of one category',
    tags: ['threads'],
    params: categoryParams,
    querystring: threadListQuery,
    response: answers(z.array(threadItem)),
  },
} as const satisfies Call

export const listTrending = {
  method: 'GET',
  url: '/api/threads/trending',
  schema: {
    summary: 'Trending threads of all categories',
    tags: ['threads'],
    querystring: trendingQuery,
    response: answers(z.array(trendingItem)),
  },
} as const satisfies Call

export const listCategoryTrending = {
  method: 'GET',
  url: '/api/categories/:categoryId/trending',
  schema: {
    summary: 'Trending threads of one category',
    tags: ['threads'],
    params: categoryParams,
    querystring: trendingQuery,
    response: answers(z.array(trendingItem)),
  },
} as const satisfies Call

export const getThread = {
  method: 'GET',
  url: '/api/threads/:threadId',
  schema: { summary: 'One thread', tags: ['threads'], params: threadParams, response: answers(thread) },
} as const satisfies Call

/** Nickname of an anonymous visitor. */
export const nickname = freeName(NICKNAME, nicknameWords)

export const title = line(TITLE, {
  blank: messages.title_and_content_required,
  too_short: messages.title_too_short,
  too_long: messages.title_too_long,
})

/** Body of a post. */
export const content = body(POST, contentWords)

/** A form sends it as text. */
export const asStaff = z
  .union([z.boolean(), z.stringbool()])
  .optional()
  .describe('with the seal of those who run the board: for administrators, and for moderators in their categories')

/** Text fields of thread creation; the image is a file part beside them. */
export const threadInput = z.object({
  title,
  content: body(POST, {
    blank: messages.title_and_content_required,
    too_short: messages.title_and_content_required,
    too_long: messages.content_too_long,
  }),
  category: z
    .string({ error: messages.category_required })
    .max(120, messages.category_not_found)
    .regex(/^\P{Cc}+$/u, messages.category_required)
    .describe('id or name'),
  nickname: nickname.optional().describe('anonymous visitors only; absent or 名無し for none'),
  clientThreadId: id
    .optional()
    .describe('made by the client; the same again answers the same thread, so that a resend never doubles it'),
  asStaff,
})
export type ThreadInput = z.infer<typeof threadInput>

export const createThread = {
  method: 'POST',
  url: '/api/threads',
  schema: {
    summary: 'Open a thread',
    description:
      'Multipart fields title, content, category, nickname, clientThreadId, asStaff and a file part `image`; JSON without an image.',
    tags: ['threads'],
    consumes: ['multipart/form-data', 'application/json'],
    response: { ...created(thread), 202: z.object({ held: z.object({ _id: id, message: z.string() }) }) },
  },
} as const satisfies Call

export const nicknameAnswer = z.object({ available: z.boolean(), message: z.string() })

export const checkNickname = {
  method: 'POST',
  url: '/api/threads/:threadId/checkNickname',
  schema: {
    summary: 'Whether a nickname is free in a thread',
    description:
      'In one thread a nickname belongs to the first visitor who posts with it; 名無し is free for all. Sets the visitor cookie.',
    tags: ['threads'],
    params: threadParams,
    body: z.object({ nickname }),
    response: answers(nicknameAnswer),
  },
} as const satisfies Call
