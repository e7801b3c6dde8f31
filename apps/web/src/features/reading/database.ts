/**
 * The records of threads in IndexedDB. What cannot be written (private windows, a full disk) is
 * kept in memory, so that it is lost only with the page.
 */
import { OFFLINE_THREADS_MAX, READING_RECORDS_MAX } from '@shinobi/contract/limits'
import { mergeEntries, type NotebookEntry } from '@shinobi/contract/notebook-entry'
import { answerOf, createDatabase } from '../../lib/open-database.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { deltaOf } from './delta.ts'
import type { KeptPage } from './kept-page.ts'
import { mergeRecords } from './merge.ts'
import { PENDING_KEY, type PendingRecord } from './pending.ts'
import { changeRecord, surplusRecords, type RecordChange, type ThreadRecord } from './record.ts'

const STORE = 'threads'
/** What the other devices of a member are not told yet: an entry per member and thread. */
const OUTBOX = 'outbox'
/** Threads as they were shown last; each ends with its record. */
const PAGES = 'pages'

export type OutboxEntry = NotebookEntry & { readonly memberId: string }

/** Records that could not be written, and null for those that could not be removed. */
const unsaved = new Map<string, ThreadRecord | null>()
const { begin } = createDatabase({
  name: 'shinobi',
  version: 3,
  upgrade(database, oldVersion) {
    if (oldVersion < 1) database.createObjectStore(STORE, { keyPath: 'threadId' })
    if (oldVersion < 2) database.createObjectStore(OUTBOX, { keyPath: ['memberId', 'threadId'] })
    if (oldVersion < 3) database.createObjectStore(PAGES, { keyPath: 'threadId' }).createIndex('keptAt', 'keptAt')
  },
})

const recordsOf = (transaction: IDBTransaction): IDBRequest<ThreadRecord[]> => transaction.objectStore(STORE).getAll()
const recordOf = (transaction: IDBTransaction, threadId: string): IDBRequest<ThreadRecord | undefined> =>
  transaction.objectStore(STORE).get(threadId)

/**
 * A stored record as this page knows it. The stored one may have what the page did not know when it
 * failed to write: another tab wrote since, or it could not be read either.
 */
const known = (threadId: string, stored: ThreadRecord | undefined): ThreadRecord | undefined => {
  const kept = unsaved.get(threadId)
  if (kept === undefined) return stored
  if (kept === null) return undefined
  return stored === undefined ? kept : { ...mergeRecords(stored, kept), ...(kept.isGone && { isGone: true }) }
}

export async function readRecord(threadId: string): Promise<ThreadRecord | undefined> {
  const transaction = await begin('readonly', STORE)
  const stored = transaction === null ? undefined : await answerOf(recordOf(transaction, threadId), undefined)
  return known(threadId, stored)
}

export async function readRecords(): Promise<readonly ThreadRecord[]> {
  const transaction = await begin('readonly', STORE)
  const stored = transaction === null ? [] : await answerOf(recordsOf(transaction), [])
  const records = new Map(stored.map((record) => [record.threadId, record]))
  for (const threadId of unsaved.keys()) {
    const record = known(threadId, records.get(threadId))
    if (record === undefined) records.delete(threadId)
    else records.set(threadId, record)
  }
  return [...records.values()]
}

/**
 * Reads, changes and writes a record in one transaction.
 * @param memberId whose other devices are to be told; null for nobody's
 * @returns ids of the records that are different now
 */
export async function updateRecord(
  threadId: string,
  change: RecordChange,
  memberId: string | null = null,
): Promise<readonly string[]> {
  const transaction = await begin('readwrite', memberId === null ? [STORE, PAGES] : [STORE, PAGES, OUTBOX])
  if (transaction === null) return changeInMemory(threadId, undefined, change)
  return new Promise((resolve, reject) => {
    const store = transaction.objectStore(STORE)
    const remove = (id: string) => {
      store.delete(id)
      transaction.objectStore(PAGES).delete(id)
    }
    const request = recordOf(transaction, threadId)
    let stored: ThreadRecord | undefined
    let changed: readonly string[] = []
    let problem: unknown
    request.onsuccess = () => {
      stored = request.result
      const before = known(threadId, stored)
      try {
        const next = changeRecord(before, change)
        if (next === before) return
        if (next == null) remove(threadId)
        else store.put(next)
        changed = [threadId]
        const delta = memberId === null ? null : deltaOf(threadId, before, next ?? null, Date.now())
        if (delta !== null) putIntoOutbox(transaction, memberId!, delta)
      } catch (error) {
        problem = error
        transaction.abort()
        return
      }
      const count = store.count()
      count.onsuccess = () => {
        if (count.result <= READING_RECORDS_MAX) return
        const all = recordsOf(transaction)
        all.onsuccess = () => {
          const surplus = surplusRecords(all.result, threadId)
          for (const id of surplus) remove(id)
          changed = [threadId, ...surplus]
        }
      }
    }
    transaction.oncomplete = () => {
      if (changed.length > 0) unsaved.delete(threadId)
      resolve(changed)
    }
    transaction.onabort = () => {
      if (problem === undefined) resolve(changeInMemory(threadId, stored, change))
      else reject(problem)
    }
  })
}

function changeInMemory(threadId: string, stored: ThreadRecord | undefined, change: RecordChange): readonly string[] {
  const before = known(threadId, stored)
  const next = changeRecord(before, change)
  if (next === before) return []
  unsaved.set(threadId, next ?? null)
  const records = [...unsaved.values()].filter((record) => record !== null)
  const surplus = surplusRecords(records, threadId)
  for (const id of surplus) unsaved.delete(id)
  return [threadId, ...surplus]
}

const mergeRecord = (record: ThreadRecord, memberId: string | null): Promise<readonly string[]> =>
  updateRecord(record.threadId, (before) => (before === undefined ? record : mergeRecords(before, record)), memberId)

/** Writes what the page before was writing when it ended (store.ts). */
export async function adoptPending(): Promise<void> {
  const text = readStored(PENDING_KEY)
  if (text === null) return
  for (const line of text.split('\n')) {
    if (line === '') continue
    try {
      const [record, memberId] = JSON.parse(line) as PendingRecord
      await mergeRecord(record, memberId)
    } catch {
      // Something else is stored there.
    }
  }
  // Another tab may have added to it meanwhile.
  if (readStored(PENDING_KEY) === text) writeStored(PENDING_KEY, null)
}

function putIntoOutbox(transaction: IDBTransaction, memberId: string, entry: NotebookEntry): void {
  const outbox = transaction.objectStore(OUTBOX)
  const request: IDBRequest<OutboxEntry | undefined> = outbox.get([memberId, entry.threadId])
  request.onsuccess = () => {
    const waiting = request.result
    outbox.put({ ...(waiting === undefined ? entry : mergeEntries(waiting, entry)), memberId })
  }
}

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

/** Entries for the other devices of a member, at most as many; empty without a database. */
export async function readOutbox(memberId: string, limit: number): Promise<OutboxEntry[]> {
  const transaction = await begin('readonly', OUTBOX)
  if (transaction === null) return []
  const range = IDBKeyRange.bound([memberId], [memberId, []])
  const request: IDBRequest<OutboxEntry[]> = transaction.objectStore(OUTBOX).getAll(range, limit)
  return answerOf(request, [])
}

/** Removes what was sent, unless it has changed meanwhile. */
export async function dropFromOutbox(memberId: string, sent: readonly OutboxEntry[]): Promise<void> {
  const transaction = await begin('readwrite', OUTBOX)
  if (transaction === null) return
  const outbox = transaction.objectStore(OUTBOX)
  for (const entry of sent) {
    const request: IDBRequest<OutboxEntry | undefined> = outbox.get([memberId, entry.threadId])
    request.onsuccess = () => {
      if (JSON.stringify(request.result) === JSON.stringify(entry)) outbox.delete([memberId, entry.threadId])
    }
  }
  await ended(transaction)
}

export async function emptyOutbox(memberId: string): Promise<void> {
  const transaction = await begin('readwrite', OUTBOX)
  if (transaction === null) return
  transaction.objectStore(OUTBOX).delete(IDBKeyRange.bound([memberId], [memberId, []]))
  await ended(transaction)
}

export async function addToOutbox(memberId: string, entries: readonly NotebookEntry[]): Promise<void> {
  const transaction = await begin('readwrite', OUTBOX)
  if (transaction === null) return
  for (const entry of entries) putIntoOutbox(transaction, memberId, entry)
  await ended(transaction)
}

/** The thread as it was shown last; undefined where it was not kept. */
export async function readPage(threadId: string): Promise<KeptPage | undefined> {
  const transaction = await begin('readonly', PAGES)
  if (transaction === null) return undefined
  const request: IDBRequest<KeptPage | undefined> = transaction.objectStore(PAGES).get(threadId)
  return answerOf(request, undefined)
}

/**
 * Keeps a thread that has a record, in place of those kept longest ago; rejects on a full disk.
 * @returns whether it is kept
 */
export async function keepPage(page: KeptPage): Promise<boolean> {
  const transaction = await begin('readwrite', [STORE, PAGES])
  if (transaction === null) return false
  const pages = transaction.objectStore(PAGES)
  const record = recordOf(transaction, page.threadId)
  record.onsuccess = () => {
    // The visitor has erased it meanwhile.
    if (record.result === undefined) return
    pages.put(page)
    const count = pages.count()
    count.onsuccess = () => {
      let surplus = count.result - OFFLINE_THREADS_MAX
      if (surplus <= 0) return
      const oldest = pages.index('keptAt').openCursor()
      oldest.onsuccess = () => {
        if (surplus-- <= 0 || oldest.result === null) return
        oldest.result.delete()
        oldest.result.continue()
      }
    }
  }
  await ended(transaction)
  return record.result !== undefined
}
