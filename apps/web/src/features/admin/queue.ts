/** How much waits for whoever runs the board, for the badges of the menu. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiGet } from '../../lib/api-client.ts'
import { onQueueChanged, openQueueLine } from '../../lib/queue-line.ts'

export interface QueueCounts {
  cases: number
  held: number
  /** Stories that wait for approval; 0 for whoever is no administrator. */
  news: number
}

/** @param userId whose: what one moderator sees is not what another does */
export const queueQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', userId, 'queue'],
    queryFn: (context) => apiGet<QueueCounts>('/api/admin/queue', context),
    staleTime: 0,
  })

/** The counts, kept up to date as long as something shows them. */
export function useQueueCounts(userId: string) {
  const client = useQueryClient()
  useEffect(() => {
    const { queryKey } = queueQuery(userId)
    const stopHearing = onQueueChanged(() => void client.invalidateQueries({ queryKey }))
    const close = openQueueLine()
    return () => {
      stopHearing()
      close()
    }
  }, [client, userId])
  return useQuery(queueQuery(userId))
}
