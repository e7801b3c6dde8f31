import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { requireScope, type Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { updateNote, type CaseKey } from './cases.queries.ts'

/** Leaves a note at a case for the other moderators. @throws ApiError not_found, forbidden */
export async function noteCase(
  deps: Pick<Deps, 'db' | 'now' | 'live'>,
  moderator: Moderator,
  key: CaseKey,
  note: string,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const thread = await lockStandingThread(tx, key.threadId)
    if (thread === undefined) throw refuse('not_found', 'case_not_found')
    requireScope(moderator, thread.categoryId)
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
