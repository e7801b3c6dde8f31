import { z } from 'zod'
import { category, categoryInput } from './categories.ts'
import { adminPageQuery, answers, created, forAdmins, id, pagination, time, type Call } from './common.ts'
import { ADMIN_POSTS_PAGE, ADMIN_THREADS_PAGE, ADMIN_USERS_PAGE } from './limits.ts'
import { post } from './posts.ts'
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
})

const named = z.object({ _id: id, name: z.string() }).nullable()
const titled = z.object({ _id: id, title: z.string() }).nullable()
const idParams = z.object({ id })
const done = z.object({})

export const getDashboard = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/dashboard',
  schema: { summary: 'Figures of the board', tags: ['admin'], response: answers(z.object({ stats: dashboard })) },
} as const satisfies Call

export const adminUsers = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/users',
  schema: {
    summary: 'Users, newest first',
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_USERS_PAGE),
    response: answers(z.object({ users: z.array(user.extend({ createdAt: time })), pagination })),
  },
} as const satisfies Call

export const adminThreads = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/threads',
  schema: {
    summary: 'Threads, newest first',
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_THREADS_PAGE),
    response: answers(
      z.object({ threads: z.array(threadItem.extend({ categoryId: named, createdBy: named })), pagination }),
    ),
  },
} as const satisfies Call

export const adminDeleteThread = {
  ...forAdmins,
  method: 'DELETE',
  url: '/api/admin/threads/:id',
  schema: { summary: 'Delete a thread with its posts', tags: ['admin'], params: idParams, response: answers(done) },
} as const satisfies Call

export const adminPosts = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/posts',
  schema: {
    summary: 'Posts, newest first',
    tags: ['admin'],
    querystring: adminPageQuery(ADMIN_POSTS_PAGE),
    response: answers(z.object({ posts: z.array(post.extend({ userId: named, threadId: titled })), pagination })),
  },
} as const satisfies Call

export const adminDeletePost = {
  ...forAdmins,
  method: 'DELETE',
  url: '/api/admin/posts/:id',
  schema: {
    summary: 'Delete a post; a tombstone stays at its number',
    tags: ['admin'],
    params: idParams,
    response: answers(done),
  },
} as const satisfies Call

export const adminCategories = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/categories',
  schema: {
    summary: 'All categories',
    tags: ['admin'],
    response: answers(z.object({ categories: z.array(category) })),
  },
} as const satisfies Call

export const adminCreateCategory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/categories',
  schema: { summary: 'Create a category', tags: ['admin'], body: categoryInput, response: created(category) },
} as const satisfies Call

export const adminDeleteCategory = {
  ...forAdmins,
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
