import { NOTEBOOK_LIVE_MAX, NOTEBOOK_REFRESH_MS } from '@shinobi/contract/limits'
import type { ThreadPosition } from '@shinobi/contract/threads'
import { queryOptions, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiGet } from '../../lib/api-client.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { changeAll, notePosition } from './changes.ts'
import { callsOf, latestFirst, type Positions } from './rows.ts'

const positionsQuery = (ids: readonly string[], isLive: boolean) =>
  queryOptions({
    queryKey: ['threads', 'positions', ids],
    queryFn: async (context) => {
      const positions = await apiGet<ThreadPosition[]>(`/api/threads/positions?ids=${ids.join(',')}`, context)
      // Without its storage the notebook shows the answer all the same.
      changeAll(positions, notePosition).catch(() => {})
      return positions
    },
    ...(isLive && {
      refetchOnMount: 'always' as const,
      refetchInterval: NOTEBOOK_REFRESH_MS,
      refetchOnWindowFocus: 'always' as const,
      refetchOnReconnect: 'always' as const,
    }),
    // While another set of threads is asked for, the answers about the known ones stay.
    placeholderData: (previous) => previous,
  })

export interface PositionsAnswer {
  readonly positions: Positions
  /** Every call was answered or has failed. */
  readonly isSettled: boolean
  /** The last attempt failed: the positions are old, or none. */
  readonly isStale: boolean
}

/** Stable, so that equal results stay the same object. */
const combine = (results: readonly UseQueryResult<ThreadPosition[]>[]) => ({
  told: results.map(({ data }) => data),
  isSettled: results.every(({ isFetched }) => isFetched),
  isStale: results.some(({ isError, failureCount }) => isError || failureCount > 0),
})

/** Where the threads of some records stand. `isLive`: kept up to date while the page is visible. */
export function usePositions(records: readonly ThreadRecord[], isLive: boolean): PositionsAnswer {
  const key = callsOf(latestFirst(records).slice(0, NOTEBOOK_LIVE_MAX)).join(';')
  const calls = useMemo(() => (key === '' ? [] : key.split(';').map((call) => call.split(','))), [key])
  const { told, ...state } = useQueries({ queries: calls.map((ids) => positionsQuery(ids, isLive)), combine })
  const positions = useMemo(
    () => new Map(told.flatMap((list) => list ?? []).map((position) => [position._id, position])),
    [told],
  )
  return { positions, ...state }
}
