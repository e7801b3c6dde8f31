/** All records of this browser, for the notebook; read once for all components that show them. */
import { useSyncExternalStore } from 'react'
import { readRecord, readRecords, subscribeRecords, type ThreadRecord } from '../reading/store.ts'

export type Records = readonly ThreadRecord[] | 'loading' | 'failed'

let records: Records = 'loading'
const listeners = new Set<() => void>()
let leaveStore: (() => void) | null = null
/** Changes that are not read yet, and whether they are being read. */
const changed = new Set<string>()
let isReading = false

function show(next: Records): void {
  records = next
  for (const listener of listeners) listener()
}

/** So many changes at once are read together. */
const FEW = 20

async function read(): Promise<void> {
  if (isReading) return
  isReading = true
  try {
    do {
      const ids = [...changed]
      changed.clear()
      if (typeof records === 'string' || ids.length > FEW) {
        show(await readRecords())
        continue
      }
      const next = new Map(records.map((record) => [record.threadId, record]))
      for (const id of ids) {
        const record = await readRecord(id)
        if (record === undefined) next.delete(id)
        else next.set(id, record)
      }
      show([...next.values()])
    } while (changed.size > 0)
  } catch {
    // The part of the script that reads them could not be loaded.
    if (typeof records === 'string') show('failed')
  } finally {
    isReading = false
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (leaveStore === null) {
    // Changes were missed while nobody listened.
    records = 'loading'
    leaveStore = subscribeRecords((ids) => {
      for (const id of ids) changed.add(id)
      void read()
    })
    void read()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    leaveStore?.()
    leaveStore = null
  }
}

export const rereadRecords = (): void => {
  records = 'loading'
  void read()
}

export const useRecords = (): Records =>
  useSyncExternalStore(
    subscribe,
    () => records,
    () => 'loading',
  )
