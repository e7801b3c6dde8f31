import type { Post } from '@shinobi/contract/posts'
import { toImageFields } from '../threads/threads.view.ts'
import type { PostRow } from './posts.queries.ts'

/**
 * All posts leave the server through this function, over HTTP and socket: every viewer gets the
 * same, and of a removed post only its number.
 */
export function toPost(row: PostRow): Post {
  const deleted = row.deletedAt !== null
  return {
    _id: row.id,
    threadId: row.threadId,
    number: row.number,
    name: deleted ? null : row.name,
    content: deleted ? '' : row.content,
    createdAt: row.createdAt.toISOString(),
    ...toImageFields(deleted ? null : row.image),
    likes: row.likes,
    userId: deleted ? null : row.userId,
    deleted,
    rule: row.removedRule,
    folded: !deleted && row.foldedAt !== null,
    ...(row.asStaff && !deleted && { staff: true }),
  }
}
