/** Reporters who abuse it: what they report is kept, but does not count. */
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { rankOf, requireScope, type Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectMemberTarget } from '../bans/bans.queries.ts'
import { recountOpenCases, replaceMute, selectReport, type Mute } from './reporters.queries.ts'

const HOUR_MS = 3_600_000

export interface MuteInput {
  readonly muted: boolean
  /** Null: until it is taken back. */
  readonly hours: number | null
  readonly reason: string
}

/**
 * Mutes the reporter of a report, or lets them count again. That holds on the whole board, so only who moderates all of it may.
 * The log names the report rather than the reporter: the id of a browser stays out of it.
 * @throws ApiError not_found, forbidden
 */
export async function muteReporter(
  { db, now, live }: Pick<Deps, 'db' | 'now' | 'live'>,
  moderator: Moderator,
  { threadId, reportId }: { readonly threadId: string; readonly reportId: string },
  { muted, hours, reason }: MuteInput,
): Promise<void> {
  const at = new Date(now())
  const until = hours === null ? null : new Date(at.getTime() + hours * HOUR_MS)
  await inTransaction(db, async (tx) => {
    const report = await selectReport(tx, threadId, reportId)
    if (report === undefined) throw refuse('not_found', 'case_not_found')
    requireScope(moderator, report.categoryId)
    if (moderator.scope !== 'all') throw refuse('forbidden', 'out_of_scope')
    const { reporter, postId, number, categoryId, title } = report
    const member = await selectMemberTarget(tx, reporter)
    if (muted && member !== undefined && member.rank >= rankOf(moderator)) throw refuse('forbidden', 'mute_rank')
    const after = muted ? { until } : null
    const before = await replaceMute(tx, reporter, after)
    if (!muted && before === null) return
    await recountOpenCases(tx, reporter, muted)
    await insertAudit(tx, {
      actor: moderator,
      at,
      action: muted ? 'reporter_mute' : 'reporter_unmute',
      categoryId,
      threadId,
      postId,
      number,
      subject: title,
      reason: reason || null,
      details: { reportId, before: toFacts(before), after: toFacts(after) },
    })
    afterCommit(tx, live.queueChanged)
  })
}

const toFacts = (mute: Mute | null) => (mute === null ? { muted: false } : { muted: true, until: mute.until })
