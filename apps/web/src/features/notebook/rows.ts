/** The lists of the notebook, made of what this browser keeps and of what the server told; pure. */
import { POSITIONS_MAX } from '@shinobi/contract/limits'
import type { ThreadPosition } from '@shinobi/contract/threads'
import type { ThreadRecord } from '../reading/store.ts'

/** The lists in their order, the default first; `value` is ?list= in the page's address. */
export const LISTS = [
  { value: 'favourites', label: 'お気に入り' },
  { value: 'history', label: '履歴' },
  { value: 'threads', label: '自分のスレ' },
  { value: 'posts', label: '自分の書き込み' },
] as const
export type ListName = (typeof LISTS)[number]['value']

/** The tabs of the page: alerts (features/watching) are no list of threads. */
export const TABS = [{ value: 'alerts', label: '矢文' }, ...LISTS] as const
export type TabName = (typeof TABS)[number]['value']

export const readTabName = (parameters: URLSearchParams): TabName => {
  const list = parameters.get('list')
  return TABS.find(({ value }) => value === list)?.value ?? 'favourites'
}

export function isListed({ favouriteAt, visitedAt, isOwn, ownPosts }: ThreadRecord, list: ListName): boolean {
  switch (list) {
    case 'favourites':
      return favouriteAt !== null
    case 'history':
      return visitedAt !== null
    case 'threads':
      return isOwn
    case 'posts':
      return ownPosts.length > 0
  }
}

export type Positions = ReadonlyMap<string, ThreadPosition>

export interface NotebookRow {
  readonly threadId: string
  readonly title: string
  readonly postCount: number
  readonly unread: number
  /** Milliseconds; null where it is not known. */
  readonly lastPostAt: number | null
  readonly isRemoved: boolean
  readonly isLocked: boolean
  /** How many posts of the thread are this browser's. */
  readonly ownPosts: number
}

function toRow(record: ThreadRecord, position: ThreadPosition | undefined): NotebookRow {
  const { threadId, readThrough, ownPosts } = record
  const told = position === undefined || position.state === 'removed' ? null : position
  const postCount = Math.max(record.postCount, told?.postCount ?? 0)
  const isRemoved = position?.state === 'removed'
  const isGone = position === undefined ? record.isGone : isRemoved
  return {
    threadId,
    title: told?.title ?? record.title,
    postCount,
    unread: isGone ? 0 : Math.max(0, postCount - readThrough),
    lastPostAt: told === null ? (record.lastPostAt ?? null) : Date.parse(told.lastPostAt),
    isRemoved,
    isLocked: told?.state === 'locked',
    ownPosts: ownPosts.length,
  }
}

/** Unread threads first, then by the newest post. */
const byUrgency = (a: NotebookRow, b: NotebookRow): number =>
  Number(b.unread > 0) - Number(a.unread > 0) ||
  (b.lastPostAt ?? 0) - (a.lastPostAt ?? 0) ||
  (a.threadId < b.threadId ? 1 : -1)

export const rowsOf = (records: readonly ThreadRecord[], positions: Positions, list: ListName): NotebookRow[] =>
  records
    .filter((record) => isListed(record, list))
    .map((record) => toRow(record, positions.get(record.threadId)))
    .toSorted(byUrgency)

/**
 * Rows in the order in which they were shown, so that none moves under a finger while its numbers
 * change; new ones come first.
 */
export function keepOrder(rows: readonly NotebookRow[], order: readonly string[]): NotebookRow[] {
  const places = new Map(order.map((threadId, index) => [threadId, index]))
  return rows.toSorted((a, b) => (places.get(a.threadId) ?? -1) - (places.get(b.threadId) ?? -1))
}

export const unreadIn = (rows: readonly NotebookRow[]): number => rows.reduce((sum, { unread }) => sum + unread, 0)

/** The records of lists whose threads are asked about first: those touched last. */
export const latestFirst = (records: readonly ThreadRecord[]): ThreadRecord[] => {
  const at = ({ visitedAt, favouriteAt, updatedAt }: ThreadRecord) =>
    Math.max(visitedAt ?? 0, favouriteAt ?? 0, updatedAt)
  return records.toSorted((a, b) => at(b) - at(a))
}

/** Ids in calls of a bounded size; sorted, so that equal sets share an answer. */
export function callsOf(records: readonly ThreadRecord[]): string[][] {
  const ids = records.map(({ threadId }) => threadId).toSorted()
  const calls: string[][] = []
  for (let from = 0; from < ids.length; from += POSITIONS_MAX) calls.push(ids.slice(from, from + POSITIONS_MAX))
  return calls
}

/**
 * The next unread favourite after a thread, in the order of the newest posts and around its end, so
 * that all are reached, also where some are left unread. Without a thread: the first.
 */
export function nextUnread(
  records: readonly ThreadRecord[],
  positions: Positions,
  current: string | null,
): NotebookRow | null {
  const rows = records
    .filter((record) => isListed(record, 'favourites') || record.threadId === current)
    .map((record) => toRow(record, positions.get(record.threadId)))
    .toSorted((a, b) => (b.lastPostAt ?? 0) - (a.lastPostAt ?? 0) || (a.threadId < b.threadId ? 1 : -1))
  const from = rows.findIndex(({ threadId }) => threadId === current) + 1
  return [...rows.slice(from), ...rows.slice(0, from)].find((row) => row.unread > 0 && row.threadId !== current) ?? null
}
