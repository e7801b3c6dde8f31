/**
 * The records of threads in IndexedDB. What cannot be written (private windows, a full disk) is
 * kept in memory, so that it is lost only with the page.
 */
import { READING_RECORDS_MAX } from '@shinobi/contract/limits'
import { mergeRecords } from './merge.ts'
import { changeRecord, surplusRecords, type RecordChange, type ThreadRecord } from './record.ts'

const NAME = 'shinobi'
const STORE = 'threads'

/** Records that could not be written, and null for those that could not be removed. */
const unsaved = new Map<string, ThreadRecord | null>()
let opening: Promise<IDBDatabase | null> | undefined

function open(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'threadId' })
      request.onerror = () => resolve(null)
      request.onsuccess = () => {
        const database = request.result
        const forget = () => {
          database.close()
          opening = undefined
        }
        // A later version of the page in another tab must not wait for this one.
        database.onversionchange = forget
        database.onclose = forget
        resolve(database)
      }
    } catch {
      // The browser has no database, or forbids it.
      resolve(null)
    }
  })
  return opening
}

/** Null where there is no database, or where its connection has been lost. */
async function begin(mode: IDBTransactionMode): Promise<IDBTransaction | null> {
  const database = await open()
  try {
    return database?.transaction(STORE, mode) ?? null
  } catch {
    opening = undefined
    return null
  }
}

/** The answer to a read; the fallback when the database cannot be read. */
const answerOf = <T>(request: IDBRequest<T>, fallback: T): Promise<T> =>
  new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => resolve(fallback)
  })

const recordsOf = (transaction: IDBTransaction): IDBRequest<ThreadRecord[]> => transaction.objectStore(STORE).getAll()
const recordOf = (transaction: IDBTransaction, threadId: string): IDBRequest<ThreadRecord | undefined> =>
  transaction.objectStore(STORE).get(threadId)

/** A stored record as this page knows it. */
const known = (threadId: string, stored: ThreadRecord | undefined): ThreadRecord | undefined => {
  const kept = unsaved.get(threadId)
  return kept === undefined ? stored : (kept ?? undefined)
}

export async function readRecord(threadId: string): Promise<ThreadRecord | undefined> {
  const transaction = await begin('readonly')
  const stored = transaction === null ? undefined : await answerOf(recordOf(transaction, threadId), undefined)
  return known(threadId, stored)
}

export async function readRecords(): Promise<readonly ThreadRecord[]> {
  const transaction = await begin('readonly')
  const stored = transaction === null ? [] : await answerOf(recordsOf(transaction), [])
  const records = new Map(stored.map((record) => [record.threadId, record]))
  for (const [threadId, record] of unsaved) {
    if (record === null) records.delete(threadId)
    else records.set(threadId, record)
  }
  return [...records.values()]
}

/**
 * Reads, changes and writes a record in one transaction.
 * @returns ids of the records that are different now
 */
export async function updateRecord(threadId: string, change: RecordChange): Promise<readonly string[]> {
  const transaction = await begin('readwrite')
  if (transaction === null) return changeInMemory(threadId, undefined, change)
  return new Promise((resolve, reject) => {
    const store = transaction.objectStore(STORE)
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
        if (next == null) store.delete(threadId)
        else store.put(next)
        changed = [threadId]
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
          for (const id of surplus) store.delete(id)
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

/** Adds what another page knows of a thread. */
export const mergeRecord = (record: ThreadRecord): Promise<readonly string[]> =>
  updateRecord(record.threadId, (before) => (before === undefined ? record : mergeRecords(before, record)))
