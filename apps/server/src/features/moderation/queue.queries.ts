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
  const { rows } = await sql<{ cases: number; held: number; news: number }>`
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
        select 1 from "newsStories" as story
        where ${may(moderator, 'runNews')}::boolean and (story.state = 'waiting' or (
          story.state = 'published' and story.currency <> 'current' and story."reviewedAt" is null
            and exists (select from threads as t where t.id = story."threadId" and ${isThreadVisible('t')})
        )) limit ${COUNTED_MAX}
      ) as counted) as news`.execute(db)
  return rows[0]!
}
