import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7, uuidv7Floor } from '../../lib/uuid.ts'
import { countReport, insertFlaggedCase, type CaseKey } from './cases.queries.ts'
import { foldIfReported, type FoldingDeps } from './folding.service.ts'
import { insertReport } from './reports.queries.ts'

const HOUR_MS = 3_600_000

export interface ReportedPost {
  readonly threadId: string
  readonly postId: string
  readonly reason: string
  /** What the reporter says to have seen, as the client sent it. */
  readonly content: string
}

/**
 * Takes a report of a post, and puts it into the moderators' queue. From the same member or visitor again it changes nothing, and
 * costs nothing: a double click and a lost answer are no second voice.
 * @throws ApiError banned, too_many_requests, not_found (also for a post that was removed)
 */
export async function reportPost(
  deps: FoldingDeps & Pick<Deps, 'admission' | 'bans' | 'limits' | 'now' | 'log'>,
  visitor: Visitor,
  { threadId, postId, reason, content }: ReportedPost,
): Promise<void> {
  const { db, admission, bans, limits, now, live, log, settings } = deps
  await limits.reports.take(visitor)
  let counts = false
  try {
    bans.check(visitor, { categoryId: (await admission.places.find(threadId))?.categoryId ?? null, threadId })
    const at = new Date(now())
    const report = {
      id: uuidv7(now()),
      threadId,
      postId,
      reporter: actorId(visitor),
      userId: visitor.member?.id ?? null,
      voice: voiceOf(visitor, now() - settings.current.newcomerHours * HOUR_MS),
      reason,
      // Whatever a client sends can be stored: a document takes neither NUL nor half a character.
      seen: content.replaceAll('\0', '').toWellFormed(),
      at,
    }
    const counted = await inTransaction(db, async (tx) => {
      const outcome = await insertReport(tx, report)
      if (outcome.kind === 'no_post') throw refuse('not_found', 'post_not_found')
      if (outcome.kind !== 'stored') return undefined
      afterCommit(tx, () => {
        counts = true
        live.queueChanged()
      })
      return countReport(tx, { ...report, ...outcome })
    })
    if (counted === undefined) return
    await foldIfReported(deps, { threadId, postId }, counted, at).catch((error: unknown) => {
      // The report is taken; the next one folds.
      log.error({ err: error }, 'a post could not be folded')
    })
  } finally {
    if (!counts) await limits.reports.giveBack(visitor)
  }
}

/**
 * Whom a report counts for: a member who has been one since before that time, or else the address (the /48 of an IPv6 one), for one
 * person opens a handful of accounts in a minute, and has as many addresses as they like.
 */
const voiceOf = ({ member, addressHash, networkHash }: Visitor, since: number): string =>
  member !== null && member.id < uuidv7Floor(since) ? member.id : (networkHash ?? addressHash)

/** Puts a post into the moderators' queue because a word rule flags it. */
export async function openFlaggedCase(
  { db, now, live }: Pick<Deps, 'db' | 'now' | 'live'>,
  flagged: CaseKey & { readonly word: string },
): Promise<void> {
  await insertFlaggedCase(db, { ...flagged, at: new Date(now()) })
  live.queueChanged()
}
