import { useMemo, useSyncExternalStore } from 'react'
import { noUnsentPosts, subscribeUnsent, unsentPosts, type ShownPost } from './unsent.ts'

/** The unsent posts of a thread; empty while hydrating. */
export function useUnsent(threadId: string): readonly ShownPost[] {
  const all = useSyncExternalStore(subscribeUnsent, unsentPosts, noUnsentPosts)
  return useMemo(() => all.filter((post) => post.threadId === threadId), [all, threadId])
}
