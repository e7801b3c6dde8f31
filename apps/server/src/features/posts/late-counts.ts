/**
 * On a cluster, adds posts to the tallies after their commit: the tallies are on the coordinator,
 * and a transaction with them would be committed in two phases, and make all batches wait for one
 * row. What a crash leaves uncounted is corrected when the hour has ended, by recounting it.
 */
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { isDistributed } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { hourAt, lockAgainstRecounts, recountHour, tallyInserted } from '../../db/tallies.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { timeOfUuid } from '../../lib/uuid.ts'
import { noteProgress } from '../settings/settings.queries.ts'

export interface LateCounts {
  /** Counts committed posts, in batches. */
  add(postIds: readonly string[]): void
  /** Recounts the hours that have ended since the last sweep. */
  sweep(now: number, signal?: AbortSignal): Promise<void>
  /** Posts in the queue. */
  waiting(): number
  /** Resolves when everything added so far is counted. */
  settle(): Promise<void>
  close(): Promise<void>
}

const RECOUNTED = 'posts.recounted'
/** Longer after its end no post of an hour is committed any more. */
const HOUR_OPEN_MS = 15 * 60_000
/** Hours that are recounted the first time. */
const FIRST_HOURS = 24

export function createLateCounts({ db, log }: Pick<Core, 'db' | 'log'>): LateCounts {
  const queue = createBatchQueue<string>({
    name: 'late counts',
    everyMs: 250,
    batch: 5_000,
    log,
    work: (postIds) => countLate(db, postIds),
  })
  return {
    add: queue.add,
    waiting: queue.waiting,
    settle: queue.settle,
    close: queue.close,
    async sweep(now, signal) {
      if (await isDistributed(db)) await recountEndedHours(db, now, signal)
    },
  }
}

/** Recounts the posts of the hours that have ended since the last time. */
export async function recountEndedHours(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  const last = hourAt(now - HOUR_OPEN_MS) - 1
  const before = (await selectRecounted(db)) ?? last - FIRST_HOURS
  if (before === last) return
  // A clock that was ahead has recounted the last hour too early.
  for (let hour = Math.min(before + 1, last); hour <= last && signal?.aborted !== true; hour += 1) {
    await recountAndNote(db, hour)
  }
}

/** Counts posts, except those of an hour that was recounted meanwhile. */
const countLate = (db: Db, postIds: readonly string[]): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockAgainstRecounts(tx)
    const through = (await selectRecounted(tx)) ?? -1
    const uncounted = postIds.filter((id) => hourAt(timeOfUuid(id)) > through)
    await tallyInserted('posts', idsOf(uncounted)).execute(tx)
  })

const recountAndNote = (db: Db, hour: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await recountHour(tx, 'posts', hour)
    await noteProgress(tx, RECOUNTED, { through: hour })
  })

/** The last hour that was recounted; undefined before the first one. */
async function selectRecounted(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', RECOUNTED).executeTakeFirst()
  return row?.value['through'] as number | undefined
}
