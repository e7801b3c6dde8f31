import type { ThreadAnswers } from '@shinobi/contract/posts'
import { queryOptions } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'
import { withAnswers, type KnownAnswers } from './back-links.ts'
import { knownChanges, postKeys, threadPartApi } from './posts-query.ts'

/** Which posts of the whole thread answer which. */
export const answersQuery = (threadId: string) =>
  queryOptions({
    queryKey: [...postKeys.thread(threadId), 'answers'],
    queryFn: async (context): Promise<KnownAnswers> => {
      const { client, queryKey } = context
      const path = threadPartApi(threadId, 'answers', new URLSearchParams(), knownChanges(client, threadId))
      const told = await apiGet<ThreadAnswers>(path, context)
      // Posts go on arriving meanwhile.
      return withAnswers(told, client.getQueryData<KnownAnswers>(queryKey)?.later ?? [])
    },
  })
