import type { Core } from '../../core.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { updateNote, type CaseKey } from './cases.queries.ts'

/** Sets the note of a case for the other moderators. @throws ApiError not_found, forbidden */
export async function noteCase(
  deps: Pick<Core, 'db' | 'now' | 'live'>,
  moderator: Moderator,
  key: CaseKey,
  note: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const thread = await lockStandingThread(tx, key.threadId)
    if (thread === undefined) throw refuse('not_found', 'case_not_found')
    requirePermission(moderator, 'decideReports', thread.categoryId)
    const before = await updateNote(tx, key, note)
    if (before === undefined) throw refuse('not_found', 'case_not_found')
    if (before === note) return
    await insertAudit(tx, {
      actor: moderator,
      at: new Date(deps.now()),
      action: 'case_note',
      ...key,
      categoryId: thread.categoryId,
      subject: thread.title,
      details: { before: { note: before }, after: { note } },
    })
    afterCommit(tx, deps.live.queueChanged)
  })
}
