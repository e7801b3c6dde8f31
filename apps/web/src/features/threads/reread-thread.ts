import type { Thread } from '@shinobi/contract/threads'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, apiGet } from '../../lib/api-client.ts'
import { forgetThreadLists, threadKeys, threadQuery } from './api.ts'

/**
 * Fetches a thread again after it was changed; counts that rose meanwhile are kept. Resolves with
 * false when it is gone; its cached data is then removed, too.
 */
export async function rereadThread(client: QueryClient, threadId: string): Promise<boolean> {
  const { queryKey } = threadQuery(threadId)
  const before = client.getQueryData(queryKey)
  // An address of its own: a cache in front must not answer with a copy from before the change.
  const search = before === undefined ? '' : `?changes=${before.revision - before.postCount}`
  try {
    const fresh = await apiGet<Thread>(`/api/threads/${encodeURIComponent(threadId)}${search}`)
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
    // Offline or busy: the next change or visit fetches it.
    if (!(error instanceof ApiError) || error.status !== 404) return true
    client.removeQueries({ queryKey })
    await forgetThreadLists(client)
    return false
  }
  // Its title, seals and place in the lists may have changed.
  await client.invalidateQueries({ queryKey: threadKeys.lists, refetchType: 'none' })
  return true
}
