/**
 * Removes the names of deleted members from their posts. Each small step is a transaction, so that
 * nothing waits long, and the next sweep continues after a crash.
 */
import type { Core } from '../../core.ts'
import type { ImageStore } from '../images/image-store.ts'
import { inTransaction } from '../../db/transaction.ts'
import { deleteRoom, selectRoomIds } from '../accounts/rooms.queries.ts'
import { forgetBanned } from '../bans/banning.service.ts'
import { forgetHeldName } from '../held/holding.queries.ts'
import { forgetWriter } from '../posts/authors.queries.ts'
import type { Levels } from '../levels/levels.service.ts'
import { forgetReportedName, forgetReporter } from '../reports/reports.queries.ts'
import { forgetOpener } from '../threads/threads-state.queries.ts'
import { announceThreadIn } from '../threads/thread-announcement.ts'
import { lockThreads } from '../threads/thread-locks.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { deleteDeparture, selectDepartedIds, selectDeparture } from './departures.queries.ts'

export interface Departures {
  /**
   * Erases a deleted member. Resolves when that is done, or left to the next sweep; never fails.
   */
  erase(userId: string): Promise<void>
  /** Continues with what a crash or a concurrent post has left. */
  sweep(): Promise<void>
  settle(): Promise<void>
  /** Stops after the current step. */
  close(): Promise<void>
}

/** Post numbers of a thread per step. */
const NUMBERS_AT_ONCE = 2_000
const ROOMS_AT_ONCE = 50
const DEPARTURES_AT_ONCE = 1_000
/** The departure is deleted when no request that began before it can still be running. */
const FORGOTTEN_AFTER_MS = 15 * 60_000

export type DeparturesDeps = Pick<Core, 'db' | 'now' | 'cache' | 'live' | 'log'> & {
  readonly images: ImageStore
  readonly levels: Pick<Levels, 'erase'>
}

export function createDepartures(deps: DeparturesDeps): Departures {
  const { db, now, images, levels, log } = deps
  let queue = Promise.resolve()
  let closed = false

  function erase(userId: string): Promise<void> {
    const work = async (): Promise<void> => {
      try {
        await eraseAll(userId)
      } catch (error) {
        log.warn({ err: error }, 'a deleted account is not erased yet, the next sweep continues')
      }
    }
    queue = queue.then(work)
    return queue
  }

  async function eraseAll(userId: string): Promise<void> {
    const departure = closed ? undefined : await selectDeparture(db, userId)
    if (departure === undefined) return
    if (departure.picture !== null) await images.remove(departure.picture)
    for (;;) {
      const threadIds = await selectRoomIds(db, userId, ROOMS_AT_ONCE)
      if (threadIds.length === 0) break
      for (const threadId of threadIds) if (!(await eraseInThread(userId, threadId))) return
    }
    await levels.erase(userId)
    await forgetReporter(db, userId)
    await forgetBanned(db, userId)
    await forgetHeldName(db, userId)
    if (departure.createdAt.getTime() < now() - FORGOTTEN_AFTER_MS) await deleteDeparture(db, userId)
  }

  /** @returns false when it was stopped before the end */
  async function eraseInThread(userId: string, threadId: string): Promise<boolean> {
    for (let after = 0; ; after += NUMBERS_AT_ONCE) {
      if (closed) return false
      if (await eraseStep(deps, userId, threadId, after)) return true
    }
  }

  return {
    erase,
    async sweep() {
      for (const userId of await selectDepartedIds(db, DEPARTURES_AT_ONCE)) await erase(userId)
    },
    settle: () => queue,
    close() {
      closed = true
      return queue
    },
  }
}

/**
 * Erases a member from a range of post numbers in one thread.
 * @returns whether the thread is done
 */
function eraseStep({ db, cache, live }: DeparturesDeps, userId: string, threadId: string, after: number) {
  return inTransaction(db, async (tx) => {
    // The thread is locked: a concurrent post of the member is either visible here, or inserts the
    // room again for the next sweep.
    const [thread] = await lockThreads(tx, [threadId])
    const upTo = after + NUMBERS_AT_ONCE
    const isDone = thread === undefined || upTo >= thread.postCount
    if (thread !== undefined) {
      const cleared = await forgetWriter(tx, { userId, threadId, after, upTo })
      await forgetReportedName(tx, threadId, cleared)
      if (cleared.length > 0 || thread.userId === userId) {
        const { categoryId, postCount } = thread
        const revision = await forgetOpener(tx, userId, threadId)
        const { lists, category, thread: pages, tail } = threadTags
        const tags = [lists, category(categoryId), pages(threadId), tail(threadId)]
        announceThreadIn(tx, { cache, live }, { threadId, postCount, revision }, tags)
      }
    }
    if (isDone) await deleteRoom(tx, userId, threadId)
    return isDone
  })
}
