import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isPostVisible } from '../../db/visible.ts'
import { toExcerpt } from '../threads/threads.excerpt.ts'
import type { PostTarget } from './removals.queries.ts'

export interface FoldedPost {
  readonly number: number
  /** Revision of the thread, including this change. */
  readonly revision: number
  readonly postCount: number
  readonly categoryId: string
}

/** Who folds a post: those who report it, until a moderator has decided, or its thread's opener. */
export type Folder = 'reporters' | 'owner'

/** A fold; the reason is that of the opener, null after reports. */
export interface Fold {
  readonly at: Date
  readonly reason: string | null
}

/**
 * Folds a post, or unfolds it (`fold` null), and raises its thread's revision. The thread must be
 * locked. Each folder unfolds only its own folds; a fold after reports replaces one of the opener,
 * so that an opener cannot take it back. What lists show of post 1 is hidden while it is folded.
 * @returns undefined when nothing had to change, or the post was removed
 */
export async function updateFold(
  tx: Db,
  { threadId, postId }: PostTarget,
  fold: Fold | null,
  by: Folder,
): Promise<FoldedPost | undefined> {
  const excerpt = fold === null ? toExcerpt(await selectContent(tx, { threadId, postId })) : ''
  const { rows } = await sql<FoldedPost>`
    with changed as (
      update posts set "foldedAt" = ${fold?.at ?? null}::timestamptz, "foldReason" = ${fold?.reason ?? null}::text
      where "threadId" = ${threadId}::uuid and id = ${postId}::uuid and ${isPostVisible()} and ${changes(fold, by)}
      returning number, ${fold === null ? sql`image` : sql`null::jsonb`} as image
    )
    update threads set revision = revision + 1,
      excerpt = case when changed.number = 1 then ${excerpt}::text else threads.excerpt end,
      image = case when changed.number = 1 then changed.image else threads.image end
    from changed where threads.id = ${threadId}::uuid
    returning changed.number, threads.revision, threads."postCount", threads."categoryId"`.execute(tx)
  return rows[0]
}

async function selectContent(tx: Db, { threadId, postId }: PostTarget): Promise<string> {
  const post = await tx
    .selectFrom('posts')
    .select('content')
    .where('threadId', '=', threadId)
    .where('id', '=', postId)
    .executeTakeFirst()
  return post?.content ?? ''
}

function changes(fold: Fold | null, by: Folder): RawBuilder<boolean> {
  if (by === 'owner') return fold === null ? sql`"foldReason" is not null` : sql`"foldedAt" is null`
  return fold === null
    ? sql`"foldedAt" is not null and "foldReason" is null`
    : sql`("foldedAt" is null or "foldReason" is not null)`
}
