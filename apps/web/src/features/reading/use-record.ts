import { useCallback, useSyncExternalStore } from 'react'
import { readRecord, subscribeRecords, type ThreadRecord } from './store.ts'

/** Records of the threads on screen as last read. They stay for the next time a thread is shown. */
const known = new Map<string, ThreadRecord | undefined>()
const followers = new Map<string, Set<() => void>>()
let leaveStore: (() => void) | null = null

/** Without its part of the script or its storage a page shows no marks. */
async function reread(threadId: string): Promise<void> {
  try {
    known.set(threadId, await readRecord(threadId))
    for (const follower of followers.get(threadId) ?? []) follower()
  } catch {}
}

function follow(threadId: string, listener: () => void): () => void {
  const listeners = followers.get(threadId) ?? new Set()
  followers.set(threadId, listeners.add(listener))
  leaveStore ??= subscribeRecords((changed) => {
    for (const id of changed) if (followers.has(id)) void reread(id)
  })
  void reread(threadId)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) followers.delete(threadId)
    if (followers.size > 0) return
    leaveStore?.()
    leaveStore = null
  }
}

/**
 * What `select` takes from the record of a thread: a primitive, so that only its changes render.
 * Null on the server and while hydrating.
 */
export function useRecord<T extends string | number>(
  threadId: string,
  select: (record: ThreadRecord | undefined) => T | null,
): T | null {
  const subscribe = useCallback((listener: () => void) => follow(threadId, listener), [threadId])
  return useSyncExternalStore(
    subscribe,
    () => select(known.get(threadId)),
    () => null,
  )
}
