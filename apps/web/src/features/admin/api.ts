/**
 * API calls of the administration. Query keys contain the user's id, because moderators differ in
 * what they may see.
 */
import type {
  AdminPost,
  adminDeletePost,
  AdminThread,
  AdminUser,
  getDashboard,
  RoleInput,
  WriterHistory,
} from '@shinobi/contract/admin'
import type { BanTarget, listBans } from '@shinobi/contract/bans'
import type { AdminCategory } from '@shinobi/contract/categories'
import type { AnswerOf, Pagination } from '@shinobi/contract/common'
import type { listAudit, listTracing, readTraces as readTracesCall, TraceOrder } from '@shinobi/contract/moderation'
import type { RuleKey } from '@shinobi/contract/rules'
import type { SettingsAnswer, SettingsChange } from '@shinobi/contract/settings'
import type { listShields, Shield } from '@shinobi/contract/shields'
import type { ThreadPin } from '@shinobi/contract/threads'
import type * as calls from '@shinobi/contract/words'
import type { WordAction, WordChange, WordInput, WordRule, WordTrial } from '@shinobi/contract/words'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { apiGet, apiSend } from '../../lib/api-client.ts'
import { useUserId } from '../accounts/use-session.ts'
import type { Filters } from './use-filters.ts'

const base = '/api/admin'
const id = encodeURIComponent
export const withQuery = (path: string, query: Readonly<Record<string, string | null | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] != null && entry[1] !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Id of the current user, for query keys. */
export const useAdminId = (): string => useUserId() ?? ''

type List =
  | 'dashboard'
  | 'users'
  | 'threads'
  | 'posts'
  | 'writers'
  | 'categories'
  | 'words'
  | 'bans'
  | 'shields'
  | 'tracing'
  | 'settings'
  | 'audit'
const keyOf = (userId: string, list: List, ...rest: unknown[]) => ['admin', userId, list, ...rest]

/** After each deletion and creation the list is reloaded. */
export function useReload(...lists: List[]): () => Promise<void> {
  const client = useQueryClient()
  const userId = useAdminId()
  return async () => {
    await Promise.all(lists.map((list) => client.invalidateQueries({ queryKey: keyOf(userId, list) })))
  }
}

/**
 * Never considered fresh: a page that was visited before is shown from the cache at once, and
 * fetched again.
 */
const fresh = { staleTime: 0 } as const

export const dashboardQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'dashboard'),
    queryFn: async (context) => (await apiGet<AnswerOf<typeof getDashboard>>(`${base}/dashboard`, context)).stats,
    ...fresh,
    refetchInterval: 60_000,
  })

/** A list with page numbers, which shows the previous page until the next one is loaded. */
const paged = <Name extends 'users' | 'threads' | 'posts' | 'categories', Row>(
  userId: string,
  list: Name,
  query: Record<string, string>,
) =>
  queryOptions({
    queryKey: keyOf(userId, list, query),
    queryFn: (context) =>
      apiGet<{ pagination: Pagination } & Record<Name, Row[]>>(withQuery(`${base}/${list}`, query), context),
    ...fresh,
    placeholderData: keepPreviousData,
  })
export const usersQuery = (userId: string, page: number, filters: Filters) =>
  paged<'users', AdminUser>(userId, 'users', { page: String(page), ...filters })
export const threadsQuery = (userId: string, page: number, filters: Filters) =>
  paged<'threads', AdminThread>(userId, 'threads', { page: String(page), ...filters })
export const postsQuery = (userId: string, page: number, filters: Filters) =>
  paged<'posts', AdminPost>(userId, 'posts', { page: String(page), ...filters })
export const categoriesPageQuery = (userId: string, page: number) =>
  paged<'categories', AdminCategory>(userId, 'categories', { page: String(page) })

export const writerQuery = (userId: string, target: BanTarget) =>
  queryOptions({
    queryKey: keyOf(userId, 'writers', target),
    queryFn: (context) =>
      apiGet<WriterHistory>(
        'userId' in target
          ? `${base}/users/${id(target.userId)}/history`
          : `${base}/writers/${id(target.threadId)}/${id(target.postId)}`,
        context,
      ),
    ...fresh,
  })

export const changeRole = (userId: string, role: RoleInput) =>
  apiSend<AdminUser>('PUT', `${base}/users/${id(userId)}/role`, role)

/** The id of the log entry, for an action that can be undone. */
type Logged = AnswerOf<typeof adminDeletePost>

export const removeThread = (threadId: string, rule: RuleKey, reason: string) =>
  apiSend<Logged>('DELETE', withQuery(`${base}/threads/${id(threadId)}`, { rule, reason }))
const threadOf = ({ threadId }: AdminPost) => threadId?._id ?? null
export const removePost = (post: AdminPost, rule: RuleKey, reason: string) =>
  apiSend<Logged>('DELETE', withQuery(`${base}/posts/${id(post._id)}`, { threadId: threadOf(post), rule, reason }))
export const restoreThread = (threadId: string) => apiSend<Logged>('POST', `${base}/threads/${id(threadId)}/restore`)
export const restorePost = (post: AdminPost) =>
  apiSend<Logged>('POST', withQuery(`${base}/posts/${id(post._id)}/restore`, { threadId: threadOf(post) }))
/** One change per request: each is a separate log entry. */
export type ThreadChange = { locked: boolean } | { pinned: ThreadPin | null } | { categoryId: string }
export const changeThread = (threadId: string, change: ThreadChange, reason: string) =>
  apiSend<Logged>('PUT', `${base}/threads/${id(threadId)}`, { ...change, reason })
export const undoAction = (actionId: string) => apiSend<object>('POST', `${base}/actions/${id(actionId)}/undo`)

export const categoriesQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'categories'),
    queryFn: async (context) =>
      (await apiGet<{ categories: AdminCategory[] }>(`${base}/categories`, context)).categories,
    ...fresh,
  })
export const createCategory = (name: string, description: string) =>
  apiSend<AdminCategory>('POST', `${base}/categories`, { name, description })
type CategoryChange = Partial<Pick<AdminCategory, 'description' | 'postLimit' | 'posterIds' | 'holdImages'>>
export const changeCategory = (categoryId: string, change: CategoryChange) =>
  apiSend<AdminCategory>('PUT', `${base}/categories/${id(categoryId)}`, change)
export const deleteCategory = (categoryId: string, moveTo: string | null) =>
  apiSend<object>('DELETE', withQuery(`${base}/categories/${id(categoryId)}`, { moveTo }))

/** Lists paged by a cursor: a button loads the next part. */
export const continued = <Answer extends { next: string | null }>(
  queryKey: unknown[],
  path: (cursor: string | null) => string,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: (context) => apiGet<Answer>(path(context.pageParam), context),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...fresh,
    placeholderData: keepPreviousData,
  })

export const wordsQuery = (userId: string, q: string) =>
  continued<AnswerOf<typeof calls.listWords>>(keyOf(userId, 'words', q), (cursor) =>
    withQuery(`${base}/words`, { q, cursor }),
  )
export const createWord = (word: WordInput) => apiSend<WordRule>('POST', `${base}/words`, word)
export const changeWord = (wordId: string, change: WordChange) =>
  apiSend<WordRule>('PUT', `${base}/words/${id(wordId)}`, change)
export const deleteWord = (wordId: string) => apiSend<object>('DELETE', `${base}/words/${id(wordId)}`)
export const importWords = (words: string, action: WordAction) =>
  apiSend<AnswerOf<typeof calls.importWords>>('POST', `${base}/words/import`, { words, action })
export const tryWord = (word: string, allow: readonly string[], signal: AbortSignal) =>
  apiSend<WordTrial>('POST', `${base}/words/trial`, { word, allow }, { signal })

export const bansQuery = (userId: string, standing: boolean) =>
  continued<AnswerOf<typeof listBans>>(keyOf(userId, 'bans', standing), (cursor) =>
    withQuery(`${base}/bans`, { standing: String(standing), cursor }),
  )
export const liftBan = (banId: string) => apiSend<object>('DELETE', `${base}/bans/${id(banId)}`)

/** Figures of the last minute: polled every few seconds while they are displayed. */
export const shieldsQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'shields'),
    queryFn: (context) => apiGet<AnswerOf<typeof listShields>>(`${base}/shields`, context),
    ...fresh,
    refetchInterval: 5_000,
  })
export const setShield = (categoryId: string, step: number | null, minutes: number | null) =>
  apiSend<Shield>('PUT', `${base}/shields/${id(categoryId)}`, { step, minutes })

export const tracingQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'tracing'),
    queryFn: async (context) => (await apiGet<AnswerOf<typeof listTracing>>(`${base}/tracing`, context)).orders,
    ...fresh,
    refetchInterval: 60_000,
  })
export const startTracing = (threadId: string, reason: string, hours: number) =>
  apiSend<TraceOrder>('POST', `${base}/threads/${id(threadId)}/tracing`, { reason, hours })
export const endTracing = (threadId: string) => apiSend<object>('DELETE', `${base}/threads/${id(threadId)}/tracing`)

export type Trace = AnswerOf<typeof readTracesCall>['traces'][number]
export const readTraces = async (threadId: string, reason: string) =>
  (await apiSend<AnswerOf<typeof readTracesCall>>('POST', `${base}/threads/${id(threadId)}/traces`, { reason })).traces

export const settingsQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'settings'),
    queryFn: (context) => apiGet<SettingsAnswer>(`${base}/settings`, context),
    ...fresh,
  })
export const changeSettings = (change: SettingsChange) => apiSend<SettingsAnswer>('PUT', `${base}/settings`, change)

export const auditQuery = (userId: string) =>
  continued<AnswerOf<typeof listAudit>>(keyOf(userId, 'audit'), (cursor) => withQuery(`${base}/audit`, { cursor }))
