import type { Thread } from '@shinobi/contract/threads'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, apiGet } from '../../lib/api-client.ts'
import { forgetThreadLists, threadKeys, threadQuery } from './api.ts'

/**
 * Reads a thread again after something about it changed; counts that moved on meanwhile stay. Resolves with false when it is gone:
 * then whatever showed it is forgotten, too.
 */
export async function rereadThread(client: QueryClient, threadId: string): Promise<boolean> {
  const { queryKey } = threadQuery(threadId)
  try {
    const fresh = await apiGet<Thread>(`/api/threads/${encodeURIComponent(threadId)}`)
    client.setQueryData(queryKey, (known) =>
      known === undefined
        ? fresh
        : {
            ...fresh,
            postCount: Math.max(known.postCount, fresh.postCount),
            revision: Math.max(known.revision, fresh.revision),
          },
    )
  } catch (error) {
    // Offline or busy: the next change, or the next visit, reads it.
    if (!(error instanceof ApiError) || error.status !== 404) return true
    client.removeQueries({ queryKey })
    await forgetThreadLists(client)
    return false
  }
  // Its title, seals and place in the lists may be others now.
  await client.invalidateQueries({ queryKey: threadKeys.lists, refetchType: 'none' })
  return true
}
