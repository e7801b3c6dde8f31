import type { Post } from '@shinobi/contract/posts'
import { apiSend } from '../../lib/api-client.ts'

/**
 * Reports a post with the content that the reporter saw. Resolves with the server's message. An
 * expired session does not redirect to the log-in, because visitors may report as well.
 */
export async function reportPost({ threadId, _id, content }: Post, reason: string): Promise<string> {
  const path = `/api/threads/${encodeURIComponent(threadId)}/posts/${encodeURIComponent(_id)}/report`
  return (await apiSend<{ message?: string }>('POST', path, { reason, content }, { background: true })).message ?? ''
}
