/**
 * Looks for what is new, by calls that are the same for everybody: positions of threads, which
 * posts of a thread answer which, and the newest threads. Only this browser knows what it watches.
 */
import { POSITIONS_MAX, PAGE_SIZE_MAX } from '@shinobi/contract/limits'
import type { ThreadAnswers } from '@shinobi/contract/posts'
import type { ThreadItem, ThreadPosition } from '@shinobi/contract/threads'
import { apiGet } from '../../lib/api-client.ts'
import { changeAll, notePosition } from '../notebook/changes.ts'
import { callsOf, latestFirst } from '../notebook/rows.ts'
import { readStored } from '../../lib/storage.ts'
import { readRecords, type ThreadRecord } from '../reading/store.ts'
import {
  addAlerts,
  answersAfter,
  isWatched,
  keywordIn,
  withoutGone,
  type StoredAlert,
  type Watching,
} from './alerts.ts'
import { changeWatching, readWatching } from './store.ts'

/** Time between two looks, of all tabs together. */
export const LOOK_EVERY_MS = 60_000
/** Threads whose answers one look reads: the others follow with the next ones. */
const ANSWERS_AT_ONCE = 10

/**
 * Of the threads without news whose answers an open list reads, the one that was read last: the
 * next look continues after it.
 */
let readAgainLast = ''

const hasOwnPosts = ({ ownPosts }: ThreadRecord) => ownPosts.length > 0

/** Looks, unless a tab has done so lately. A failure is left to the next look. */
export async function look(now: number, isDue = true): Promise<void> {
  const before = readWatching()
  if (!isDue && now - before.lookedAt < LOOK_EVERY_MS && now >= before.lookedAt) return
  const records = await readRecords()
  const latestOf = (isAsked: (record: ThreadRecord) => boolean) =>
    latestFirst(records.filter(isAsked)).slice(0, POSITIONS_MAX)
  // Both have their share: a quiet watched thread is old among those that the visitor writes in.
  const watched = latestOf((record) => isWatched(before, record))
  const own = latestOf((record) => hasOwnPosts(record) && !isWatched(before, record))
  const asked = [...watched, ...own]
  if (asked.length === 0 && before.keywords.length === 0) return
  changeWatching((watching) => ({ ...watching, lookedAt: now }))
  const positions = await readPositions(asked)
  const removed = new Set(Array.from(positions.values(), ({ _id, state }) => (state === 'removed' ? _id : '')))
  changeWatching((watching) => {
    const alerts = watching.alerts.filter(({ threadId }) => !removed.has(threadId))
    return alerts.length === watching.alerts.length ? watching : { ...watching, alerts }
  })
  await Promise.all([lookForAnswers(asked.filter(hasOwnPosts), positions, isDue), lookForThreads(records)])
}

async function readPositions(records: readonly ThreadRecord[]): Promise<ReadonlyMap<string, ThreadPosition>> {
  const calls = callsOf(records).map((ids) => apiGet<ThreadPosition[]>(`/api/threads/positions?ids=${ids.join(',')}`))
  const positions = (await Promise.all(calls)).flat()
  await changeAll(positions, notePosition)
  return new Map(positions.map((position) => [position._id, position]))
}

const throughOf = (watching: Watching, { threadId, readThrough }: ThreadRecord): number =>
  watching.answersThrough[threadId] ?? readThrough

async function lookForAnswers(
  records: readonly ThreadRecord[],
  positions: ReadonlyMap<string, ThreadPosition>,
  isDue: boolean,
): Promise<void> {
  const watching = readWatching()
  // An open list does not show answers that were removed meanwhile.
  const told = new Set(isDue ? watching.alerts.map(({ kind, threadId }) => (kind === 'answer' ? threadId : '')) : [])
  const there = records.flatMap((record) => {
    const position = positions.get(record.threadId)
    if (position === undefined || position.state === 'removed') return []
    return [{ record, position, isNew: position.postCount > throughOf(watching, record) }]
  })
  const again = there.filter(({ record, isNew }) => !isNew && told.has(record.threadId))
  const next = again.findIndex(({ record }) => record.threadId === readAgainLast) + 1
  const asked = [...there.filter(({ isNew }) => isNew), ...again.slice(next), ...again.slice(0, next)]
  for (const { record, position, isNew } of asked.slice(0, ANSWERS_AT_ONCE)) {
    const { threadId, ownPosts } = record
    if (!isNew) readAgainLast = threadId
    const read = await apiGet<ThreadAnswers>(`/api/threads/${threadId}/answers`)
    const { answers, through } = read
    const news = answersAfter(answers, ownPosts, throughOf(readWatching(), record)).map(({ number }) => number)
    const hidden = await hiddenAmong(threadId, news)
    changeWatching((before) => {
      const found = answersAfter(answers, ownPosts, throughOf(before, record)).filter(
        ({ number }) => !hidden.has(number),
      )
      const at = Date.parse(position.lastPostAt)
      const alerts = found.map((answer): StoredAlert => ({
        ...{ kind: 'answer', threadId, title: position.title, ...answer, at },
      }))
      return {
        ...before,
        answersThrough: { ...before.answersThrough, [threadId]: Math.max(through, throughOf(before, record)) },
        alerts: addAlerts(withoutGone(before.alerts, threadId, read), alerts),
      }
    })
  }
}

const hasRules = (): boolean => readStored('hiding') !== null

/** What the visitor hides (NG) is not told. */
async function hiddenAmong(threadId: string, numbers: readonly number[]): Promise<ReadonlySet<number>> {
  if (numbers.length === 0 || !hasRules()) return new Set()
  return (await import('./hidden-answers.ts')).findHiddenAnswers(threadId, numbers)
}

async function lookForThreads(records: readonly ThreadRecord[]): Promise<void> {
  if (readWatching().keywords.length === 0) return
  const threads = await apiGet<ThreadItem[]>(`/api/threads?sort=newest&limit=${PAGE_SIZE_MAX}`)
  const own = new Set(records.filter(({ isOwn }) => isOwn).map(({ threadId }) => threadId))
  const isShown = hasRules() ? await (await import('../hiding/shown-titles.ts')).createTitleFilter() : () => true
  changeWatching((before) => {
    const since = before.threadsThrough ?? Infinity
    const alerts = threads.flatMap(({ _id: threadId, title, createdAt }): StoredAlert[] => {
      const at = Date.parse(createdAt)
      if (at <= since || own.has(threadId) || !isShown({ title })) return []
      const keyword = keywordIn(title, before.keywords)
      return keyword === undefined ? [] : [{ kind: 'keyword', threadId, title, keyword, at }]
    })
    const newest = Math.max(0, ...threads.map(({ createdAt }) => Date.parse(createdAt)))
    return {
      ...before,
      threadsThrough: Math.max(before.threadsThrough ?? 0, newest),
      alerts: addAlerts(before.alerts, alerts),
    }
  })
}
