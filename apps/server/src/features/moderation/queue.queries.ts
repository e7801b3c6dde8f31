import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isWithin } from '../../db/ids.ts'
import { isThreadRemoved, isThreadVisible } from '../../db/visible.ts'
import { may } from '@shinobi/contract/permissions'
import type { Moderator } from '../../http/access-guard.ts'

/** Maximum of each count. */
const COUNTED_MAX = 1_000

/**
 * Number of open cases and held posts in a moderator's categories, and of waiting news for an
 * administrator; COUNTED_MAX stands for that many or more.
 */
export async function countWaiting(
  db: Db,
  moderator: Moderator,
): Promise<{ cases: number; held: number; news: number }> {
  const { scope } = moderator
  const isForNews = may(moderator, 'runNews')
  const { rows } = await sql<Readonly<Record<'cases' | 'held' | 'waiting' | 'changed', number>>>`
    with changed as materialized (
      select "threadId" as id from "newsStories"
      where ${isForNews}::boolean and state = 'published' and currency <> 'current' and "reviewedAt" is null limit ${COUNTED_MAX}
    )
    select
      (select count(*)::integer from (
        select 1 from cases as c join threads as t on t.id = c."threadId"
        where c.status = 'open' and ${isThreadVisible('t')} and ${isWithin(scope, sql`c."categoryId"`)} limit ${COUNTED_MAX}
      ) as counted) as cases,
      (select count(*)::integer from (
        select 1 from "heldPosts" as h
        where h.status = 'waiting' and ${isWithin(scope, sql`h."categoryId"`)}
          and (h."threadId" is null or h."threadId" not in (select id from threads where ${isThreadRemoved()})) limit ${COUNTED_MAX}
      ) as counted) as held,
      (select count(*)::integer from (
        select 1 from "newsStories" where ${isForNews}::boolean and state = 'waiting' limit ${COUNTED_MAX}
      ) as counted) as waiting,
      (select count(*)::integer from threads as t where t.id in (select id from changed) and ${isThreadVisible('t')}) as changed
  `.execute(db)
  const { cases, held, waiting, changed } = rows[0]!
  return { cases, held, news: Math.min(waiting + changed, COUNTED_MAX) }
}
