import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { actorId, hashSource, type Visitor, type Visitors } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import type { Service } from '../../lib/services.ts'
import { uuidv7, uuidv7Floor } from '../../lib/uuid.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import type { BannedWords, FlaggedPost } from '../words/word-verdicts.service.ts'
import { countReport, insertFlaggedCase, moveCases } from './cases.queries.ts'
import { foldIfReported, type FoldingDeps } from './folding.service.ts'
import type { ReportsDeps } from './reports.deps.ts'
import { deleteEndedMutes, insertReport, type NewReport } from './reports.queries.ts'

const HOUR_MS = 3_600_000

export interface ReportedPost {
  readonly threadId: string
  readonly postId: string
  readonly reason: string
  /** The text that the reporter saw, according to the client. */
  readonly content: string
}

export interface ReportsOptions extends Pick<Core, 'db' | 'now' | 'live' | 'log'> {
  readonly words: BannedWords
  readonly threadEvents: ThreadEvents
}

/** The parts of reports that run outside of requests. */
export function createReports({
  words,
  threadEvents,
  ...deps
}: ReportsOptions): Required<Pick<Service, 'sweep' | 'settle' | 'close'>> {
  // A post is flagged after its commit, and nothing finds the word later.
  const flagged = createBatchQueue<FlaggedPost>({
    ...{ name: 'flagged posts', everyMs: 0, batch: 1, log: deps.log },
    work: ([post]) => openFlaggedCase(deps, post!),
  })
  words.onFlag((post) => flagged.add([post]))
  threadEvents.onMove(moveCases)
  return {
    sweep: (now) => deleteEndedMutes(deps.db, new Date(now)),
    settle: flagged.settle,
    close: flagged.close,
  }
}

/**
 * Stores a report of a post, and puts the post into the moderators' queue. A repetition by the same
 * member or visitor has no effect and does not count for the rate limit, so that a double click or
 * a lost answer adds no voice.
 * @throws ApiError banned, too_many_requests, not_found (also for a removed post)
 */
export async function reportPost(
  deps: FoldingDeps & Pick<ReportsDeps, 'admission' | 'bans' | 'limits' | 'now' | 'log' | 'visitors'>,
  visitor: Visitor,
  { threadId, postId, reason, content }: ReportedPost,
): Promise<void> {
  const { db, admission, bans, limits, now, live, log, settings, visitors } = deps
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
      ...voiceOf(visitor, visitors, now() - settings.current.newcomerHours * HOUR_MS),
      reason,
      // Any text of a client must be storable: jsonb accepts neither NUL nor lone surrogates.
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
      // The report itself is stored; the next report tries to fold the post again.
      log.error({ err: error }, 'a post could not be folded')
    })
  } finally {
    if (!counts) await limits.reports.giveBack(visitor)
  }
}

/**
 * The voice that a report counts for: a member whose account is older than `since`, otherwise the
 * source of the address, because one person can open many accounts in a minute, and has any number
 * of IPv6 addresses. Its hash changes daily, so the ones before come along.
 */
function voiceOf(visitor: Visitor, visitors: Visitors, since: number): Pick<NewReport, 'voice' | 'earlierVoices'> {
  const { member } = visitor
  if (member !== null && member.id < uuidv7Floor(since)) return { voice: member.id, earlierVoices: [] }
  return { voice: hashSource(visitor), earlierVoices: visitors.earlierSources(visitor, LOOK_BACK_DAYS) }
}

/** Puts a post into the moderators' queue because a word rule flags it. */
async function openFlaggedCase(
  { db, now, live }: Pick<Core, 'db' | 'now' | 'live'>,
  flagged: FlaggedPost,
): Promise<void> {
  await insertFlaggedCase(db, { ...flagged, at: new Date(now()) })
  live.queueChanged()
}
