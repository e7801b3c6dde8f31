/** Counts of waiting items for moderators and administrators, for the badges of the menu. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiGet } from '../../lib/api-client.ts'
import { onQueueChanged } from '../moderation/queue-changes.ts'

export interface QueueCounts {
  cases: number
  held: number
  /** Stories that wait for approval; 0 for users who are not administrators. */
  news: number
}

/** @param userId for the query key: moderators differ in what they may see */
export const queueQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', userId, 'queue'],
    queryFn: (context) => apiGet<QueueCounts>('/api/admin/queue', context),
    staleTime: 0,
  })

/** The counts, kept up to date while a component shows them. */
export function useQueueCounts(userId: string) {
  const client = useQueryClient()
  useEffect(() => {
    const { queryKey } = queueQuery(userId)
    return onQueueChanged(() => void client.invalidateQueries({ queryKey }))
  }, [client, userId])
  return useQuery(queueQuery(userId))
}
