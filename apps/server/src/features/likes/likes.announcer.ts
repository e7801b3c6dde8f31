import type { Core } from '../../core.ts'
import { createThrottle } from '../../lib/throttle.ts'
import type { SortColumns } from '../threads/threads.sort-columns.ts'
import { threadTags } from '../threads/threads.tags.ts'
import type { LikeCount } from './likes.queries.ts'

/**
 * Publishes committed likes: drops cached answers with the old counts, sends the new ones to open
 * pages, and updates the order of likes (いいね順) and trending.
 */
export interface LikeAnnouncer {
  announce(changed: readonly LikeCount[]): void
  /** Publishes waiting changes now. */
  flush(): void
  /** Number of threads with waiting changes. */
  waiting(): number
  close(): void
}

/**
 * A thread's likes are published at most once a second. The first one is published at once, so that
 * members see their own like when they reload.
 */
const EVERY_MS = 1_000
/** Threads published within the last second, and their waiting changes. */
const REMEMBERED_MAX = 10_000

/** Changed likes of one thread. */
interface LikeNews {
  readonly likes: Readonly<Record<string, number>>
  /** Whether likes of posts have changed. */
  readonly ofPosts: boolean
  /** The thread's category if likes of the thread itself have changed. */
  readonly categoryId: string | null
}

export type AnnouncerDeps = Pick<Core, 'cache' | 'live' | 'log'> & { readonly sortColumns: SortColumns }

export function createLikeAnnouncer({ cache, live, sortColumns, log }: AnnouncerDeps): LikeAnnouncer {
  const throttle = createThrottle<string, LikeNews>({
    everyMs: EVERY_MS,
    max: REMEMBERED_MAX,
    merge: (before, after) => ({
      likes: { ...before.likes, ...after.likes },
      ofPosts: before.ofPosts || after.ofPosts,
      categoryId: after.categoryId ?? before.categoryId,
    }),
    tell: (threadId, news) => {
      try {
        tell(threadId, news)
      } catch (error) {
        log.error({ err: error }, 'likes could not be announced')
      }
    },
  })

  function tell(threadId: string, { likes, ofPosts, categoryId }: LikeNews): void {
    // Cached pages in the middle of a thread show the likes of its posts, but not the thread's own.
    cache.drop(ofPosts ? [threadTags.thread(threadId), threadTags.tail(threadId)] : [threadTags.tail(threadId)])
    // Threads are liked on their cards in lists, so members must see their own like there.
    if (categoryId !== null) cache.drop([threadTags.lists, threadTags.category(categoryId)], 'throttled')
    live.likesChanged({ threadId, likes })
  }

  return {
    announce(changed) {
      sortColumns.touch(new Set(changed.filter((count) => count.postId === null).map((count) => count.threadId)))
      for (const [threadId, news] of byThread(changed)) throttle.add(threadId, news)
    },
    flush: throttle.flush,
    waiting: throttle.waiting,
    close: throttle.close,
  }
}

function byThread(changed: readonly LikeCount[]): Map<string, LikeNews> {
  const news = new Map<string, LikeNews & { likes: Record<string, number> }>()
  for (const { threadId, postId, likes, categoryId } of changed) {
    const known = news.get(threadId)
    if (known !== undefined) known.likes[postId ?? threadId] = likes
    // A group has likes of threads or of posts, never both.
    else news.set(threadId, { likes: { [postId ?? threadId]: likes }, ofPosts: postId !== null, categoryId })
  }
  return news
}
