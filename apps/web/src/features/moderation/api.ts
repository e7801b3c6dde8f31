/**
 * API calls of the moderators' desk. Query keys contain the moderator's id, because moderators
 * differ in what they may see.
 */
import type { adminDeletePost } from '@shinobi/contract/admin'
import type { BanInput, BanPreview, BanTarget } from '@shinobi/contract/bans'
import type { AnswerOf } from '@shinobi/contract/common'
import type * as calls from '@shinobi/contract/moderation'
import type { CaseDecision, ModerationCase } from '@shinobi/contract/moderation'
import type { RuleKey } from '@shinobi/contract/rules'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { apiGet, apiSend } from '../../lib/api-client.ts'

const base = '/api/admin'
const id = encodeURIComponent

export type CaseSort = 'reported' | 'oldest'

type CasesAnswer = AnswerOf<typeof calls.listCases>

/**
 * The maximum of one call: decisions make room for the next items, so that the open queue needs no
 * pages.
 */
const SHELF = 50

export const openCasesQuery = (userId: string, sort: CaseSort) =>
  queryOptions({
    queryKey: ['admin', userId, 'cases', 'open', sort],
    queryFn: (context) => apiGet<CasesAnswer>(`${base}/cases?sort=${sort}&limit=${SHELF}`, context),
    staleTime: 0,
  })

export const closedCasesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', userId, 'cases', 'closed'],
    queryFn: (context) => {
      const cursor = context.pageParam === null ? '' : `&cursor=${id(context.pageParam)}`
      return apiGet<CasesAnswer>(`${base}/cases?status=closed${cursor}`, context)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })

const casePath = ({ thread, post }: ModerationCase) => `${base}/cases/${id(thread._id)}/${id(post._id)}`

/** Resolves with the id of the log entry, with which the decision can be undone. */
export const decideCase = async (one: ModerationCase, decision: CaseDecision): Promise<string> =>
  (await apiSend<AnswerOf<typeof calls.decideCase>>('POST', `${casePath(one)}/decision`, decision)).actionId

export const noteCase = (one: ModerationCase, note: string) => apiSend<object>('PUT', `${casePath(one)}/note`, { note })

export const undoAction = (actionId: string) => apiSend<object>('POST', `${base}/actions/${id(actionId)}/undo`)

export const removePost = (threadId: string, postId: string, rule: RuleKey) =>
  apiSend<AnswerOf<typeof adminDeletePost>>(
    'DELETE',
    `${base}/posts/${id(postId)}?threadId=${id(threadId)}&rule=${rule}`,
  )

/** Reports of a muted reporter count again after this time, unless a moderator unmutes earlier. */
const MUTED_HOURS = 30 * 24

export const muteReporter = (threadId: string, reportId: string, muted: boolean) =>
  apiSend<object>('PUT', `${base}/threads/${id(threadId)}/reports/${id(reportId)}/mute`, {
    muted,
    hours: muted ? MUTED_HOURS : null,
  })

export const heldQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', userId, 'held'],
    queryFn: (context) => apiGet<AnswerOf<typeof calls.listHeld>>(`${base}/held?limit=${SHELF}`, context),
    staleTime: 0,
  })

export const decideHeld = (heldId: string, decision: { action: 'approve' } | { action: 'reject'; rule: RuleKey }) =>
  apiSend<object>('POST', `${base}/held/${id(heldId)}/decision`, decision)

export const banPreviewQuery = (target: BanTarget) =>
  queryOptions({
    queryKey: ['admin', 'ban-preview', target],
    queryFn: ({ signal }) => apiSend<BanPreview>('POST', `${base}/bans/preview`, { target }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

export const createBan = (input: BanInput) => apiSend<object>('POST', `${base}/bans`, input)
