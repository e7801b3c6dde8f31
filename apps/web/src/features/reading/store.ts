/**
 * What this browser has read: a record per thread, in IndexedDB, shared by all tabs. Only this
 * module is in the first chunk; the database is loaded with the first call. No call rejects because
 * of the storage: where nothing can be stored, the records last as long as the page.
 */
import { followedMember } from '../../lib/followed-member.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import type * as database from './database.ts'
import { PENDING_KEY, type PendingRecord } from './pending.ts'
import type { RecordChange, ThreadRecord } from './record.ts'

export type { RecordChange, ThreadRecord } from './record.ts'

type Database = typeof database
type Listener = (threadIds: readonly string[]) => void

const listeners = new Set<Listener>()
let loading: Promise<Database> | undefined
let tabs: BroadcastChannel | undefined

/** The database itself, for what other devices are told. */
export function loadDatabase(): Promise<Database> {
  loading ??= start().catch((error: unknown) => {
    // The next call tries again.
    loading = undefined
    throw error
  })
  return loading
}

async function start(): Promise<Database> {
  // Without it a thread is painted at once: public/thread.js has nothing to look up.
  writeStored('records', '1')
  const loaded = await import('./database.ts')
  await loaded.adoptPending()
  return loaded
}

/** What is being written now: the changes, as they would make it of no record. */
const pending = new Set<PendingRecord>()
let isEnding = false

/** A page that ends aborts its transactions: the next one writes this (database.ts). */
function keepPending(): void {
  if (pending.size === 0) return
  const lines = Array.from(pending, (record) => `${JSON.stringify(record)}\n`)
  writeStored(PENDING_KEY, (readStored(PENDING_KEY) ?? '') + lines.join(''))
  pending.clear()
}

globalThis.addEventListener?.('pageshow', () => (isEnding = false))
globalThis.addEventListener?.('pagehide', () => {
  isEnding = true
  keepPending()
})

function tell(threadIds: readonly string[]): void {
  for (const listener of listeners) listener(threadIds)
}

function openTabs(): BroadcastChannel {
  if (tabs !== undefined) return tabs
  tabs = new BroadcastChannel('records')
  tabs.onmessage = ({ data }: MessageEvent<readonly string[]>) => tell(data)
  return tabs
}

export const readRecord = async (threadId: string): Promise<ThreadRecord | undefined> =>
  (await loadDatabase()).readRecord(threadId)

export const readRecords = async (): Promise<readonly ThreadRecord[]> => (await loadDatabase()).readRecords()

/**
 * Changes a record in one transaction, and notifies listeners here and in the other tabs. `change`
 * returns the next record, the same one to leave it, or null to remove it; `readThrough` and
 * `postCount` only rise, whatever it returns.
 */
export async function updateRecord(threadId: string, change: RecordChange): Promise<void> {
  const member = followedMember()
  const record = change(undefined)
  const waiting: PendingRecord | null = record == null ? null : [record, member]
  if (waiting !== null) pending.add(waiting)
  // A listener before this one has ended the page.
  if (isEnding) keepPending()
  try {
    announce(await (await loadDatabase()).updateRecord(threadId, change, member))
  } finally {
    if (waiting !== null) pending.delete(waiting)
  }
}

/** Changes a record of this browser alone: no other device is told. */
export async function updateHere(threadId: string, change: RecordChange): Promise<void> {
  announce(await (await loadDatabase()).updateRecord(threadId, change))
}

function announce(changed: readonly string[]): void {
  if (changed.length === 0) return
  tell(changed)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows; a channel has no target
  openTabs().postMessage(changed)
}

/** Number of the last post that was on screen; 0 where none was, or where the script is missing. */
export const readPosition = (threadId: string): Promise<number> =>
  readRecord(threadId).then(
    (record) => record?.readThrough ?? 0,
    () => 0,
  )

/** The listener is called with the ids of changed threads, by this tab or another one. */
export function subscribeRecords(listener: Listener): () => void {
  openTabs()
  // A page that the browser kept for Back has missed what other pages told meanwhile.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void readRecords().then((records) => listener(records.map(({ threadId }) => threadId)))
  }
  listeners.add(listener)
  globalThis.addEventListener?.('pageshow', onShow)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener?.('pageshow', onShow)
  }
}
