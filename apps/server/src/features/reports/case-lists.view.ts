import { createHmac } from 'node:crypto'
import type { CaseReport, ModeratedPost, ModerationCase } from '@shinobi/contract/moderation'
import { isTooOldToUndo } from '../audit/audit.rules.ts'
import type { Moderator } from '../../http/access-guard.ts'
import { toStaffName, toVisitorLabel } from '../bans/bans.view.ts'
import { toPost } from '../posts/posts.view.ts'
import type { CaseReportRow, CaseRow, ContextRow, OwnerNoteRow, ReporterRecord } from './case-lists.queries.ts'

/** The rows of a page of cases. */
export interface CasePage {
  readonly cases: readonly CaseRow[]
  readonly context: readonly ContextRow[]
  readonly notes: readonly OwnerNoteRow[]
  readonly reports: readonly CaseReportRow[]
  readonly records: readonly ReporterRecord[]
}

/**
 * All cases leave the server through this function. Authors and reporters are shown by name or by a
 * masked token.
 */
export function toCases(
  { cases, context, notes, reports, records }: CasePage,
  { secret, now, viewer }: { readonly secret: string; readonly now: number; readonly viewer: Moderator },
): ModerationCase[] {
  const contextOf = Map.groupBy(context, ({ threadId, caseNumber }) => `${threadId} ${caseNumber}`)
  const reportsOf = Map.groupBy(reports, ({ threadId, postId }) => `${threadId} ${postId}`)
  const recordOf = new Map(records.map((record) => [record.reporter, record]))
  return cases.flatMap((row) => {
    const posts = contextOf.get(`${row.threadId} ${row.number}`) ?? []
    const own = posts.find(({ id }) => id === row.postId)
    // A post is deleted only with its thread, and its case with both.
    if (own === undefined) return []
    // A correction is corrected again, but not undone.
    const canUndo =
      row.decidedAt !== null && row.decision !== 'news_correct' && !isTooOldToUndo({ at: row.decidedAt }, now)
    return [
      {
        thread: {
          _id: row.threadId,
          title: row.title,
          category: row.category,
          categoryId: row.categoryId,
          locked: row.lockedAt !== null,
          removed: row.removedAt !== null,
          summary: row.summary,
        },
        post: toModeratedPost(own, secret),
        ownerNotes:
          row.number === 1 ? notes.filter(({ threadId }) => threadId === row.threadId).map(({ text }) => text) : [],
        context: posts.filter((post) => post !== own).map((post) => toModeratedPost(post, secret)),
        reports: (reportsOf.get(`${row.threadId} ${row.postId}`) ?? []).map((report) =>
          toReport(report, recordOf.get(report.reporter), secret),
        ),
        reportCount: row.reports,
        voices: row.voices,
        flag: row.flag,
        status: row.status,
        note: row.note,
        decision: row.decision,
        decidedBy: toStaffName(row.decidedBy, viewer),
        decidedAt: row.decidedAt?.toISOString() ?? null,
        createdAt: row.createdAt.toISOString(),
        actionId: canUndo ? row.actionId : null,
      },
    ]
  })
}

/** A removed post with its text, as long as that is stored. Its image is never shown. */
function toModeratedPost(row: ContextRow, secret: string): ModeratedPost {
  const { name, content, userId } = row
  return { ...toPost(row), name, content, userId, writer: toWriterToken(row, secret) }
}

/** Equal for all posts of a writer in a thread, and different in every other thread. */
function toWriterToken({ threadId, id, userId, visitorId }: ContextRow, secret: string): string {
  const who = userId ?? visitorId ?? id
  const token = createHmac('sha256', secret).update(`writer ${threadId} ${who}`).digest('hex').toUpperCase()
  return `${token.slice(0, 4)}-${token.slice(4, 8)}`
}

const toReport = (row: CaseReportRow, record: ReporterRecord | undefined, secret: string): CaseReport => ({
  _id: row.id,
  reason: row.reason,
  seen: row.seen,
  createdAt: row.createdAt.toISOString(),
  reporter: {
    handle: row.name ?? toVisitorLabel(secret, row.reporter),
    isMember: row.name !== null,
    upheld: record?.upheld ?? 0,
    dismissed: record?.dismissed ?? 0,
    muted: record?.muted ?? false,
  },
})
