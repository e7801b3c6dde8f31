import type { AnswerOf } from '@shinobi/contract/common'
import type { makePhrase as makePhraseCall, Scroll } from '@shinobi/contract/scroll'
import { queryOptions } from '@tanstack/react-query'
import { apiGet, apiSend } from '../../lib/api-client.ts'

const URL = '/api/scroll'

/** @param userId of the member; null for a browser without a session */
export const scrollQuery = (userId: string | null) =>
  queryOptions({
    queryKey: ['scroll', userId],
    queryFn: (context) => apiGet<Scroll>(URL, context),
    // The day may have ended, or a post been written, since it was shown.
    staleTime: 0,
  })

export const makePhrase = () => apiSend<AnswerOf<typeof makePhraseCall>>('POST', `${URL}/phrase`)
export const revokePhrase = () => apiSend('DELETE', `${URL}/phrase`)
export const claimPhrase = (phrase: string) => apiSend<Scroll>('POST', `${URL}/claim`, { phrase })
export const joinScrolls = () => apiSend<Scroll>('POST', `${URL}/join`)
