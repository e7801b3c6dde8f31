import { SEARCH_TAG } from '../search/search.indexer.ts'

/** Tags of cached answers that show threads (see http/response-cache.ts). */
export const threadTags = {
  /** Lists of threads of all categories. */
  lists: 'threads',
  /** Lists of threads of one category. */
  category: (categoryId: string) => `threads:${categoryId}`,
  /** Answers about a thread that new posts do not change: its full pages of posts. */
  thread: (threadId: string) => `thread:${threadId}`,
  /** Answers that change with each new post: the thread's figures and its last page. */
  tail: (threadId: string) => `tail:${threadId}`,
  /** Which posts of a thread answer which: likes, unlike new posts, do not change it. */
  answers: (threadId: string) => `answers:${threadId}`,
  /** Answers that show how many posts threads take. */
  limits: 'thread-limits',
  /** Sitemaps. New threads and posts do not drop them, so they lag behind by a minute. */
  sitemaps: 'sitemaps',
}

/** The threads that tags are about. */
export function threadsOf(tags: Iterable<string>): Set<string> {
  const ids = new Set<string>()
  for (const tag of tags) {
    const id = /^(?:thread|tail):(.+)$/.exec(tag)?.[1]
    if (id !== undefined) ids.add(id)
  }
  return ids
}

/** Tags of all answers that show replies of threads. Lists show them in search results only. */
export const replyTags = (threadIds: readonly string[]): string[] =>
  threadIds.length === 0
    ? []
    : [SEARCH_TAG, ...threadIds.flatMap((id) => [threadTags.thread(id), threadTags.tail(id), threadTags.answers(id)])]

/**
 * Tags of all answers that show threads, or posts of them, which are removed, restored, moved or
 * corrected.
 */
export const removalTags = ({
  threadIds,
  categoryIds,
}: {
  readonly threadIds: readonly string[]
  readonly categoryIds: readonly string[]
}): Set<string> =>
  new Set([
    ...(threadIds.length > 0 ? [threadTags.lists, threadTags.sitemaps] : []),
    ...replyTags(threadIds),
    ...categoryIds.map(threadTags.category),
  ])
