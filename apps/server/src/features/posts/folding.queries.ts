import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isPostVisible } from '../../db/visible.ts'
import type { PostTarget } from './removals.queries.ts'

export interface FoldedPost {
  readonly number: number
  /** Revision of the thread, including this change. */
  readonly revision: number
  readonly postCount: number
}

/**
 * Folds a post, or unfolds it (`foldedAt` null), and raises its thread's revision. The thread must
 * be locked.
 * @returns undefined when nothing had to change, or the post was removed
 */
export async function updateFold(
  tx: Db,
  { threadId, postId }: PostTarget,
  foldedAt: Date | null,
): Promise<FoldedPost | undefined> {
  const { rows } = await sql<FoldedPost>`
    with changed as (
      update posts set "foldedAt" = ${foldedAt}::timestamptz
      where "threadId" = ${threadId}::uuid and id = ${postId}::uuid and ${isPostVisible()}
        and ("foldedAt" is null) = ${foldedAt !== null}::boolean
      returning number
    )
    update threads set revision = revision + 1 from changed where threads.id = ${threadId}::uuid
    returning changed.number, threads.revision, threads."postCount"`.execute(tx)
  return rows[0]
}
