/** Pure rules of lists that follow the board while they are open. */
import type { ThreadItem } from '@shinobi/contract/threads'
import type { InfiniteData } from '@tanstack/react-query'
import type { ApiPage } from '../../lib/api-client.ts'

export type ListData = InfiniteData<ApiPage<ThreadItem>>

/** Whether a thread is above the order by age. */
const isAbove = (thread: ThreadItem, category: string | null): boolean =>
  category === null ? thread.pinned === 'board' : thread.pinned !== null

/**
 * The threads of a first page that are newer than all that the list shows, newest first. (Older
 * ones that it does not show belong to the next page.) Ids sort by age.
 */
export function newerThreads(data: ListData, fresh: ApiPage<ThreadItem>): ThreadItem[] {
  const shown = data.pages.flatMap(({ items }) => items.map(({ _id }) => _id))
  const newest = shown.reduce((latest, id) => (id > latest ? id : latest), '')
  return fresh.items.filter(({ _id }) => _id > newest).toSorted((a, b) => (a._id < b._id ? 1 : -1))
}

/** What others change in a row while it is shown. */
const CHANGING = ['postCount', 'lastPostAt', 'likes', 'locked', 'closedAt'] as const

/** Takes over the counts of a first page in the rows shown, and keeps their order. */
export function withCounts(data: ListData, fresh: ApiPage<ThreadItem>): ListData {
  const byId = new Map(fresh.items.map((thread) => [thread._id, thread]))
  let isSame = true
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((shown) => {
      const now = byId.get(shown._id)
      // An answer that was cached before an own post has the lower count.
      if (now === undefined || now.postCount < shown.postCount) return shown
      if (CHANGING.every((key) => shown[key] === now[key])) return shown
      isSame = false
      return { ...shown, ...Object.fromEntries(CHANGING.map((key) => [key, now[key]])) }
    }),
  }))
  return isSame ? data : { ...data, pages }
}

/**
 * The list with its new threads, below those that are pinned. When none of the page was shown
 * before, there may be more between: the page replaces the list.
 */
export function withNewer(data: ListData, fresh: ApiPage<ThreadItem>, category: string | null): ListData {
  const newer = newerThreads(data, fresh)
  const [first, ...others] = data.pages
  const isConnected = fresh.next === null || fresh.items.length > newer.length + countAbove(fresh.items, category)
  if (first === undefined || !isConnected) return { pages: [fresh], pageParams: [null] }
  const place = countAbove(first.items, category)
  const items = [...first.items.slice(0, place), ...newer, ...first.items.slice(place)]
  return { ...data, pages: [{ ...first, items }, ...others] }
}

const countAbove = (items: readonly ThreadItem[], category: string | null): number => {
  const index = items.findIndex((thread) => !isAbove(thread, category))
  return index === -1 ? items.length : index
}
