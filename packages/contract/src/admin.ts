import { z } from 'zod'
import { ban } from './bans.ts'
import { adminCategory, categoryChange, categoryInput } from './categories.ts'
import {
  adminPageQuery,
  answers,
  categoryRef,
  created,
  done,
  id,
  logged,
  noteText,
  ofThread,
  pagination,
  requires,
  time,
  wholeNumber,
  type Call,
} from './common.ts'
import {
  ADMIN_CATEGORIES_PAGE,
  ADMIN_FOUND,
  ADMIN_POSTS_PAGE,
  ADMIN_SCOPED_POSTS,
  ADMIN_SCOPED_THREADS,
  ADMIN_THREADS_PAGE,
  ADMIN_USERS_PAGE,
  EMAIL,
  PAGE_SIZE_MAX,
  SEARCH,
  USERNAME,
  WRITER_CASES,
  WRITER_POSTS,
  WRITER_THREADS,
} from './limits.ts'
import { post, postParams, rule } from './posts.ts'
import { threadItem } from './threads.ts'
import { user } from './accounts.ts'

/** Figures of the dashboard cards. */
export const dashboard = z.object({
  users: z.number().int(),
  threads: z.number().int(),
  posts: z.number().int(),
  categories: z.number().int(),
  recentPosts: z.number().int().describe('posts of the last 24 hours'),
  recentUsers: z.number().int().describe('users of the last 7 days'),
  postsByHour: z.array(z.number().int()).describe('of 24 hours, oldest first; the last of them is the hour that runs'),
  usersByDay: z
    .array(z.number().int())
    .describe('of the last 7 times 24 whole hours, oldest first; the hour that runs is in the last of them'),
  disk: z
    .object({
      freeBytes: z.number().int(),
      minFreeBytes: z.number().int().describe('MIN_FREE_MB of the server; 0 where nothing is refused'),
      refused: z.enum(['nothing', 'pictures', 'writes']),
    })
    .describe('free space of the server that answers, and what it refuses for lack of it'),
})

export type Dashboard = z.infer<typeof dashboard>

const named = z.object({ _id: id, name: z.string() }).nullable()
const titled = z.object({ _id: id, title: z.string() }).nullable()
const idParams = z.object({ id })
const removal = z.object({ rule: rule.default('improper'), reason: noteText.default('') })

/** A user in the administrators' list. */
export const adminUser = user.extend({
  createdAt: time,
  emailVerified: z.boolean().describe('anybody can type in any address'),
  secondFactor: z.boolean(),
  banned: z.boolean(),
})
export type AdminUser = z.infer<typeof adminUser>

/** A thread in the moderators' list. */
export const adminThread = threadItem.extend({ categoryId: named, createdBy: named, removed: z.boolean() })
export type AdminThread = z.infer<typeof adminThread>

/** A post in the moderators' list. */
export const adminPost = post.extend({ userId: named, threadId: titled })
export type AdminPost = z.infer<typeof adminPost>

const day = (what: string) => z.iso.date().optional().describe(`${what}, as Japan counts days`)
/**
 * Filters of a list. An item must match every filter that is given; without any, the list is
 * complete.
 */
const period = { from: day('first day'), to: day('last day') }
const textFilter = {
  ...period,
  q: z.string().max(SEARCH.max).optional().describe('words, as in the search of visitors'),
  writer: z.string().max(USERNAME.maxBytes).optional().describe('whole name of a member, or nickname'),
  category: categoryRef.optional(),
}
const filtered = `With filters at most ${ADMIN_FOUND} rows are found, the newest ones.`

export const threadState = z.enum(['locked', 'pinned', 'removed'])
export const postState = z.enum(['folded', 'removed'])
export const userState = z.enum(['admin', 'moderator', 'banned'])
export type ThreadState = z.infer<typeof threadState>
export type PostState = z.infer<typeof postState>
export type UserState = z.infer<typeof userState>

export const getDashboard = {
  ...requires('seeDashboard'),
  method: 'GET',
  url: '/api/admin/dashboard',
  schema: { summary: 'Figures of the board', tags: ['admin'], response: answers(z.object({ stats: dashboard })) },
} as const satisfies Call

export const adminUsers = {
  ...requires('seeMembers'),
  method: 'GET',
  url: '/api/admin/users',
  schema: {
    summary: 'Users, newest first',
    description: filtered,
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_USERS_PAGE).extend({
      ...period,
      q: z.string().max(EMAIL.max).optional().describe('beginning of a name or mail address'),
      state: userState.optional(),
    }),
    response: answers(z.object({ users: z.array(adminUser), pagination })),
  },
} as const satisfies Call

export const adminThreads = {
  ...requires('browse'),
  method: 'GET',
  url: '/api/admin/threads',
  schema: {
    summary: 'Threads, newest first',
    description: `Who moderates some categories gets the newest ${ADMIN_SCOPED_THREADS} threads of those; \`total\` counts as far. ${filtered}`,
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_THREADS_PAGE).extend({ ...textFilter, state: threadState.optional() }),
    response: answers(z.object({ threads: z.array(adminThread), pagination })),
  },
} as const satisfies Call

export const adminDeleteThread = {
  ...requires('removeThreads'),
  method: 'DELETE',
  url: '/api/admin/threads/:id',
  schema: {
    summary: 'Delete a thread with its posts; it can be restored for 24 hours',
    tags: ['admin'],
    params: idParams,
    querystring: removal,
    response: answers(logged),
  },
} as const satisfies Call

export const adminPosts = {
  ...requires('browse'),
  method: 'GET',
  url: '/api/admin/posts',
  schema: {
    summary: 'Posts, newest first',
    description: `Who moderates some categories gets those of the board’s newest ${ADMIN_SCOPED_POSTS} posts that stand in them; \`total\` counts as far. ${filtered} Without words, writer or state they are looked for among ${ADMIN_SCOPED_POSTS} posts.`,
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_POSTS_PAGE).extend({ ...textFilter, state: postState.optional() }),
    response: answers(z.object({ posts: z.array(adminPost), pagination })),
  },
} as const satisfies Call

export const adminDeletePost = {
  ...requires('removePosts'),
  method: 'DELETE',
  url: '/api/admin/posts/:id',
  schema: {
    summary: 'Delete a post; a tombstone stays at its number',
    tags: ['admin'],
    params: idParams,
    querystring: removal.extend(ofThread),
    response: answers(logged),
  },
} as const satisfies Call

/** A reported post of one writer. */
export const writerCase = z.object({
  threadId: id,
  postId: id,
  number: z.number().int(),
  title: z.string(),
  status: z.enum(['open', 'closed']),
  reports: z.number().int(),
  decision: z.string().nullable(),
  createdAt: time,
})

/**
 * What a writer posted lately and what moderators decided about it, in the categories of the asking
 * moderator; newest first.
 */
export const writerHistory = z.object({
  label: z.string().describe('a name, or a masked token'),
  memberSince: time.nullable().describe('null for an anonymous visitor'),
  posts: z.array(adminPost).describe(`at most ${WRITER_POSTS}, removed ones included`),
  threads: z.array(adminThread).describe(`at most ${WRITER_THREADS}`),
  cases: z.array(writerCase).describe(`at most ${WRITER_CASES}`),
  bans: z.array(ban),
})
export type WriterHistory = z.infer<typeof writerHistory>

/** The history of the writer of a post. */
export const getWriterHistory = {
  ...requires('seeWriters'),
  method: 'GET',
  url: '/api/admin/writers/:threadId/:postId',
  schema: {
    summary: 'What the writer of a post wrote lately, with reports and bans',
    tags: ['admin'],
    params: postParams,
    response: answers(writerHistory),
  },
} as const satisfies Call

export const getUserHistory = {
  ...requires('seeMembers'),
  method: 'GET',
  url: '/api/admin/users/:id/history',
  schema: {
    summary: 'What a member wrote lately, with reports and bans',
    tags: ['admin'],
    params: idParams,
    response: answers(writerHistory),
  },
} as const satisfies Call

export const adminCategories = {
  ...requires('browse'),
  method: 'GET',
  url: '/api/admin/categories',
  schema: {
    summary: 'The categories that the moderator is for',
    description: 'All of them without `page` and `limit`.',
    tags: ['admin'],
    querystring: z.object({
      page: wholeNumber(1, 1_000_000).optional(),
      limit: wholeNumber(1, PAGE_SIZE_MAX).optional().describe(`${ADMIN_CATEGORIES_PAGE} for a page without it`),
    }),
    response: answers(z.object({ categories: z.array(adminCategory), pagination })),
  },
} as const satisfies Call

export const adminCreateCategory = {
  ...requires('editCategories'),
  method: 'POST',
  url: '/api/admin/categories',
  schema: {
    summary: 'Create a category',
    tags: ['admin'],
    body: categoryInput,
    codes: { name: 'bad_category', description: 'bad_category' },
    response: created(adminCategory),
  },
} as const satisfies Call

export const adminChangeCategory = {
  ...requires('editCategories'),
  method: 'PUT',
  url: '/api/admin/categories/:id',
  schema: {
    summary: 'Change how many posts the threads of a category take',
    tags: ['admin'],
    params: idParams,
    body: categoryChange,
    codes: { description: 'bad_category' },
    response: answers(adminCategory),
  },
} as const satisfies Call

export const adminDeleteCategory = {
  ...requires('editCategories'),
  method: 'DELETE',
  url: '/api/admin/categories/:id',
  schema: {
    summary: 'Delete a category, moving its threads if it has any',
    tags: ['admin'],
    params: idParams,
    querystring: z.object({ moveTo: id.optional() }),
    response: answers(done),
  },
} as const satisfies Call

/** The role of a member: what they may do beyond the rights of all members. */
export const roleInput = z.object({
  role: z.enum(['admin', 'moderator', 'member']),
  categoryIds: z
    .array(id)
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('of a moderator; null for the whole board'),
})
export type RoleInput = z.infer<typeof roleInput>

export const adminChangeRole = {
  ...requires('changeRoles'),
  method: 'PUT',
  url: '/api/admin/users/:id/role',
  schema: {
    summary: 'Make a member an administrator, a moderator, or neither',
    tags: ['admin'],
    params: idParams,
    body: roleInput,
    response: answers(adminUser),
  },
} as const satisfies Call
