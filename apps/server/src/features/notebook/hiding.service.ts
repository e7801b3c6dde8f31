import { asOf, isSameEntry, mergeHiding, targetKey, type HidingEntry } from '@shinobi/contract/hiding-entry'
import { HIDING_ROWS_MAX, HIDING_RULES_MAX } from '@shinobi/contract/limits'
import { inTransaction } from '../../db/transaction.ts'
import { isForeignKeyViolation, refuse } from '../../lib/api-error.ts'
import { deleteSurplusRemovals, selectRules, selectRulesSize, upsertRules } from './hiding.queries.ts'
import { lockNotebook } from './notebook.queries.ts'
import type { NotebookDeps } from './notebook.service.ts'

/**
 * Merges what a device has changed into the rules of its member: all of it or nothing.
 * @returns the time that entries of the future got
 * @throws ApiError full, too_many_requests, unauthorized (the account was deleted meanwhile)
 */
export async function mergeIntoRules(
  { db, now, limits }: NotebookDeps,
  userId: string,
  sent: readonly HidingEntry[],
): Promise<number> {
  await limits.notebooks.take(userId)
  const at = now()
  // Times of a clock that is ahead become now, so that they do not win for ever.
  const entries = sent.map((entry) => ({ ...entry, changedAt: Math.min(entry.changedAt, at) }))
  await inTransaction(db, async (tx) => {
    await lockNotebook(tx, userId)
    const stored = new Map((await selectRules(tx, userId, entries)).map((entry) => [targetKey(entry), entry]))
    const changed = mergeHiding([...stored.values()], entries)
      .map((entry) => asOf(entry, at))
      .filter((entry) => {
        const before = stored.get(targetKey(entry))
        // A browser has rules of others too: what this member's account never had stays unknown.
        return before === undefined ? entry.traits !== null : !isSameEntry(entry, before)
      })
    if (changed.length === 0) return
    const before = await selectRulesSize(tx, userId, at)
    await upsertRules(tx, userId, changed, Math.max(before.version + 1, at))
    const { rows, live } = await selectRulesSize(tx, userId, at)
    if (live > Math.max(before.live, HIDING_RULES_MAX)) throw refuse('full', 'hiding_account_full')
    if (rows > HIDING_ROWS_MAX) await deleteSurplusRemovals(tx, userId, rows - HIDING_ROWS_MAX, at)
  }).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? refuse('unauthorized', 'session_expired') : error
  })
  return at
}
