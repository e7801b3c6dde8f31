/**
 * Forgets threads that were removed long enough ago. Small steps, each a transaction of its own: nobody waits long, and after a crash the
 * next sweep goes on from where it ended.
 */
import { setImmediate } from 'node:timers/promises'
import { UNDO_HOURS } from '@shinobi/contract/limits'
import type { Deps } from '../../deps.ts'
import { deleteNamesOfThread, deleteThread, selectRemovedThreads } from './threads-purge.queries.ts'

/** What another feature keeps of a thread: deletes some of it. @returns whether there may be more */
export type PartOfThread = (threadId: string, limit: number) => Promise<boolean>

/** Rows of one step. */
const ROWS_AT_ONCE = 500
const THREADS_AT_ONCE = 100
/** Nobody restores a thread any more when its deletion begins, even where the clocks of two servers differ. */
const MARGIN_MS = 3_600_000

/** Deletes threads that were removed more than UNDO_HOURS ago, after all parts of theirs. */
export async function deleteRemovedThreads(
  { db }: Pick<Deps, 'db'>,
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

/** False when it was stopped before the end. */
async function deletePart(part: PartOfThread, threadId: string, signal?: AbortSignal): Promise<boolean> {
  for (;;) {
    if (signal?.aborted === true) return false
    if (!(await part(threadId, ROWS_AT_ONCE))) return true
    await setImmediate()
  }
}
