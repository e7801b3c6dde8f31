/** Tags of cached answers about news (see http/response-cache.ts). */
export const newsTags = {
  /** How a thread's summary was made, and what it rests on. */
  summary: (threadId: string) => `summary:${threadId}`,
}
