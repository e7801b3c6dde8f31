/**
 * API calls of the administration's news screen. All query keys have the same prefix, so that one
 * invalidation reaches the whole screen.
 */
import type { AnswerOf } from '@shinobi/contract/common'
import type * as calls from '@shinobi/contract/news'
import type {
  ImportedNewsSources,
  NewsArticle,
  NewsCorrection,
  ListedNewsSource,
  NewsSource,
  NewsSourceChange,
  NewsSourceInput,
  NewsSourcesImport,
  NewsStatus,
  NewsStory,
  StoryList,
} from '@shinobi/contract/news'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { apiGet, apiSend } from '../../lib/api-client.ts'
import { continued, withQuery } from '../admin/api.ts'

const base = '/api/admin/news'
const id = encodeURIComponent
const keyOf = (userId: string, ...rest: unknown[]) => ['admin', userId, 'news', ...rest]

/**
 * After each change all lists are reloaded, because a withdrawn story changes the counts of its
 * source.
 */
export function useReloadNews(userId: string): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: keyOf(userId) }), [client, userId])
}

/** The server works in the background, so the status is polled to show its progress. */
const STATUS_EVERY_MS = 10_000
const STATUS_WHILE_BUSY_MS = 3_000

export const newsStatusQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'status'),
    queryFn: (context) => apiGet<NewsStatus>(`${base}/status`, context),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.running || data.pending > 0) ? STATUS_WHILE_BUSY_MS : STATUS_EVERY_MS,
  })

export const newsSourcesQuery = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'sources'),
    queryFn: (context) => apiGet<ListedNewsSource[]>(`${base}/sources`, context),
    staleTime: 0,
  })

export const newsStoriesQuery = (userId: string, state: StoryList) =>
  continued<AnswerOf<typeof calls.listNewsStories>>(keyOf(userId, 'stories', state), (cursor) =>
    withQuery(`${base}/stories`, { state, cursor }),
  )

/** The story of a thread; null for one whose story is not kept. */
export const storyOfThreadQuery = (userId: string, threadId: string) =>
  queryOptions({
    queryKey: keyOf(userId, 'stories', 'of', threadId),
    queryFn: async (context) => {
      const path = withQuery(`${base}/stories`, { threadId })
      return (await apiGet<AnswerOf<typeof calls.listNewsStories>>(path, context)).stories[0] ?? null
    },
    staleTime: 0,
  })

export const newsArticlesQuery = (userId: string, state: NewsArticle['state']) =>
  continued<AnswerOf<typeof calls.listNewsArticles>>(keyOf(userId, 'articles', state), (cursor) =>
    withQuery(`${base}/articles`, { state, cursor }),
  )

const sourcePath = (sourceId: string) => `${base}/sources/${id(sourceId)}`

export const createSource = (input: NewsSourceInput) => apiSend<NewsSource>('POST', `${base}/sources`, input)
export const changeSource = (sourceId: string, change: NewsSourceChange) =>
  apiSend<NewsSource>('PUT', sourcePath(sourceId), change)
export const deleteSource = (sourceId: string) => apiSend<object>('DELETE', sourcePath(sourceId))
export const readSource = (sourceId: string) => apiSend<object>('POST', `${sourcePath(sourceId)}/read`)

export const exportSources = async (): Promise<string> =>
  (await apiGet<AnswerOf<typeof calls.exportNewsSources>>(`${base}/opml`)).opml

export const importSources = (input: NewsSourcesImport) => apiSend<ImportedNewsSources>('POST', `${base}/opml`, input)

const storyPath = (storyId: string) => `${base}/stories/${id(storyId)}`

export const decideStory = (storyId: string, decision: 'approve' | 'reject' | 'restore' | 'retry' | 'keep') =>
  apiSend<NewsStory>('POST', `${storyPath(storyId)}/${decision}`)
export const withdrawStory = (storyId: string, reason: string) =>
  apiSend<NewsStory>('POST', `${storyPath(storyId)}/withdraw`, { reason })
export const correctStory = (storyId: string, correction: NewsCorrection) =>
  apiSend<NewsStory>('POST', `${storyPath(storyId)}/correct`, correction)

/**
 * Stops a source, or all news (null), and withdraws the threads if so wanted.
 * @returns the number of withdrawn threads
 */
export async function stopNews(sourceId: string | null, reason: string, withdraw: boolean): Promise<number> {
  const path = sourceId === null ? base : sourcePath(sourceId)
  return (await apiSend<AnswerOf<typeof calls.stopNews>>('POST', `${path}/stop`, { reason, withdraw })).withdrawn
}
export const resumeNews = () => apiSend<object>('POST', `${base}/resume`)
