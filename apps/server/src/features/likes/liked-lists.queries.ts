/** Reads a member’s likes, and deletes those of a thread. likes.queries.ts writes them. */
import { LIKED_POSTS_MAX, LIKED_THREADS_MAX } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isThreadVisible } from '../../db/visible.ts'

/** Ids of the threads that a member likes, newest threads first. */
export async function selectLikedThreads(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('threadLikes')
    .innerJoin('threads', 'threads.id', 'threadLikes.threadId')
    .select('threadLikes.threadId')
    .where('threadLikes.userId', '=', userId)
    .where(isThreadVisible('threads'))
    .orderBy('threadLikes.threadId', 'desc')
    .limit(LIKED_THREADS_MAX)
    .execute()
  return rows.map((row) => row.threadId)
}

/**
 * Ids of the posts in a thread that a member likes, newest posts first; none if the thread is
 * removed.
 */
export async function selectLikedPosts(db: Db, threadId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('postLikes')
    .select('postId')
    .where('threadId', '=', threadId)
    .where('userId', '=', userId)
    .where((is) => is.exists(is.selectFrom('threads').select('id').where('id', '=', threadId).where(isThreadVisible())))
    .orderBy('postId', 'desc')
    .limit(LIKED_POSTS_MAX)
    .execute()
  return rows.map((row) => row.postId)
}

/** Deletes some of a thread's likes. @returns whether there may be more */
export const deleteLikesOfThread = async (db: Db, threadId: string, limit: number): Promise<boolean> =>
  (await deleteOfThread(db, 'postLikes', threadId, limit)) || deleteOfThread(db, 'threadLikes', threadId, limit)
