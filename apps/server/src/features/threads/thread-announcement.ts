import type { Transaction } from 'kysely'
import type { ThreadState } from '@shinobi/contract/events'
import type { Core } from '../../core.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import { threadTags } from './threads.tags.ts'

export interface AnnouncementDeps {
  readonly cache: Pick<Core['cache'], 'drop'>
  readonly live: Pick<Core['live'], 'threadChanged'>
}

/**
 * Drops, after the commit, what is cached of a changed thread, and lets clients that have it open
 * fetch it again: of a removed one they get 404.
 * @param tags what of the cache the change concerns, where that is more than the thread's own page
 */
export function announceThreadIn(
  tx: Transaction<Tables>,
  { cache, live }: AnnouncementDeps,
  { threadId, postCount, revision }: ThreadState,
  tags: Iterable<string> = [threadTags.thread(threadId), threadTags.tail(threadId)],
): void {
  afterCommit(tx, () => {
    cache.drop(tags, 'at once')
    live.threadChanged({ threadId, postCount, revision })
  })
}
