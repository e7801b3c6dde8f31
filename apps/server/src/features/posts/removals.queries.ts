import { sql, type RawBuilder } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Db } from '../../db/client.ts'
import { isThread, writeByThread } from '../../db/distribution.ts'
import { sendByShard } from '../../db/shards.ts'
import type { StoredImage } from '../../db/tables.ts'
import { isPostVisible } from '../../db/visible.ts'

/** A post by its thread and id: ids are unique within a thread. */
export interface PostTarget {
  readonly threadId: string
  readonly postId: string
}

/** A post by its thread and number. */
export interface PostPlace {
  readonly threadId: string
  readonly number: number
}

/** Posts by their numbers as a table. */
export const placeTable = (places: readonly PostPlace[]): RawBuilder<unknown> => {
  const input = JSON.stringify(places.map(({ threadId, number }) => ({ threadId, number })))
  return sql`json_to_recordset(${input}::text::json) as place("threadId" uuid, number integer)`
}

/** The thread of a post, by the post's id alone. */
export async function selectThreadOfPost(db: Db, postId: string): Promise<string | undefined> {
  const row = await db.selectFrom('posts').select('threadId').where('id', '=', postId).executeTakeFirst()
  return row?.threadId
}

/**
 * Whether anything of a removed post is left to clear or to restore: posts of logs may have a name
 * without a text. As the index posts_kept has it.
 */
export const hasKept = sql<boolean>`
  num_nonnulls(nullif(content, ''), name, trip, mail, "posterId", "userId", "visitorId", image, "foldReason") > 0`

/** A post whose row is locked, with all fields that a removal hides. */
export interface LockedPost {
  readonly threadId: string
  readonly id: string
  readonly number: number
  readonly content: string
  readonly image: StoredImage | null
  readonly deletedAt: Date | null
  readonly foldedAt: Date | null
  readonly withdrawn: boolean
  readonly createdAt: Date
  readonly userId: string | null
  readonly visitorId: string | null
  readonly name: string | null
  readonly trip: string | null
  readonly hasKept: boolean
}

const targetTable = (targets: readonly PostTarget[]): RawBuilder<unknown> => sql`
  json_to_recordset(${JSON.stringify(targets)}::text::json) as target("threadId" uuid, "postId" uuid)`

/**
 * Locks posts in the order of thread and number, as the writer of likes does. The threads must be
 * locked.
 */
export const lockPosts = (tx: Db, targets: readonly PostTarget[]): Promise<LockedPost[]> =>
  writeByThread(tx, targets, async (_, some, only) => {
    const { rows } = await sql<LockedPost>`
      select "threadId", id, number, content, image, "deletedAt", "foldedAt", withdrawn, "createdAt", "userId", "visitorId", name, trip,
        ${hasKept} as "hasKept"
      from posts as p
      where (p."threadId", p.id) in (select target."threadId", target."postId" from ${targetTable(some)})
        and ${isThread('p.threadId', only)}
      order by "threadId", number for no key update`.execute(tx)
    return rows
  })

/** How posts are removed: by a moderator, for a rule of the board, or by their writer. */
export type Removal = { readonly at: Date; readonly rule: RuleKey } | { readonly at: Date; readonly withdrawn: true }

export const isWithdrawal = (removal: Removal | null): boolean => removal !== null && 'withdrawn' in removal

/** Turns posts into tombstones, or (with null) restores them. */
export async function setRemoved(tx: Db, posts: readonly PostPlace[], removal: Removal | null): Promise<void> {
  const rule = removal !== null && 'rule' in removal ? removal.rule : null
  await sendByShard(tx, posts, (some, limit) =>
    sql`
    update posts as p set "deletedAt" = ${removal?.at ?? null}::timestamptz, "removedRule" = ${rule}::text,
      withdrawn = ${isWithdrawal(removal)}
    from ${placeTable(some)}
    where p."threadId" = place."threadId" and p.number = place.number and ${limit('p.threadId', 'p.number')}`.execute(
      tx,
    ),
  )
}

/** Post 1 of a thread, and its writer; undefined when it is removed. */
export async function selectStandingOpening(
  tx: Db,
  threadId: string,
): Promise<Pick<LockedPost, 'id' | 'userId' | 'visitorId'> | undefined> {
  return tx
    .selectFrom('posts')
    .select(['id', 'userId', 'visitorId'])
    .where('threadId', '=', threadId)
    .where('number', '=', 1)
    .where(isPostVisible())
    .executeTakeFirst()
}
