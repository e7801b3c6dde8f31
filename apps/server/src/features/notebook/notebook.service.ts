import { NOTEBOOK_OWN_POSTS_MAX, READING_RECORDS_MAX } from '@shinobi/contract/limits'
import { mergeEntries, type NotebookEntry } from '@shinobi/contract/notebook-entry'
import type { Core } from '../../core.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isForeignKeyViolation, refuse } from '../../lib/api-error.ts'
import { deleteSurplus, lockNotebook, selectEntries, selectSize, upsertEntries } from './notebook.queries.ts'

export type NotebookDeps = Pick<Core, 'db' | 'now' | 'limits'>

/**
 * Merges what a device knows into the notebook of its member.
 * @throws ApiError too_many_requests, unauthorized (the account was deleted meanwhile)
 */
export async function mergeIntoNotebook(
  { db, now, limits }: NotebookDeps,
  userId: string,
  entries: readonly NotebookEntry[],
): Promise<void> {
  await limits.notebooks.take(userId)
  const at = now()
  await inTransaction(db, async (tx) => {
    await lockNotebook(tx, userId)
    const ids = [...new Set(entries.map(({ threadId }) => threadId))]
    const stored = new Map((await selectEntries(tx, userId, ids)).map((entry) => [entry.threadId, entry]))
    const next = new Map(stored)
    for (const sent of entries) {
      const entry = notAfter(sent, at)
      const before = next.get(entry.threadId)
      // Alone too: it may say that it was forgotten.
      const merged = mergeEntries(before ?? entry, entry)
      next.set(entry.threadId, { ...merged, ownPosts: merged.ownPosts.slice(-NOTEBOOK_OWN_POSTS_MAX) })
    }
    const changed = [...next.values()].filter((entry) => !isSame(entry, stored.get(entry.threadId)))
    if (changed.length === 0) return
    const { version } = await selectSize(tx, userId)
    await upsertEntries(tx, userId, changed, Math.max(version + 1, at))
    const { rows } = await selectSize(tx, userId)
    if (rows > READING_RECORDS_MAX) await deleteSurplus(tx, userId, rows - READING_RECORDS_MAX)
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? refuse('unauthorized', 'session_expired') : error
  })
}

/** Times of a clock that is ahead become now, so that they do not win for ever. */
function notAfter(entry: NotebookEntry, now: number): NotebookEntry {
  const upTo = (at: number) => Math.min(at, now)
  const { visitedAt, visitRemovedAt, favouriteAt, favouriteRemovedAt, forgottenAt } = entry
  return {
    ...entry,
    updatedAt: upTo(entry.updatedAt),
    ...(visitedAt !== null && { visitedAt: upTo(visitedAt) }),
    ...(visitRemovedAt !== undefined && { visitRemovedAt: upTo(visitRemovedAt) }),
    ...(favouriteAt !== null && { favouriteAt: upTo(favouriteAt) }),
    ...(favouriteRemovedAt !== undefined && { favouriteRemovedAt: upTo(favouriteRemovedAt) }),
    ...(forgottenAt !== undefined && { forgottenAt: upTo(forgottenAt) }),
  }
}

/** PostgreSQL sorts the fields of a document. */
const isSame = (a: NotebookEntry, b: NotebookEntry | undefined): boolean => b !== undefined && text(a) === text(b)
const text = (entry: NotebookEntry): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
