/**
 * New counts of likes, wherever the page holds them: lists, trending, a thread, windows of posts and slips all keep threads and posts
 * as the API gave them, with `_id` and `likes`. Ids of things that are not on this page are ignored.
 */
import type { QueryClient } from '@tanstack/react-query'

type LikesById = Readonly<Record<string, number>>

/** The same value when nothing in it changes, so that only what shows a changed count is drawn again. */
export function withLikes<T>(value: T, likes: LikesById): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => withLikes(item, likes))
    return next.some((item, index) => item !== value[index]) ? (next as T) : value
  }
  let next: Record<string, unknown> | null = null
  for (const [key, part] of Object.entries(value)) {
    const changed = withLikes<unknown>(part, likes)
    if (changed !== part) next = { ...(next ?? value), [key]: changed }
  }
  if ('_id' in value && 'likes' in value && typeof value._id === 'string') {
    const count = Object.hasOwn(likes, value._id) ? likes[value._id] : undefined
    if (count !== undefined && count !== value.likes) next = { ...(next ?? value), likes: count }
  }
  return (next as T | null) ?? value
}

export function replaceLikes(client: QueryClient, likes: LikesById): void {
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    const data = withLikes(state.data, likes)
    // No fresher than it was: everything else in it is as old as before.
    if (data !== state.data) client.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
  }
}
