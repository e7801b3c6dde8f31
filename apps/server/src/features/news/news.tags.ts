/** Tags of cached answers about news (see http/response-cache.ts). */
export const newsTags = {
  /** The summary of a thread and its sources. */
  summary: (threadId: string) => `summary:${threadId}`,
}
