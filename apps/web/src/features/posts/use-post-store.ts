import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { fetchPosition, fetchPosts, pagesOf, postKeys, windowOf, type PostPages } from './api.ts'
import { isLatest, type PostRange } from './post-address.ts'
import type { Position } from './post-log.ts'
import { PostStore, type PostWindow, type StoreView } from './post-store.ts'

const keyOf = (threadId: string, range: PostRange) => postKeys.window(threadId, isLatest(range) ? 'last' : range.after)

/** Flattening is repeated for every event otherwise. */
const windows = new WeakMap<PostPages, PostWindow>()

export function cachedWindow(data: PostPages): PostWindow {
  const known = windows.get(data)
  if (known !== undefined) return known
  const window = windowOf(data)
  windows.set(data, window)
  return window
}

function createStore(
  client: QueryClient,
  threadId: string,
  range: PostRange,
  thread: Position,
  onPosition: (position: Position) => void,
): PostStore {
  const key = keyOf(threadId, range)
  const data = () => client.getQueryData<PostPages>(key)
  const first = data()
  let last: PostWindow = first === undefined ? { start: 0, posts: [] } : cachedWindow(first)
  return new PostStore(
    {
      read() {
        const now = data()
        if (now !== undefined) last = cachedWindow(now)
        return last
      },
      write(window, known) {
        last = window
        client.setQueryData<PostPages>(key, pagesOf(window, known))
      },
      fetchPosts: (query) => fetchPosts(threadId, query),
      fetchPosition: () => fetchPosition(threadId),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onPosition,
    },
    first?.known ?? thread,
  )
}

/** The store of a window whose posts are in the query cache already. Give a key to what uses it: one window, one store. */
export function usePostStore(
  threadId: string,
  range: PostRange,
  thread: Position,
  onPosition: (position: Position) => void,
): { store: PostStore; view: StoreView } {
  const client = useQueryClient()
  const [store] = useState(() => createStore(client, threadId, range, thread, onPosition))
  const view = useSyncExternalStore(store.subscribe, store.view, store.view)
  const { postCount, revision } = thread
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  useEffect(() => store.learn({ postCount, revision }), [store, postCount, revision])
  return { store, view }
}
