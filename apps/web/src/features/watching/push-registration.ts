/** What a browser registers for notices while it is closed; pure. */
import { PUSH_OWN_POSTS_MAX, PUSH_THREADS_MAX, WATCHED_MAX } from '@shinobi/contract/watching-limits'
import type { PushRegistration } from '@shinobi/contract/push'
import { latestFirst } from '../notebook/rows.ts'
import type { ThreadRecord } from '../reading/store.ts'
import { isWatched, type PushWishes, type Watching } from './alerts.ts'

/** What is told unless the visitor chooses otherwise: nothing at night, and no titles. */
export const PUSH_WISHES: Omit<PushWishes, 'token'> = {
  answers: true,
  posts: true,
  words: true,
  titles: false,
  quiet: { from: 23, until: 7 },
  perHour: 6,
}

/**
 * Without the subscription. Own posts are named even where answers are not wanted, so that nobody
 * is told of them; the order of threads is always the same, so that equal registrations are equal.
 */
export function toRegistration(
  watching: Watching,
  records: readonly ThreadRecord[],
  { posts, words, ...wishes }: PushWishes,
): Omit<PushRegistration, 'subscription'> {
  const threads = latestFirst(records).map((record) => ({
    threadId: record.threadId,
    watched: posts && isWatched(watching, record),
    ownPosts: [...new Set([...(record.isOwn ? [1] : []), ...record.ownPosts])].slice(-PUSH_OWN_POSTS_MAX),
  }))
  const watched = threads.filter((thread) => thread.watched).slice(0, WATCHED_MAX)
  const own = threads.filter((thread) => !thread.watched && thread.ownPosts.length > 0)
  return {
    ...wishes,
    threads: [...watched, ...own]
      .slice(0, PUSH_THREADS_MAX)
      .toSorted((one, other) => (one.threadId < other.threadId ? -1 : 1)),
    words: words ? [...watching.keywords] : [],
  }
}
