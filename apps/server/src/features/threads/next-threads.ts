/** The next thread (次スレ) of one that nears its limit, or has reached it. */
import type { Transaction } from 'kysely'
import { endingFrom } from '@shinobi/contract/thread-life'
import type { Tables } from '../../db/tables.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { linkThreads, selectLinks } from './next-threads.queries.ts'
import { announceThreadIn, type AnnouncementDeps } from './thread-announcement.ts'
import { lockStandingThread } from './thread-locks.queries.ts'

export interface NextThreadDeps extends AnnouncementDeps {
  readonly settings: Pick<LiveSettings, 'current'>
}

interface Continuation {
  readonly threadId: string
  readonly previousThreadId: string
}

/**
 * Makes a thread that was opened in this transaction the next one of another. No effect if that one
 * is removed, or still below 95 % of its limit: then the new thread has no predecessor. A next
 * thread that was removed makes room for another. The caller has locked that one
 * (`lockStandingThread`) before it opened the thread: writers of posts lock their thread first,
 * too, and the tally last.
 * @throws ApiError has_next
 */
export async function linkNextIn(
  tx: Transaction<Tables>,
  deps: NextThreadDeps,
  { threadId, previousThreadId }: Continuation,
): Promise<void> {
  const previous = await lockStandingThread(tx, previousThreadId)
  if (previous === undefined) return
  const { next } = await selectLinks(tx, { previousThreadId: null, nextThreadId: previous.nextThreadId })
  if (next !== null) throw refuse('has_next', 'next_thread_exists')
  const ownLimit = (await selectCategory(tx, previous.categoryId))?.postLimit
  const isEnding = previous.postCount >= endingFrom(ownLimit ?? deps.settings.current.postLimit)
  if (previous.closedAt === null && !isEnding) return
  const raised = await linkThreads(tx, previousThreadId, threadId)
  announceThreadIn(tx, deps, { threadId: previousThreadId, ...raised })
}
