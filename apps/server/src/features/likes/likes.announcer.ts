import type { Deps } from '../../deps.ts'
import { createGatherer } from '../../lib/gather.ts'
import { threadTags } from '../threads/threads.tags.ts'
import type { LikeCount } from './likes.queries.ts'

/** Makes committed likes seen: cached answers forget the old counts, open screens get the new ones, いいね順 and trending follow. */
export interface LikeAnnouncer {
  announce(changed: readonly LikeCount[]): void
  /** Tells what waits now. */
  flush(): void
  /** Groups of likes that wait to be told. */
  waiting(): number
  close(): void
}

/** A thread's likes are told once a second at most: the first at once, so that who reloads after a like of their own sees it. */
const EVERY_MS = 1_000
/** Threads in their second, and groups of likes waiting for its end. */
const REMEMBERED_MAX = 10_000

/** News of one thread. */
interface LikeNews {
  readonly likes: Readonly<Record<string, number>>
  /** Whether likes of posts are among it. */
  readonly ofPosts: boolean
  /** The thread's category when likes of the thread itself are among it. */
  readonly categoryId: string | null
}

export type AnnouncerDeps = Pick<Deps, 'cache' | 'live' | 'ranking' | 'log'>

export function createLikeAnnouncer({ cache, live, ranking, log }: AnnouncerDeps): LikeAnnouncer {
  const gatherer = createGatherer<string, LikeNews>({
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
    // The pages of posts in the middle of a thread show its posts' likes, and not its own.
    cache.drop(ofPosts ? [threadTags.thread(threadId), threadTags.tail(threadId)] : [threadTags.tail(threadId)])
    // As the card of a thread is where it is liked.
    if (categoryId !== null) cache.drop([threadTags.lists, threadTags.category(categoryId)], 'calmly')
    live.likesChanged({ threadId, likes })
  }

  return {
    announce(changed) {
      ranking.touch(new Set(changed.filter((count) => count.postId === null).map((count) => count.threadId)))
      for (const [threadId, news] of byThread(changed)) gatherer.add(threadId, news)
    },
    flush: gatherer.flush,
    waiting: gatherer.waiting,
    close: gatherer.close,
  }
}

function byThread(changed: readonly LikeCount[]): Map<string, LikeNews> {
  const news = new Map<string, LikeNews & { likes: Record<string, number> }>()
  for (const { threadId, postId, likes, categoryId } of changed) {
    const known = news.get(threadId)
    if (known !== undefined) known.likes[postId ?? threadId] = likes
    // A group is about threads or about posts, never about both.
    else news.set(threadId, { likes: { [postId ?? threadId]: likes }, ofPosts: postId !== null, categoryId })
  }
  return news
}
