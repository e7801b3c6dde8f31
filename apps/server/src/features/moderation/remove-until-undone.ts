import type { RuleKey } from '@shinobi/contract/rules'
import { afterCommit } from '../../db/transaction.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import type { PostTarget } from '../posts/removals.queries.ts'
import { removePostsInSteps, type RemovalDeps } from '../posts/removals.service.ts'
import { closeCases, type Closing } from '../reports/cases.queries.ts'
import { isUndone } from './follow-removals.queries.ts'
import type { ModerationDeps } from './moderation.deps.ts'

/**
 * Removes the posts of an entry in the log in steps, with their cases, and stops when the entry is
 * undone: what the undo restores stays.
 * @returns how many were removed
 */
export async function removeUntilUndone(
  deps: RemovalDeps & Pick<ModerationDeps, 'db'>,
  targets: readonly PostTarget[],
  rule: RuleKey,
  closing: Closing,
): Promise<number> {
  let removed = 0
  try {
    await removePostsInSteps(deps, targets, rule, closing.at, async (tx, step) => {
      if (await isUndone(tx, closing.actionId)) throw refuse('already_done', 'action_undone')
      if ((await closeCases(tx, step, closing)) > 0) afterCommit(tx, deps.live.queueChanged)
      afterCommit(tx, () => void (removed += step.length))
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'already_done')) throw error
  }
  return removed
}
