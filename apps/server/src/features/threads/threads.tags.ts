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
  /** Answers that show how many posts threads take. */
  limits: 'thread-limits',
}
