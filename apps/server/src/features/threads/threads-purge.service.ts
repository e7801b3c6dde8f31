/**
 * Deletes threads that were removed long enough ago. Works in small transactions: writers wait only
 * briefly, and after a crash the next sweep continues.
 */
import { setImmediate } from 'node:timers/promises'
import { UNDO_HOURS } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import { deleteNamesOfThread, deleteThread, selectRemovedThreads } from './threads-purge.queries.ts'

/** Deletes some of a feature's rows of a thread. @returns whether there may be more */
export type PartOfThread = (threadId: string, limit: number) => Promise<boolean>

/** Rows per transaction. */
const ROWS_AT_ONCE = 500
const THREADS_AT_ONCE = 100
/**
 * A thread can no longer be restored when its deletion begins, even if the clocks of two servers
 * differ.
 */
const MARGIN_MS = 3_600_000

/**
 * Deletes threads that were removed more than UNDO_HOURS ago, after all rows that refer to them.
 */
export async function deleteRemovedThreads(
  { db }: Pick<Core, 'db'>,
  parts: readonly PartOfThread[],
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now - UNDO_HOURS * 3_600_000 - MARGIN_MS)
  const ofNames: PartOfThread = (threadId, limit) => deleteNamesOfThread(db, threadId, limit)
  for (;;) {
    const threadIds = await selectRemovedThreads(db, before, THREADS_AT_ONCE)
    for (const threadId of threadIds) {
      for (const part of [...parts, ofNames]) {
        if (!(await deletePart(part, threadId, signal))) return
      }
      await deleteThread(db, threadId)
    }
    if (threadIds.length < THREADS_AT_ONCE) return
  }
}

/** @returns false when it was aborted before the end */
async function deletePart(part: PartOfThread, threadId: string, signal?: AbortSignal): Promise<boolean> {
  for (;;) {
    if (signal?.aborted === true) return false
    if (!(await part(threadId, ROWS_AT_ONCE))) return true
    await setImmediate()
  }
}
