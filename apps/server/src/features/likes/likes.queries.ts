/**
 * Stores likes and keeps their counts, so that each like counts once for a member. The group commit
 * of likes.writer.ts calls it; liked-lists.queries.ts reads which ones a member likes.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isDistributed, writeByThread } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { timeOfUuid } from '../../lib/uuid.ts'
import { heatAfterRemoving, heatAfterAdding, shareOfHeat } from '../threads/threads.trending.ts'
import { weightOfLike } from './likes.weight.ts'

/** A member's request to like or unlike a thread or post. */
export interface LikeChange {
  readonly threadId: string
  /** The post; null for the thread itself. */
  readonly postId: string | null
  readonly userId: string
  readonly liked: boolean
}

/** Likes of a thread or post after a group of changes. */
export interface LikeCount {
  readonly threadId: string
  /** Null for the thread itself. */
  readonly postId: string | null
  readonly likes: number
  /** Likes added and removed by the group. A change that was in effect before counts as neither. */
  readonly added: number
  readonly removed: number
  /** The category of a thread; null for a post, as lists of threads do not show its likes. */
  readonly categoryId: string | null
}

/** The changes as a table. */
const changeTable = (changes: readonly LikeChange[]): RawBuilder<unknown> => sql`
  select * from json_to_recordset(${JSON.stringify(changes.map(withAge))}::text::json)
    as change("threadId" uuid, "postId" uuid, "userId" uuid, "memberSince" timestamptz, liked boolean)`

/** The id of an account tells when it was opened. */
const withAge = <T extends { readonly userId: string }>(row: T): T & { readonly memberSince: Date } => ({
  ...row,
  memberSince: new Date(timeOfUuid(row.userId)),
})

/**
 * Applies changes about threads in one statement, which is one transaction. Threads are locked
 * first, in the order of their ids as everywhere, so that two servers never deadlock. Counters
 * change by exactly the inserted and deleted rows. A like raises the heat of its thread by its
 * weight, and its share is subtracted when it is taken back. Threads that do not exist or are
 * removed are left out. Expects at most one change per member and thread.
 */
export async function writeThreadLikes(db: Db, changes: readonly LikeChange[], at: number): Promise<LikeCount[]> {
  if (await isDistributed(db)) return writeByThread(db, changes, (tx, own) => writeLikesOfThread(tx, own, at))
  const heat = sql<number>`locked.heat`
  const cooled = heatAfterRemoving(heat, sql<number>`changed.share`, sql<Date>`locked."lastPostAt"`)
  const heated = heatAfterAdding(sql<number>`cooled.heat`, sql<number>`cooled.weight`, at)
  const createdAt = sql<Date>`own."createdAt"`
  const weight = weightOfLike(sql<Date>`change."memberSince"`, createdAt)
  const { rows } = await sql<LikeCount>`
    with change as (${changeTable(changes)}),
    locked as (
      select id, likes, heat, "lastPostAt", "categoryId" from threads
      where id in (select "threadId" from change) and ${isThreadVisible()} order by id for no key update
    ), added as (
      insert into "threadLikes" ("threadId", "userId", "createdAt")
      select change."threadId", change."userId", ${new Date(at)}::timestamptz
      from locked join change on change."threadId" = locked.id where change.liked
      on conflict do nothing
      returning "threadId", "userId", "createdAt"
    ), removed as (
      delete from "threadLikes" as own using locked join change on change."threadId" = locked.id
      where not change.liked and own."threadId" = change."threadId" and own."userId" = change."userId"
      returning own."threadId", ${shareOfHeat(heat, weight, createdAt)} as share
    ), changed as (
      select "threadId", sum(added)::integer as added, sum(removed)::integer as removed, sum(weight) as weight, sum(share) as share
      from (
        select "threadId", 1 as added, 0 as removed, ${weight} as weight, 0::float8 as share
        from added as own join change using ("threadId", "userId")
        union all select "threadId", 0, 1, 0, share from removed
      ) as delta group by "threadId"
    ), cooled as (
      select changed.*, case when changed.removed > 0 then ${cooled} else locked.heat end as heat
      from changed join locked on locked.id = changed."threadId"
    ), counted as (
      update threads as t
      set likes = t.likes + cooled.added - cooled.removed, heat = case when cooled.added > 0 then ${heated} else cooled.heat end
      from cooled where t.id = cooled."threadId"
    )
    select locked.id as "threadId", null as "postId", locked."categoryId", coalesce(changed.added, 0) as added,
      coalesce(changed.removed, 0) as removed, locked.likes + coalesce(changed.added - changed.removed, 0) as likes
    from locked left join changed on changed."threadId" = locked.id`.execute(db)
  return rows
}

/**
 * Applies changes about posts in the same way. Posts are locked in the order of thread and number.
 * Posts are left out if they do not exist, are removed (or their thread is), or belong to another
 * thread than the change names.
 */
export async function writePostLikes(db: Db, changes: readonly LikeChange[], at: number): Promise<LikeCount[]> {
  if (await isDistributed(db)) return writeByThread(db, changes, (tx, own) => writeLikesOfPosts(tx, own, at))
  const { rows } = await sql<LikeCount>`
    with change as (${changeTable(changes)}),
    locked as (
      select post."threadId", post.number, post.id, post.likes
      from posts as post join (select distinct "threadId", "postId" from change) as wanted
        on wanted."postId" = post.id and wanted."threadId" = post."threadId"
      where ${isPostVisible('post')}
        and exists (select from threads where threads.id = post."threadId" and ${isThreadVisible('threads')})
      order by post."threadId", post.number for no key update of post
    ), added as (
      insert into "postLikes" ("threadId", "userId", "postId", "createdAt")
      select change."threadId", change."userId", change."postId", ${new Date(at)}::timestamptz
      from locked join change on change."postId" = locked.id and change."threadId" = locked."threadId" where change.liked
      on conflict do nothing
      returning "postId"
    ), removed as (
      delete from "postLikes" as own using locked join change on change."postId" = locked.id and change."threadId" = locked."threadId"
      where not change.liked and own."threadId" = change."threadId" and own."userId" = change."userId" and own."postId" = change."postId"
      returning own."postId"
    ), changed as (
      select "postId", sum(added)::integer as added, sum(removed)::integer as removed from (
        select "postId", 1 as added, 0 as removed from added union all select "postId", 0, 1 from removed
      ) as delta group by "postId"
    ), counted as (
      update posts as post set likes = post.likes + changed.added - changed.removed
      from changed join locked on locked.id = changed."postId"
      where post."threadId" = locked."threadId" and post.number = locked.number
    )
    select locked."threadId", locked.id as "postId", null as "categoryId", coalesce(changed.added, 0) as added,
      coalesce(changed.removed, 0) as removed, locked.likes + coalesce(changed.added - changed.removed, 0) as likes
    from locked left join changed on changed."postId" = locked.id`.execute(db)
  return rows
}

// On a cluster the same takes several statements per thread: a worker cannot lock, write and count
// in one.

async function writeLikesOfThread(tx: Db, changes: readonly LikeChange[], at: number): Promise<LikeCount[]> {
  const { threadId } = changes[0]!
  const [thread] = (
    await sql<{ likes: number; heat: number; lastPostAt: Date; categoryId: string }>`
      select likes, heat, "lastPostAt", "categoryId" from threads
      where id = ${threadId}::uuid and ${isThreadVisible()} for no key update`.execute(tx)
  ).rows
  if (thread === undefined) return []
  const { rows: added } = await sql<StoredLike>`
    insert into "threadLikes" ("threadId", "userId", "createdAt")
    select ${threadId}::uuid, "userId", ${new Date(at)}::timestamptz from (${changeTable(changes)}) as change where liked
    on conflict do nothing returning "userId", "createdAt"`.execute(tx)
  const { rows: removed } = await sql<StoredLike>`
    delete from "threadLikes" where "threadId" = ${threadId}::uuid
      and "userId" in (select "userId" from (${changeTable(changes)}) as change where not liked)
    returning "userId", "createdAt"`.execute(tx)
  const likes = thread.likes + added.length - removed.length
  if (added.length > 0 || removed.length > 0) {
    const heat = await changeHeat(tx, thread, { added, removed, at })
    await tx.updateTable('threads').set({ likes, heat }).where('id', '=', threadId).execute()
  }
  const { categoryId } = thread
  return [{ threadId, postId: null, likes, added: added.length, removed: removed.length, categoryId }]
}

/** A like as it is, or was, stored. */
interface StoredLike {
  readonly userId: string
  readonly createdAt: Date
}

/** Stored likes as a table. */
const likeTable = (likes: readonly StoredLike[]): RawBuilder<unknown> => sql`
  json_to_recordset(${JSON.stringify(likes.map(withAge))}::text::json)
    as own("memberSince" timestamptz, "createdAt" timestamptz)`

/** The heat of a thread after added and removed likes. */
async function changeHeat(
  tx: Db,
  { heat, lastPostAt }: { readonly heat: number; readonly lastPostAt: Date },
  {
    added,
    removed,
    at,
  }: { readonly added: readonly StoredLike[]; readonly removed: readonly StoredLike[]; readonly at: number },
): Promise<number> {
  const before = sql<number>`${heat}::float8`
  const createdAt = sql<Date>`own."createdAt"`
  const weight = weightOfLike(sql<Date>`own."memberSince"`, createdAt)
  const share = sql<number>`(select sum(${shareOfHeat(before, weight, createdAt)}) from ${likeTable(removed)})`
  const cooled = removed.length === 0 ? before : heatAfterRemoving(before, share, sql<Date>`${lastPostAt}::timestamptz`)
  const events = sql<number>`(select sum(${weight}) from ${likeTable(added)})`
  const heated = heatAfterAdding(sql<number>`cooled.heat`, events, at)
  const { rows } = await sql<{ heat: number }>`
    select ${added.length === 0 ? sql`cooled.heat` : heated} as heat from (select ${cooled} as heat) as cooled`.execute(
    tx,
  )
  return rows[0]!.heat
}

async function writeLikesOfPosts(tx: Db, changes: readonly LikeChange[], at: number): Promise<LikeCount[]> {
  const { threadId } = changes[0]!
  const ids = [...new Set(changes.map(({ postId }) => postId))] as string[]
  const { rows: posts } = await sql<{ number: number; id: string; likes: number }>`
    select number, id, likes from posts as post
    where post."threadId" = ${threadId}::uuid and post.id in ${idsOf(ids)} and ${isPostVisible('post')}
      and exists (select from threads where id = ${threadId}::uuid and ${isThreadVisible()})
    order by number for no key update of post`.execute(tx)
  const known = changes.filter(({ postId }) => posts.some(({ id }) => id === postId))
  if (known.length === 0) return []
  const { rows: added } = await sql<{ postId: string }>`
    insert into "postLikes" ("threadId", "userId", "postId", "createdAt")
    select ${threadId}::uuid, "userId", "postId", ${new Date(at)}::timestamptz from (${changeTable(known)}) as change where liked
    on conflict do nothing returning "postId"`.execute(tx)
  const { rows: removed } = await sql<{ postId: string }>`
    delete from "postLikes" where "threadId" = ${threadId}::uuid
      and ("userId", "postId") in (select "userId", "postId" from (${changeTable(known)}) as change where not liked)
    returning "postId"`.execute(tx)
  const counted = posts.map(({ number, id, likes }) => {
    const [came, went] = [added, removed].map((rows) => rows.filter(({ postId }) => postId === id).length) as [
      number,
      number,
    ]
    return { threadId, number, postId: id, categoryId: null, added: came, removed: went, likes: likes + came - went }
  })
  await sql`
    update posts set likes = counted.likes
    from json_to_recordset(${JSON.stringify(counted)}::text::json) as counted(number integer, likes integer)
    where posts."threadId" = ${threadId}::uuid and posts.number = counted.number`.execute(tx)
  return counted.map(({ postId, categoryId, likes, added: came, removed: went }) => ({
    ...{ threadId, postId, categoryId, likes },
    ...{ added: came, removed: went },
  }))
}
