/**
 * Keeps the notebook and the rules of hiding of this browser and of the member's account alike.
 * Loaded while somebody is logged in (follow-member.ts); what could not be sent waits here.
 */
import { NOTEBOOK_BATCH } from '@shinobi/contract/limits'
import type { StoredNotebook } from '@shinobi/contract/notebook'
import { isBare } from '@shinobi/contract/notebook-entry'
import { apiGet, apiSend } from '../../lib/api-client.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { subscribeRules } from '../hiding/rules-changed.ts'
import { emptyWaiting } from '../hiding/waiting.ts'
import { deltaOf } from '../reading/delta.ts'
import { mergeRecords } from '../reading/merge.ts'
import { newRecord } from '../reading/record.ts'
import { loadDatabase, readRecords, subscribeRecords, updateHere, type RecordChange } from '../reading/store.ts'
import { changeAll } from './changes.ts'
import { sendInBatches } from './send-batches.ts'
import * as hiding from './sync-hiding.ts'

const URL = '/api/notebook'
/** Names the member, because somebody else may have logged in meanwhile: then it is refused. */
const urlFor = (memberId: string): string => `${URL}?memberId=${memberId}`
/** What changes while somebody reads is sent together. */
const SEND_AFTER_MS = 3_000
const RETRY_AFTER_MS = 30_000
/** A change that comes after a failure waits as long from it at least. */
const PAUSE_MS = 10_000
/** How far a member's notebook has been read here: the member, and `since` of the last answer. */
const SINCE = 'notebookSince'

let member: string | null = null
let leave: (() => void) | null = null
let timer: ReturnType<typeof setTimeout> | undefined
/** Milliseconds of `performance.now()`, which no change of the clock moves. */
let dueAt = 0
let failedAt = -Infinity
const listeners = new Set<() => void>()

/** The listener is called when something was sent or read. */
export function subscribeSync(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function startSync(memberId: string): void {
  if (member === memberId) return
  stopSync()
  member = memberId
  const leaveRecords = subscribeRecords(() => later(SEND_AFTER_MS))
  const leaveRules = subscribeRules(() => later(SEND_AFTER_MS))
  const onVisibility = () => void (document.visibilityState === 'visible' ? syncNow() : send())
  const onOnline = () => void syncNow()
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('online', onOnline)
  leave = () => {
    leaveRecords()
    leaveRules()
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('online', onOnline)
  }
  void syncNow()
}

export function stopSync(): void {
  member = null
  leave?.()
  leave = null
  clearTimeout(timer)
  timer = undefined
}

function later(delayMs: number): void {
  const at = Math.max(performance.now() + delayMs, failedAt + PAUSE_MS)
  // A change does not wait for the retry of a failure before.
  if (timer !== undefined && dueAt <= at) return
  clearTimeout(timer)
  dueAt = at
  timer = setTimeout(() => {
    timer = undefined
    void send()
  }, at - performance.now())
}

async function send(): Promise<void> {
  await attempt(push)
  await attempt(pushHiding)
}

/** Sends what is waiting, and reads what other devices have sent. */
export async function syncNow(): Promise<void> {
  // All that waits goes now.
  clearTimeout(timer)
  timer = undefined
  await attempt(async (memberId) => {
    await push(memberId)
    await pull(memberId)
  })
  await attempt(pushHiding)
  // Also where nothing could be sent: what waits counts against what is read.
  await attempt((memberId) => hiding.pullHiding(memberId, () => member === memberId))
}

const pushHiding = (memberId: string): Promise<void> => hiding.pushHiding(memberId, () => member === memberId)

/**
 * One tab at a time, so that an entry is not sent twice. Browsers have locks on https and localhost
 * only.
 */
const alone = async (work: () => Promise<void>): Promise<void> =>
  navigator.locks === undefined ? work() : navigator.locks.request('notebook', work)

async function attempt(work: (memberId: string) => Promise<void>): Promise<void> {
  const memberId = member
  if (memberId === null) return
  try {
    await alone(() => work(memberId))
    for (const listener of listeners) listener()
  } catch {
    failedAt = performance.now()
    // Tried again then, with the next change, and when the network or the tab comes back.
    if (member === memberId) later(RETRY_AFTER_MS)
  }
}

async function push(memberId: string): Promise<void> {
  const database = await loadDatabase()
  await sendInBatches({
    limit: NOTEBOOK_BATCH,
    goesOn: () => member === memberId,
    read: (most) => database.readOutbox(memberId, most),
    send: (entries) => apiSend('POST', urlFor(memberId), { entries }, { background: true, keepalive: true }),
    drop: (entries) => database.dropFromOutbox(memberId, entries),
  })
}

async function pull(memberId: string): Promise<void> {
  for (let more = true; more && member === memberId;) {
    const [of, since = '0'] = (readStored(SINCE) ?? '').split(' ')
    const answer = await apiGet<StoredNotebook>(`${urlFor(memberId)}&since=${of === memberId ? since : 0}`)
    // Not after a log-out during the request.
    if (member !== memberId) return
    await changeAll(answer.entries, (told) => updateHere(told.entry.threadId, adding(told)))
    writeStored(SINCE, `${memberId} ${answer.since}`)
    more = answer.more
  }
}

/** Merges what another device has told into the record of this browser. */
export function adding({ entry, thread }: StoredNotebook['entries'][number]): RecordChange {
  const { forgottenAt, ...told } = entry
  return (before) => {
    const isForgotten = before !== undefined && forgottenAt !== undefined && before.updatedAt <= forgottenAt
    const kept = isForgotten ? undefined : before
    // There is nothing to show of a thread that was removed.
    if (kept === undefined && (isBare(told) || thread.state === 'removed')) return isForgotten ? null : before
    const record = { ...newRecord(entry.threadId), ...told }
    const next = mergeRecords(
      kept ?? record,
      thread.state === 'removed'
        ? record
        : {
            ...record,
            title: thread.title,
            categoryId: thread.categoryId,
            postCount: thread.postCount,
            lastPostAt: Date.parse(thread.lastPostAt),
          },
    )
    return before !== undefined && deltaOf(entry.threadId, before, next, 0) === null ? before : next
  }
}

/**
 * Adds what this browser knows to the account. Own threads and posts stay here: most were written
 * without a name, and the server is not to know by whom.
 */
export async function addToAccount(memberId: string): Promise<void> {
  const entries = (await readRecords()).map((record) => {
    const { threadId, updatedAt } = record
    return deltaOf(threadId, undefined, { ...record, isOwn: false, ownPosts: [] }, updatedAt)
  })
  const changes = entries.filter((entry) => entry !== null)
  await (await loadDatabase()).addToOutbox(memberId, changes)
  await syncNow()
}

/**
 * Adds the rules of hiding of this browser to the account.
 * @returns whether the account has them; else they wait
 * @throws ApiError full
 */
export async function addRulesToAccount(memberId: string): Promise<boolean> {
  hiding.queueHiding(memberId)
  await syncNow()
  const refusal = hiding.hidingRefusal()
  if (refusal !== null) throw refusal
  return !hiding.isHidingWaiting(memberId)
}

/** Deletes what is stored with the account, also the rules, and what waits to be sent. */
export async function clearAccount(memberId: string): Promise<void> {
  await alone(async () => {
    await apiSend('DELETE', urlFor(memberId))
    await (await loadDatabase()).emptyOutbox(memberId)
    emptyWaiting(memberId)
  })
  for (const listener of listeners) listener()
}

/** Deletes the rules of hiding that are stored with the account, and those that wait to be sent. */
export async function clearRulesOfAccount(memberId: string): Promise<void> {
  await alone(() => hiding.clearHiding(memberId))
  for (const listener of listeners) listener()
}

/** Of how many threads something is stored with the account. */
export const countStored = async (context: { signal?: AbortSignal }): Promise<number> =>
  (await apiGet<StoredNotebook>(`${URL}?since=${Number.MAX_SAFE_INTEGER}`, context)).total

export { countHiding, hidingRefusal } from './sync-hiding.ts'
