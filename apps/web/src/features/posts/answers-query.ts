import type { ThreadAnswers } from '@shinobi/contract/posts'
import { queryOptions } from '@tanstack/react-query'
import { apiGet } from '../../lib/api-client.ts'
import { knownChanges, postKeys, threadPartApi } from './posts-query.ts'

/** Which posts of the whole thread answer which. */
export const answersQuery = (threadId: string) =>
  queryOptions({
    queryKey: [...postKeys.thread(threadId), 'answers'],
    queryFn: (context) => {
      const changes = knownChanges(context.client, threadId)
      return apiGet<ThreadAnswers>(threadPartApi(threadId, 'answers', new URLSearchParams(), changes), context)
    },
  })
