/**
 * Deletes old rows. docs/retention.md lists every table: why it is kept, for how long, and by which
 * setting. purge.ts deletes posts and threads that moderators have removed.
 */
import { setImmediate } from 'node:timers/promises'
import { LEVEL_MOVE_DAYS } from '@shinobi/contract/limits'
import type { Core } from './core.ts'
import { deleteExpiredTokens } from './features/accounts/mail-tokens.queries.ts'
import { deleteGivenUpMails } from './features/accounts/mails.queries.ts'
import type { Mails } from './features/accounts/mails.service.ts'
import { deleteExpiredSessions } from './features/accounts/sessions.queries.ts'
import { deleteFormerNames } from './features/accounts/user-names.queries.ts'
import { emptyOldDetails } from './features/audit/audit.queries.ts'
import { deleteEndedBans } from './features/bans/bans.queries.ts'
import { deleteOldMoves, deleteUnseenLevels } from './features/levels/levels.queries.ts'
import { deleteEndedIpLogging } from './features/ip-logging/ip-logging.queries.ts'
import { deleteClosedCases } from './features/reports/cases.queries.ts'
import { deleteOldProofCodes, deleteOldProofs } from './features/shields/proofs.queries.ts'
import { dayInJapan } from './lib/day-in-japan.ts'
import { forgetNicknames } from './features/threads/nicknames.queries.ts'
import { deleteOldRequests } from './features/threads/threads.queries.ts'

const DAY_MS = 86_400_000
/** Rows per statement, so that it holds its locks only briefly. */
const BATCH = 500
/** Failed mails are counted in /metrics for this long: a long weekend. */
const GIVEN_UP_MAILS_DAYS = 4
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Batches of threads with nicknames per sweep; the next sweep continues after them. */
const NAMED_PARTS = 20

export interface RetentionDeps extends Pick<Core, 'db' | 'config'> {
  readonly mails: Mails | null
}

export interface Retention {
  /**
   * Deletes all rows that are due, one table after the other. A sweep that is aborted is continued
   * by the next one.
   */
  sweep(now: number, signal?: AbortSignal): Promise<void>
}

/** @param batch for tests */
export function createRetention({ db, config: { keepDays }, mails }: RetentionDeps, batch = BATCH): Retention {
  let namesAfter = FIRST_ID

  async function sweepNicknames(before: Date, signal: AbortSignal | undefined): Promise<void> {
    for (let part = 0; part < NAMED_PARTS && signal?.aborted !== true; part += 1) {
      const last = await forgetNicknames(db, { before, after: namesAfter, limit: batch })
      namesAfter = last ?? FIRST_ID
      if (last === null) return
      await setImmediate()
    }
  }

  return {
    async sweep(now, signal) {
      const at = new Date(now)
      const daysAgo = (days: number): Date => new Date(now - days * DAY_MS)

      /**
       * Repeats a step until it finds less than a full batch. Yields to the event loop in between.
       */
      async function inBatches(step: (limit: number) => Promise<number>): Promise<void> {
        while (signal?.aborted !== true && (await step(batch)) >= batch) await setImmediate()
      }

      await mails?.giveUpExpired(at)
      await inBatches((limit) => deleteExpiredTokens(db, at, limit))
      await deleteGivenUpMails(db, daysAgo(GIVEN_UP_MAILS_DAYS))
      await inBatches((limit) => deleteExpiredSessions(db, at, limit))
      await inBatches((limit) => deleteFormerNames(db, at, limit))
      await inBatches((limit) => deleteOldProofs(db, at, limit))
      await inBatches((limit) => deleteOldProofCodes(db, at, limit))
      await inBatches((limit) => deleteOldMoves(db, daysAgo(LEVEL_MOVE_DAYS), limit))

      if (keepDays.visitors > 0) {
        const before = dayInJapan(daysAgo(keepDays.visitors).getTime())
        await inBatches((limit) => deleteUnseenLevels(db, before, limit))
      }
      if (keepDays.requests > 0) {
        await inBatches((limit) => deleteOldRequests(db, daysAgo(keepDays.requests), limit))
      }
      if (keepDays.moderation > 0) {
        const before = daysAgo(keepDays.moderation)
        await inBatches((limit) => deleteClosedCases(db, before, limit))
        await inBatches((limit) => deleteEndedBans(db, before, limit))
        await deleteEndedIpLogging(db, before)
        await inBatches((limit) => emptyOldDetails(db, before, limit))
      }
      if (keepDays.nicknames > 0) await sweepNicknames(daysAgo(keepDays.nicknames), signal)
    },
  }
}
