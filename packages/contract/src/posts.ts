import { z } from 'zod'
import { answers, created, done, id, time, wholeNumber, type Call } from './common.ts'
import { imageFields } from './images.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX } from './limits.ts'
import { RULE_KEYS } from './rules.ts'
import {
  asStaff,
  content,
  excerptParts,
  heldAnswer,
  nickname,
  sage,
  searchWords,
  threadParams,
  trip,
} from './threads.ts'

/** Which rule of the board a removed post broke; the rules' texts are in rules.ts. */
export const rule = z.enum(RULE_KEYS)

/** A post, the same for every viewer, over HTTP and the socket. */
export const post = z.object({
  _id: id,
  threadId: id,
  number: z.number().int().describe('place in the thread, from 1, without gaps, never reused'),
  name: z.string().nullable().describe('null shows as 名無し'),
  content: z.string().describe('plain text as typed; empty for a removed post'),
  createdAt: time,
  ...imageFields,
  likes: z.number().int(),
  userId: id.nullable().describe('the member who wrote it; null for an anonymous visitor'),
  deleted: z.boolean().describe('a tombstone: この書き込みは削除されました'),
  rule: rule.nullable().describe('why it was removed; null for a post that was not, or when nobody said'),
  withdrawn: z.literal(true).optional().describe('removed by its writer; missing on every other post'),
  folded: z.boolean().describe('shown folded, because several people reported it, or by the opener of the thread'),
  foldReason: z
    .string()
    .optional()
    .describe('why the opener of the thread (スレ主) folded it; missing on every other post'),
  trip,
  sage: z.literal(true).optional().describe('it did not lift the thread; missing on every other post'),
  plainLinks: z
    .literal(true)
    .optional()
    .describe('addresses in it are text, because its writer was a newcomer; missing on every other post'),
  posterId: z
    .string()
    .optional()
    .describe(
      'ID: the same for all posts of one person in this thread on one day (JST), or on all threads of the category where it says so; missing where the category shows none',
    ),
  posterNth: z.number().int().optional().describe('which post of this ID it is in the thread; missing in newPost'),
  posterTotal: z.number().int().optional().describe('posts of this ID in the thread; missing in newPost'),
  staff: z.literal(true).optional().describe('written with the seal of the staff; missing on every other post'),
})
export type Post = z.infer<typeof post>

/**
 * A page of posts: those after a number, or the last ones before it. Both are answered in ascending
 * order.
 */
export const postListQuery = z.object({
  after: wholeNumber(0, 2_000_000_000).optional().describe('posts with a higher number'),
  before: wholeNumber(1, 2_000_000_001).optional().describe('posts with a lower number, the nearest ones'),
  limit: wholeNumber(1, PAGE_SIZE_MAX).default(PAGE_SIZE),
})

export const listPosts = {
  method: 'GET',
  url: '/api/threads/:threadId/posts',
  schema: {
    summary: 'Posts of a thread in ascending order',
    description:
      'Without after and before, from post 1. A page of very long posts has fewer than `limit`. The Link header names the next and the previous page.',
    tags: ['posts'],
    params: threadParams,
    querystring: postListQuery,
    response: answers(z.array(post)),
  },
} as const satisfies Call

/** Which posts of a thread answer which, by their anchors (>>3). */
export const threadAnswers = z.object({
  through: z.number().int().describe('the number of the last post that is certainly among them'),
  answers: z
    .record(z.string(), z.array(z.number().int()))
    .describe('for each post with answers, the numbers of the posts that answer it, in ascending order'),
})
export type ThreadAnswers = z.infer<typeof threadAnswers>

export const listAnswers = {
  method: 'GET',
  url: '/api/threads/:threadId/answers',
  schema: {
    summary: 'Which posts of a thread answer which',
    description:
      'By the first 30 anchors of each post; an anchor to more than 10 posts answers none. Removed posts answer nothing.',
    tags: ['posts'],
    params: threadParams,
    response: answers(threadAnswers),
  },
} as const satisfies Call

/** The posts of a thread that contain all words of a search, in ascending order. */
export const foundPosts = z.object({
  hits: z.number().int().describe('all posts with the words; 1,000 stands for 1,000 or more'),
  next: z.number().int().nullable().describe('`after` of the next page; null on the last one'),
  found: z.array(z.object({ number: z.number().int(), parts: excerptParts })).describe('at most 100, fewer long ones'),
})
export type FoundPosts = z.infer<typeof foundPosts>
export type FoundPost = FoundPosts['found'][number]

export const findPosts = {
  method: 'GET',
  url: '/api/threads/:threadId/posts/search',
  schema: {
    summary: 'Search in one thread',
    description: 'Width, case and kana make no difference; "a phrase" in quotes, -word to leave out.',
    tags: ['posts'],
    params: threadParams,
    querystring: z.object({
      search: searchWords.default('').describe('without words nothing is found'),
      after: wholeNumber(0, 2_000_000_000).default(0).describe('posts with a higher number'),
    }),
    response: answers(foundPosts),
  },
} as const satisfies Call

/** Text fields of a post. Over HTTP the image is a file part, over the socket a data URL. */
export const postInput = z.object({
  content,
  name: nickname
    .optional()
    .describe(
      'name of an anonymous visitor, 名無し for none, name#key for a tripcode; a member posts under the profile name',
    ),
  clientPostId: id
    .optional()
    .describe('made by the client; the same again answers the same post, so that a resend never doubles it'),
  asStaff,
  sage,
})
export type PostInput = z.infer<typeof postInput>
/** A member writes under the profile name, whatever else is sent. */
export const memberPostInput = postInput.omit({ name: true })

export type HeldAnswer = z.infer<typeof heldAnswer>

export const createPost = {
  method: 'POST',
  url: '/api/threads/:threadId/posts',
  schema: {
    summary: 'Post into a thread (the twin of the socket event newPost)',
    description:
      'Multipart fields content, name, clientPostId, asStaff, sage and a file part `image`; JSON without an image. 202 when a moderator has to look at it first.',
    tags: ['posts'],
    params: threadParams,
    consumes: ['multipart/form-data', 'application/json'],
    form: { fields: postInput, file: 'image' },
    response: { ...created(post), 202: heldAnswer },
  },
} as const satisfies Call

export const postParams = threadParams.extend({ postId: id })

export const deleteOwnPost = {
  method: 'DELETE',
  url: '/api/threads/:threadId/posts/:postId',
  schema: {
    summary: 'Delete a post of one’s own',
    description:
      'The browser or member that wrote it, for so many minutes as `GET /api/notices` tells (`ownDeleteMinutes`). Post 1 takes the thread with it, while nobody else has answered. 403 for everybody else, 409 `has_answers` or `already_done`, 410 `too_late`.',
    tags: ['posts'],
    params: postParams,
    response: answers(done),
  },
} as const satisfies Call
