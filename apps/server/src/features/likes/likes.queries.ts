import { sql, type RawBuilder } from 'kysely'
import { LIKED_POSTS_MAX, LIKED_THREADS_MAX } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { loweredHeat, raisedHeat, shareOfHeat } from '../threads/threads.heat.ts'

/** What a member wants: to like a thread or post, or to like it no more. */
export interface Wish {
  readonly threadId: string
  /** The post; null for the thread itself. */
  readonly postId: string | null
  readonly userId: string
  readonly liked: boolean
}

/** Where the likes of a thread or post stand after a group of wishes. */
export interface LikeCount {
  readonly threadId: string
  /** Null for the thread itself. */
  readonly postId: string | null
  readonly likes: number
  /** Likes that were added and taken back by the group; a wish that was fulfilled before is neither. */
  readonly added: number
  readonly removed: number
  /** The category of a thread; null for a post, which no list of threads shows. */
  readonly categoryId: string | null
}

/** The wishes as a table. */
const wishTable = (wishes: readonly Wish[]): RawBuilder<unknown> => sql`
  select * from json_to_recordset(${JSON.stringify(wishes)}::text::json)
    as wish("threadId" uuid, "postId" uuid, "userId" uuid, liked boolean)`

/**
 * Fulfils wishes about threads in one statement, which is one transaction. The threads are locked first, in the order of their
 * ids as everywhere, so that two servers never wait for each other in a circle; counters change by exactly the rows that came
 * and went. A like heats its thread, and takes along what it had added when it goes. Threads that do not exist, or were removed, are
 * left out. Expects one wish of a member for each thread at most.
 */
export async function writeThreadLikes(db: Db, wishes: readonly Wish[], at: number): Promise<LikeCount[]> {
  const heat = sql<number>`locked.heat`
  const cooled = loweredHeat(heat, sql<number>`changed.share`, sql<Date>`locked."lastPostAt"`)
  const heated = raisedHeat(sql<number>`cooled.heat`, sql<number>`cooled.added`, at)
  const { rows } = await sql<LikeCount>`
    with wish as (${wishTable(wishes)}),
    locked as (
      select id, likes, heat, "lastPostAt", "categoryId" from threads
      where id in (select "threadId" from wish) and "removedAt" is null order by id for no key update
    ), added as (
      insert into "threadLikes" ("threadId", "userId", "createdAt")
      select wish."threadId", wish."userId", ${new Date(at)}::timestamptz
      from locked join wish on wish."threadId" = locked.id where wish.liked
      on conflict do nothing
      returning "threadId"
    ), removed as (
      delete from "threadLikes" as own using locked join wish on wish."threadId" = locked.id
      where not wish.liked and own."threadId" = wish."threadId" and own."userId" = wish."userId"
      returning own."threadId", ${shareOfHeat(heat, sql<Date>`own."createdAt"`)} as share
    ), changed as (
      select "threadId", sum(added)::integer as added, sum(removed)::integer as removed, sum(share) as share from (
        select "threadId", 1 as added, 0 as removed, 0::float8 as share from added
        union all select "threadId", 0, 1, share from removed
      ) as change group by "threadId"
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
 * Fulfils wishes about posts, in the same way. Posts are locked in the order of thread and number. Left out are those that do
 * not exist, were removed (with their thread, too), or stand in another thread than the wish says.
 */
export async function writePostLikes(db: Db, wishes: readonly Wish[], at: number): Promise<LikeCount[]> {
  const { rows } = await sql<LikeCount>`
    with wish as (${wishTable(wishes)}),
    locked as (
      select post."threadId", post.number, post.id, post.likes
      from posts as post join (select distinct "threadId", "postId" from wish) as wanted
        on wanted."postId" = post.id and wanted."threadId" = post."threadId"
      where post."deletedAt" is null
        and exists (select from threads where threads.id = post."threadId" and threads."removedAt" is null)
      order by post."threadId", post.number for no key update of post
    ), added as (
      insert into "postLikes" ("threadId", "userId", "postId", "createdAt")
      select wish."threadId", wish."userId", wish."postId", ${new Date(at)}::timestamptz
      from locked join wish on wish."postId" = locked.id and wish."threadId" = locked."threadId" where wish.liked
      on conflict do nothing
      returning "postId"
    ), removed as (
      delete from "postLikes" as own using locked join wish on wish."postId" = locked.id and wish."threadId" = locked."threadId"
      where not wish.liked and own."threadId" = wish."threadId" and own."userId" = wish."userId" and own."postId" = wish."postId"
      returning own."postId"
    ), changed as (
      select "postId", sum(added)::integer as added, sum(removed)::integer as removed from (
        select "postId", 1 as added, 0 as removed from added union all select "postId", 0, 1 from removed
      ) as change group by "postId"
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

/** Ids of threads a member likes, the newest threads first. */
export async function selectLikedThreads(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('threadLikes')
    .innerJoin('threads', 'threads.id', 'threadLikes.threadId')
    .select('threadLikes.threadId')
    .where('threadLikes.userId', '=', userId)
    .where('threads.removedAt', 'is', null)
    .orderBy('threadLikes.threadId', 'desc')
    .limit(LIKED_THREADS_MAX)
    .execute()
  return rows.map((row) => row.threadId)
}

/** Ids of posts of a thread that a member likes, the newest posts first; none of a thread that was removed. */
export async function selectLikedPosts(db: Db, threadId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('postLikes')
    .select('postId')
    .where('threadId', '=', threadId)
    .where('userId', '=', userId)
    .where((is) =>
      is.exists(is.selectFrom('threads').select('id').where('id', '=', threadId).where('removedAt', 'is', null)),
    )
    .orderBy('postId', 'desc')
    .limit(LIKED_POSTS_MAX)
    .execute()
  return rows.map((row) => row.postId)
}
