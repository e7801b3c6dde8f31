import type { Post } from '@shinobi/contract/posts'
import { toImageFields } from '../threads/threads.view.ts'
import type { ListedPostRow, PostRow } from './posts.queries.ts'

/**
 * All posts leave the server through this function, over HTTP and socket: every viewer gets the
 * same, and of a removed post only its number.
 */
export function toPost(row: PostRow | ListedPostRow): Post {
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
    ...(row.withdrawn && { withdrawn: true as const }),
    folded: !deleted && row.foldedAt !== null,
    ...(!deleted && row.foldReason !== null && { foldReason: row.foldReason }),
    ...(!deleted && toMarks(row)),
  }
}

/** Missing fields, rather than nulls, keep pages and messages small. */
function toMarks(row: PostRow | ListedPostRow): Partial<Post> {
  const { asStaff, trip, posterId, sage, plainLinks } = row
  return {
    ...(asStaff && { staff: true }),
    ...(trip !== null && { trip }),
    ...(sage && { sage: true }),
    ...(plainLinks && { plainLinks: true }),
    ...(posterId !== null && { posterId }),
    ...('posterNth' in row &&
      row.posterNth !== null && { posterNth: row.posterNth, posterTotal: row.posterTotal ?? row.posterNth }),
  }
}
