/**
 * The view of a thread list is stored in the page's address: ?search= &sort= &cursor=, and the
 * filter of a search: &within= &name= &image=.
 */
import type { SearchPeriod, ThreadSort } from '@shinobi/contract/threads'

/**
 * The server's orders, and `unread`: rows in the order of their last posts, of which the browser
 * puts those with unread posts first (use-unread-first.ts).
 */
export type ListSort = ThreadSort | 'unread'

/** Sort orders of a list with their labels, the default first. */
export const SORTS: readonly { value: ListSort; label: string }[] = [
  { value: 'newest', label: '新着順' },
  { value: 'oldest', label: '古い順' },
  { value: 'popular', label: '投稿数順' },
  { value: 'liked', label: 'いいね順' },
  { value: 'speed', label: '勢い順' },
  { value: 'active', label: '最終レス順' },
  { value: 'unread', label: '未読順' },
]

/** Periods of a search with their labels. */
export const PERIODS: readonly { value: SearchPeriod; label: string }[] = [
  { value: 'day', label: '24時間以内' },
  { value: 'week', label: '7日以内' },
  { value: 'month', label: '30日以内' },
  { value: 'year', label: '1年以内' },
]

/** The posts among which a search looks. */
export interface SearchFilter {
  within: SearchPeriod | null
  /** A part of the writer's name; '' for all. */
  name: string
  /** Only posts with an image. */
  image: boolean
}

export interface ListView {
  search: string
  sort: ListSort
  /** Where the list starts; null is the beginning. */
  cursor: string | null
  /** Missing when nothing is filtered, and always without words. */
  filter?: SearchFilter
}

/** The filter in an address or a form; undefined for none. Unknown values filter nothing. */
export function readFilter(parameters: Pick<URLSearchParams, 'get'>): SearchFilter | undefined {
  const within = PERIODS.find(({ value }) => value === parameters.get('within'))?.value ?? null
  const name = parameters.get('name')?.trim() ?? ''
  const image = parameters.get('image') === '1'
  return within === null && name === '' && !image ? undefined : { within, name, image }
}

export function readListView(parameters: URLSearchParams): ListView {
  const sort = parameters.get('sort')
  const search = parameters.get('search')?.trim() ?? ''
  const filter = search === '' ? undefined : readFilter(parameters)
  return {
    search,
    sort: SORTS.find(({ value }) => value === sort)?.value ?? 'newest',
    cursor: parameters.get('cursor') || null,
    ...(filter !== undefined && { filter }),
  }
}

/**
 * The query of a view, without defaults, so that equal views have equal addresses (and share a
 * cached answer).
 */
export function listQuery({ search, sort, cursor, filter }: ListView): string {
  const parameters = new URLSearchParams()
  if (search !== '') parameters.set('search', search)
  if (sort !== 'newest') parameters.set('sort', sort)
  if (cursor !== null) parameters.set('cursor', cursor)
  if (search !== '' && filter !== undefined) {
    if (filter.within !== null) parameters.set('within', filter.within)
    if (filter.name !== '') parameters.set('name', filter.name)
    if (filter.image) parameters.set('image', '1')
  }
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

/** The cursor in an API path of a Link header. */
export const cursorOf = (path: string | null): string | null =>
  path === null ? null : new URL(path, 'http://board').searchParams.get('cursor')
