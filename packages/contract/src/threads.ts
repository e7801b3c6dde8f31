import { z } from 'zod'
import { categoryParams } from './categories.ts'
import { answers, body, created, id, line, pageQuery, time, wholeNumber, type Call } from './common.ts'
import { contentWords, nicknameWords, required } from './complaints.ts'
import { imageFields } from './images.ts'
import {
  NICKNAME,
  POSITIONS_MAX,
  POST,
  SEARCH,
  TITLE,
  TRENDING_LIMIT,
  TRENDING_WINDOW_HOURS,
  TRIP_KEY,
} from './limits.ts'
import { messages } from './messages.ts'
import { ownerAction } from './owners.ts'
import { cleanNameWithKey, findNameComplaint } from './trip.ts'

/** Orders of a thread list: 新着順, 古い順, 投稿数順, いいね順, 勢い順, 最終レス順. */
export const threadSort = z.enum(['newest', 'oldest', 'popular', 'liked', 'speed', 'active'])
export type ThreadSort = z.infer<typeof threadSort>

/** Pinned to the top of its category's list, or of the whole board's list too. */
export const threadPin = z.enum(['category', 'board'])
export type ThreadPin = z.infer<typeof threadPin>

/** Written by a language model, composed of the article's own sentences, or the headline alone. */
export const summaryKind = z.enum(['ai', 'extractive', 'headline'])
export type SummaryKind = z.infer<typeof summaryKind>

/**
 * Text in parts: the second, the fourth and so on are what was searched for. Empty for a post that
 * is folded after reports.
 */
export const excerptParts = z.array(z.string()).describe('at most 120 characters; every second part is a hit')

/** Why a search found a thread. */
export const searchMatch = z.object({
  number: z
    .number()
    .int()
    .nullable()
    .describe('the post with the most of the words, the first of several; null when they are in the title'),
  parts: excerptParts,
  hits: z.number().int().describe('posts with the words; 100 stands for 100 or more'),
})
export type SearchMatch = z.infer<typeof searchMatch>

/** How far back the posts of a filtered search reach: 24 hours, 7, 30 and 365 days. */
export const searchPeriod = z.enum(['day', 'week', 'month', 'year'])
export type SearchPeriod = z.infer<typeof searchPeriod>

/**
 * ◆ and the code that a key gives, as 2ch computes it (10 or 12 characters), or 15 of a strong key.
 */
export const trip = z
  .string()
  .optional()
  .describe('tripcode without its ◆: the writer knew the key that gives it; missing without one')

/** A thread as lists show it. */
export const threadItem = z.object({
  _id: id,
  title: z.string(),
  excerpt: z.string().describe('first 200 characters of the opening text'),
  category: z.string().describe('name of the category'),
  categoryId: id,
  ...imageFields,
  nickname: z.string().nullable().describe('who opened it; null shows as 名無し'),
  trip,
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
  sages: z.number().int().describe('posts with sage, which do not count for 勢い'),
  locked: z.boolean().describe('nobody may write into it'),
  postLimit: z.number().int().describe('the post with this number closes the thread'),
  closedAt: time.nullable().describe('when its last post was written: it is a past log; null while it takes posts'),
  pinned: threadPin.nullable(),
  match: searchMatch.optional().describe('only in searches'),
})
export type ThreadItem = z.infer<typeof threadItem>

/** A thread before or after another one. */
export const threadLink = z.object({ _id: id, title: z.string() })
export type ThreadLink = z.infer<typeof threadLink>

/** A thread as its own page shows it. */
export const thread = threadItem.extend({
  content: z.string().describe('the opening text, which is post 1'),
  revision: z.number().int().describe('rises with every visible change of the thread'),
  previous: threadLink.nullable().describe('前スレ: the thread that this one continues'),
  next: threadLink.nullable().describe('次スレ: the thread that continues this one'),
  ownerActions: z.array(ownerAction).describe('スレ主の記録: what its opener did in it, the oldest first; at most 100'),
})
export type Thread = z.infer<typeof thread>

/** Words of a search; may be empty. */
export const searchWords = line(SEARCH, required('', messages.search_too_long))

export const threadListQuery = z.object({
  search: searchWords
    .optional()
    .describe('words in titles and posts, all of them; "a phrase" in quotes, -word to leave out'),
  sort: threadSort.default('newest'),
  cursor: pageQuery.shape.cursor,
  within: searchPeriod.optional().describe('of a search: only texts of the last 24 hours, 7, 30 or 365 days'),
  name: line(NICKNAME, required('', messages.search_name_too_long))
    .optional()
    .describe('of a search: only texts of writers whose name contains this, in any width, case and kana'),
  image: z.literal('1').optional().describe('of a search: only posts with an image'),
  state: z
    .literal('past')
    .optional()
    .describe(
      'the threads that are closed because they reached their limit, the last closed first; `search` and `sort` do not apply',
    ),
  limit: pageQuery.shape.limit,
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
    codes: { name: 'bad_search' },
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
    codes: { name: 'bad_search' },
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
    response: answers(z.array(threadItem)),
  },
} as const satisfies Call

/** Where a thread stands, for a browser that knows it. */
export const threadPosition = z.discriminatedUnion('state', [
  z.object({
    _id: id,
    state: z.enum(['open', 'locked']),
    title: z.string(),
    categoryId: id,
    postCount: z.number().int(),
    lastPostAt: time,
  }),
  z.object({ _id: id, state: z.literal('removed').describe('removed, or never opened') }),
])
export type ThreadPosition = z.infer<typeof threadPosition>

export const positionsQuery = z.object({
  ids: z
    .string()
    .max(POSITIONS_MAX * 37, messages.positions_too_many)
    .default('')
    .transform((list) => [
      ...new Set(
        list
          .toLowerCase()
          .split(',')
          .filter((one) => one !== ''),
      ),
    ])
    .pipe(z.array(id).max(POSITIONS_MAX, messages.positions_too_many))
    .describe(`ids of threads, separated by commas; at most ${POSITIONS_MAX}`),
})

export const listPositions = {
  method: 'GET',
  url: '/api/threads/positions',
  schema: {
    summary: 'Where some threads stand',
    description: 'In the order of the ids. The answer is the same for everybody.',
    tags: ['threads'],
    querystring: positionsQuery,
    response: answers(z.array(threadPosition)),
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
    response: answers(z.array(threadItem)),
  },
} as const satisfies Call

export const getThread = {
  method: 'GET',
  url: '/api/threads/:threadId',
  schema: { summary: 'One thread', tags: ['threads'], params: threadParams, response: answers(thread) },
} as const satisfies Call

/** Name of an anonymous visitor; `name#key` shows a tripcode. The key is never stored or shown. */
export const nickname = z
  .string({ error: nicknameWords.blank })
  .max(2 * (NICKNAME.maxBytes + TRIP_KEY.maxBytes) + 64, { error: nicknameWords.too_long, abort: true })
  .overwrite(cleanNameWithKey)
  .superRefine((value, context) => {
    const message = findNameComplaint(value)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

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
  .describe('with the seal of the staff: for administrators, and for moderators in their categories')

/** A form sends it as text. */
export const sage = z
  .union([z.boolean(), z.stringbool()])
  .optional()
  .describe('does not lift the thread in 最終レス順 and 勢い')

/** Text fields of a new thread; the image is a file part beside them. */
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
  nickname: z
    // A form sends a field that was left empty.
    .preprocess((typed) => (typed === null || typed === '' ? undefined : typed), nickname.optional())
    .describe('anonymous visitors only; absent or 名無し for none'),
  clientThreadId: id
    .optional()
    .describe('made by the client; the same again answers the same thread, so that a resend never doubles it'),
  previousThreadId: id
    .optional()
    .describe(
      'the thread that this one continues. 409 `has_next` when it has a next thread already; ignored unless it is visible and has at least 95 % of its posts',
    ),
  asStaff,
})
export type ThreadInput = z.infer<typeof threadInput>
/** A member writes under the profile name, whatever else is sent. */
export const memberThreadInput = threadInput.omit({ nickname: true })

/** A post or thread that waits for a moderator's approval before others see it. */
export const heldAnswer = z.object({ held: z.object({ _id: id, message: z.string() }) })

export const createThread = {
  method: 'POST',
  url: '/api/threads',
  schema: {
    summary: 'Open a thread',
    description:
      'Multipart fields title, content, category, nickname, clientThreadId, previousThreadId, asStaff and a file part `image`; JSON without an image.',
    tags: ['threads'],
    consumes: ['multipart/form-data', 'application/json'],
    form: { fields: threadInput, file: 'image' },
    response: { ...created(thread), 202: heldAnswer },
  },
} as const satisfies Call

export const nicknameAnswer = z.object({ available: z.boolean(), message: z.string(), trip })

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
