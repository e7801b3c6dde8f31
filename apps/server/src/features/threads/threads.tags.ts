/** Tags of cached answers that show threads (see http/response-cache.ts). */
export const threadTags = {
  /** Lists of all categories. */
  lists: 'threads',
  /** Lists of one category. */
  category: (categoryId: string) => `threads:${categoryId}`,
  /** Anything of a thread that stays when posts are added: its full pages of posts. */
  thread: (threadId: string) => `thread:${threadId}`,
  /** What changes with each new post: the thread's figures and its last page. */
  tail: (threadId: string) => `tail:${threadId}`,
}
