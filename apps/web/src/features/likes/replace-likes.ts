/**
 * Applies new counts of likes everywhere in the cache: lists, trending, a thread, windows of posts
 * and popovers all store threads and posts as the API gave them, with `_id` and `likes`. Ids that
 * are not on this page are ignored.
 */
import type { Query, QueryClient } from '@tanstack/react-query'

/** The new count of an item, by its id and current count. */
export type CountOf = (id: string, likes: number) => number

/**
 * Returns the same value when nothing in it changes, so that only components with a changed count
 * are rendered again.
 */
export function withLikes<T>(value: T, countOf: CountOf): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const next = value.map((item: unknown) => withLikes(item, countOf))
    return next.some((item, index) => item !== value[index]) ? (next as T) : value
  }
  let next: Record<string, unknown> | null = null
  for (const [key, part] of Object.entries(value)) {
    const changed = withLikes<unknown>(part, countOf)
    if (changed !== part) next = { ...(next ?? value), [key]: changed }
  }
  if ('_id' in value && 'likes' in value && typeof value._id === 'string' && typeof value.likes === 'number') {
    const likes = countOf(value._id, value.likes)
    if (likes !== value.likes) next = { ...(next ?? value), likes }
  }
  return (next as T | null) ?? value
}

/** Applies the counts to the whole cache. */
export function replaceLikes(client: QueryClient, likes: Readonly<Record<string, number>>): void {
  const countOf: CountOf = (id, count) => (Object.hasOwn(likes, id) ? likes[id]! : count)
  for (const query of client.getQueryCache().getAll()) recount(client, query, countOf)
}

/**
 * Applies the counts to one answer. Its age stays the same, because everything else in it is as old
 * as before.
 */
export function recount(client: QueryClient, { queryKey, state }: Query, countOf: CountOf): void {
  const data = withLikes(state.data, countOf)
  if (data !== state.data) client.setQueryData(queryKey, data, { updatedAt: state.dataUpdatedAt })
}
