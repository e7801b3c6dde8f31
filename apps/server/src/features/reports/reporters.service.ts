/** Muting of reporters who abuse reports: their reports are stored, but do not count. */
import type { Core } from '../../core.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { mayActOn } from '@shinobi/contract/permissions'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectMemberTarget } from '../bans/bans.queries.ts'
import { recountOpenCases, replaceMute, selectReport, type Mute } from './reporters.queries.ts'

const HOUR_MS = 3_600_000

export interface MuteInput {
  readonly muted: boolean
  /** Null means until the mute is ended. */
  readonly hours: number | null
  readonly reason: string
}

/**
 * Mutes the reporter of a report, or ends the mute. It applies to the whole board, so it requires a
 * moderator of the whole board. The log refers to the report rather than the reporter, so that it
 * contains no id of a browser.
 * @throws ApiError not_found, forbidden
 */
export async function muteReporter(
  { db, now, live }: Pick<Core, 'db' | 'now' | 'live'>,
  moderator: Moderator,
  { threadId, reportId }: { readonly threadId: string; readonly reportId: string },
  { muted, hours, reason }: MuteInput,
): Promise<void> {
  const at = new Date(now())
  const until = hours === null ? null : new Date(at.getTime() + hours * HOUR_MS)
  await inTransaction(db, async (tx) => {
    const report = await selectReport(tx, threadId, reportId)
    if (report === undefined) throw refuse('not_found', 'case_not_found')
    requirePermission(moderator, 'muteReporters')
    const { reporter, postId, number, categoryId, title } = report
    const member = await selectMemberTarget(tx, reporter)
    if (muted && member !== undefined && !mayActOn(moderator, member.rank)) throw refuse('forbidden', 'mute_rank')
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
