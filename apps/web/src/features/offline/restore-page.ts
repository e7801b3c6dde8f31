import type { Thread } from '@shinobi/contract/threads'
import type { QueryClient } from '@tanstack/react-query'
import { summaryQuery } from '../news/api.ts'
import { pagesOf, type PostPages } from '../posts/api.ts'
import { postsInfiniteQuery } from '../posts/posts-query.ts'
import type { PostRange } from '../posts/post-address.ts'
import type { KeptPage } from '../reading/kept-page.ts'
import { loadDatabase } from '../reading/store.ts'
import { threadQuery } from '../threads/api.ts'

const readPage = async (threadId: string): Promise<KeptPage | undefined> => (await loadDatabase()).readPage(threadId)

/** Puts a thread that this browser keeps into the cache; undefined where it keeps none. */
export async function restoreThread(client: QueryClient, threadId: string): Promise<Thread | undefined> {
  const page = await readPage(threadId)
  if (page === undefined) return undefined
  // Old: the page asks the server all the same.
  const updatedAt = 0
  const thread: Thread = { ownerActions: [], ...page.thread }
  client.setQueryData(threadQuery(threadId).queryKey, thread, { updatedAt })
  if (page.summary !== null) client.setQueryData(summaryQuery(threadId).queryKey, page.summary, { updatedAt })
  return thread
}

/** Puts the kept posts of a thread into the cache, as the window that the page shows. */
export async function restorePosts(client: QueryClient, threadId: string, range: PostRange): Promise<void> {
  const page = await readPage(threadId)
  if (page === undefined) return
  client.setQueryData<PostPages>(
    postsInfiniteQuery(threadId, range).queryKey,
    pagesOf({ start: page.start, posts: page.posts }, page.known),
  )
}
