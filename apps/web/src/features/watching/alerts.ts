/** 矢文: what a visitor is told about answers, watched threads and new threads; pure. */
import type { ThreadAnswers } from '@shinobi/contract/posts'
import type { PushRegistration } from '@shinobi/contract/push'
import { foldForSearch } from '@shinobi/text/fold'
import type { ThreadRecord } from '../reading/store.ts'

export interface AnswerAlert {
  readonly kind: 'answer'
  readonly threadId: string
  readonly title: string
  /** The answer, and the post of this browser that it answers. */
  readonly number: number
  readonly answered: number
  /** Milliseconds. */
  readonly at: number
}

export interface KeywordAlert {
  readonly kind: 'keyword'
  readonly threadId: string
  readonly title: string
  readonly keyword: string
  readonly at: number
}

/** What is stored: the other kind of alerts follows from the records. */
export type StoredAlert = (AnswerAlert | KeywordAlert) & { readonly isRead?: boolean }

/** New posts of a watched thread, the first of them and how many. */
export interface PostsAlert {
  readonly kind: 'posts'
  readonly threadId: string
  readonly title: string
  readonly number: number
  readonly count: number
  readonly at: number
}

export type Alert = (AnswerAlert | KeywordAlert | PostsAlert) & { readonly isRead: boolean }

/**
 * What is watched, and what was told: kept in this browser only, unless the visitor registers it
 * for notices (push.ts).
 */
export interface Watching {
  /** Threads that are watched by their own switch. */
  readonly threads: readonly string[]
  /** Whether all favourites are watched. */
  readonly favourites: boolean
  /** As typed. */
  readonly keywords: readonly string[]
  /** Per thread the number of its last post that is no news. */
  readonly seen: Readonly<Record<string, number>>
  /** Per thread with own posts the number through which answers were looked for. */
  readonly answersThrough: Readonly<Record<string, number>>
  /** Milliseconds of the newest thread whose title was compared; null before the first time. */
  readonly threadsThrough: number | null
  /** Milliseconds of the last look. */
  readonly lookedAt: number
  /** The newest first. */
  readonly alerts: readonly StoredAlert[]
  /** What is told while no page is open, by a registration on the server; null for nothing. */
  readonly push: PushWishes | null
}

export const NOTHING_WATCHED: Watching = {
  threads: [],
  favourites: false,
  keywords: [],
  seen: {},
  answersThrough: {},
  threadsThrough: null,
  lookedAt: 0,
  alerts: [],
  push: null,
}

/** Alerts that are kept: nobody reads further back. */
export const ALERTS_MAX = 100

/** What a visitor wants to be told while no page is open. */
export interface PushWishes extends Pick<PushRegistration, 'token' | 'answers' | 'titles' | 'quiet' | 'perHour'> {
  /** New posts of watched threads. */
  readonly posts: boolean
  /** New threads with a watched word. */
  readonly words: boolean
}

const idOf = (alert: StoredAlert): string => `${alert.threadId} ${alert.kind === 'answer' ? alert.number : 'new'}`

/** Adds alerts; one about the same post or thread stays as it is. */
export function addAlerts(known: readonly StoredAlert[], found: readonly StoredAlert[]): readonly StoredAlert[] {
  const ids = new Set(known.map(idOf))
  const added = found.filter((alert) => !ids.has(idOf(alert)))
  if (added.length === 0) return known
  return [...known, ...added].toSorted((a, b) => b.at - a.at).slice(0, ALERTS_MAX)
}

/** Without the answers of a thread that are not there any more, as far as it was read. */
export function withoutGone(
  known: readonly StoredAlert[],
  threadId: string,
  { answers, through }: ThreadAnswers,
): readonly StoredAlert[] {
  const isGone = (alert: StoredAlert) =>
    alert.kind === 'answer' &&
    alert.threadId === threadId &&
    alert.number <= through &&
    answers[alert.answered]?.includes(alert.number) !== true
  return known.some(isGone) ? known.filter((alert) => !isGone(alert)) : known
}

/** Answers by others to own posts, after a number. An answer to several of them is one. */
export function answersAfter(
  answers: Readonly<Record<string, readonly number[]>>,
  ownPosts: readonly number[],
  after: number,
): { number: number; answered: number }[] {
  const own = new Set(ownPosts)
  const found = new Map<number, number>()
  for (const answered of ownPosts) {
    for (const number of answers[answered] ?? []) {
      if (number > after && !own.has(number) && !found.has(number)) found.set(number, answered)
    }
  }
  return Array.from(found, ([number, answered]) => ({ number, answered }))
}

/** The first keyword that a title contains, without regard to width, case and kana. */
export function keywordIn(title: string, keywords: readonly string[]): string | undefined {
  const folded = foldForSearch(title)
  return keywords.find((keyword) => {
    const word = foldForSearch(keyword)
    return word !== '' && folded.includes(word)
  })
}

export const isWatched = (watching: Watching, record: ThreadRecord): boolean =>
  watching.threads.includes(record.threadId) || (watching.favourites && record.favouriteAt !== null)

/** All alerts, the newest first. What was read in its thread is read here too. */
export function alertsOf(watching: Watching, records: readonly ThreadRecord[]): Alert[] {
  const known = new Map(records.map((record) => [record.threadId, record]))
  const stored = watching.alerts.map((alert): Alert => {
    const record = known.get(alert.threadId)
    const wasOpened =
      alert.kind === 'answer'
        ? (record?.readThrough ?? 0) >= alert.number
        : record !== undefined && record.visitedAt !== null
    return { ...alert, isRead: alert.isRead === true || wasOpened }
  })
  const news = records.flatMap((record): Alert[] => {
    if (record.isGone || !isWatched(watching, record)) return []
    const through = Math.max(record.readThrough, watching.seen[record.threadId] ?? 0)
    const count = record.postCount - through
    if (count <= 0) return []
    const { threadId, title, lastPostAt = record.updatedAt } = record
    return [{ kind: 'posts', threadId, title, number: through + 1, count, at: lastPostAt, isRead: false }]
  })
  return [...stored, ...news].toSorted((a, b) => b.at - a.at)
}

export const unreadAlerts = (alerts: readonly Alert[]): number => alerts.filter(({ isRead }) => !isRead).length

/** Everything is read, through what the records know now. */
export function markAllRead(watching: Watching, records: readonly ThreadRecord[]): Watching {
  const watched = records.filter((record) => isWatched(watching, record))
  return {
    ...watching,
    seen: { ...watching.seen, ...Object.fromEntries(watched.map((record) => [record.threadId, record.postCount])) },
    alerts: watching.alerts.map((alert) => ({ ...alert, isRead: true })),
  }
}
