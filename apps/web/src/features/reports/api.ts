import type { Post } from '@shinobi/contract/posts'
import { apiSend } from '../../lib/api-client.ts'

/**
 * Reports a post with what the reporter saw. Resolves with the server's words. A session that turns out to be over is no reason to
 * leave the page: visitors may report as well.
 */
export async function reportPost({ threadId, _id, content }: Post, reason: string): Promise<string> {
  const path = `/api/threads/${encodeURIComponent(threadId)}/posts/${encodeURIComponent(_id)}/report`
  return (await apiSend<{ message?: string }>('POST', path, { reason, content }, { background: true })).message ?? ''
}
