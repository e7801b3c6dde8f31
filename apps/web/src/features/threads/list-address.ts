/** What a thread list shows stands in the page's address: ?search= &sort= &cursor=. */
import type { ThreadSort } from '@shinobi/contract/threads'

/** Orders of a list with their labels, the default first. */
export const SORTS: readonly { value: ThreadSort; label: string }[] = [
  { value: 'newest', label: '新着順' },
  { value: 'oldest', label: '古い順' },
  { value: 'popular', label: '投稿数順' },
  { value: 'liked', label: 'いいね順' },
]

export interface ListView {
  search: string
  sort: ThreadSort
  /** Where the list starts; null is the beginning. */
  cursor: string | null
}

export const LIST_PARAMETERS = ['search', 'sort', 'cursor'] as const

export function readListView(parameters: URLSearchParams): ListView {
  const sort = parameters.get('sort')
  return {
    search: parameters.get('search')?.trim() ?? '',
    sort: SORTS.find(({ value }) => value === sort)?.value ?? 'newest',
    cursor: parameters.get('cursor') || null,
  }
}

/** The query of a view, without defaults, so that equal views have equal addresses (and share a cached answer). */
export function listQuery({ search, sort, cursor }: ListView): string {
  const parameters = new URLSearchParams()
  if (search !== '') parameters.set('search', search)
  if (sort !== 'newest') parameters.set('sort', sort)
  if (cursor !== null) parameters.set('cursor', cursor)
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

/** The cursor in an API path of a Link header. */
export const cursorOf = (path: string | null): string | null =>
  path === null ? null : new URL(path, 'http://board').searchParams.get('cursor')
