import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { createLru } from '../../lib/lru.ts'

/** Runs in the transaction that moves threads to another category. */
type OnMove = (tx: Transaction<Tables>, threadIds: readonly string[], categoryId: string) => Promise<void>

/** A thread that was just opened. */
export interface NewThread {
  readonly id: string
  readonly title: string
}

/** Lets later features act when threads are opened, moved, removed or restored. */
export interface ThreadEvents {
  onMove(listener: OnMove): void
  /** Calls a listener after the commit that removed a thread, or brought one back. */
  onRemoval(listener: (threadId: string) => void): void
  /** Calls a listener after the commit that opened a thread. */
  onOpening(listener: (thread: NewThread) => void): void
  /** Await it in the transaction that moves the threads. */
  readonly moveIn: OnMove
  /** Call it after the commit. */
  removalChanged(threadId: string): void
  /**
   * Call it after the commit, and for a thread whose commit may not have been told.
   * @returns false when it was called for this thread before
   */
  opened(thread: NewThread): boolean
}

/** Threads that were opened on this server lately. */
const OPENED_REMEMBERED = 20_000

export function createThreadEvents(): ThreadEvents {
  const moveListeners: OnMove[] = []
  const openingListeners: ((thread: NewThread) => void)[] = []
  const removalListeners: ((threadId: string) => void)[] = []
  const openedHere = createLru<string, true>(OPENED_REMEMBERED)
  return {
    onMove: (listener) => void moveListeners.push(listener),
    onRemoval: (listener) => void removalListeners.push(listener),
    onOpening: (listener) => void openingListeners.push(listener),
    async moveIn(...move) {
      for (const listener of moveListeners) await listener(...move)
    },
    removalChanged(threadId) {
      for (const listener of removalListeners) listener(threadId)
    },
    opened(thread) {
      if (openedHere.has(thread.id)) return false
      openedHere.set(thread.id, true)
      for (const listener of openingListeners) listener(thread)
      return true
    },
  }
}
