import { sql } from 'kysely'
import type { NewsStatus } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

export type NewsFigures = Pick<NewsStatus, 'day' | 'waiting' | 'pending'>

/** What has come of the news since a point in time, and what is on its way. Ids carry the time, so only that time's rows are read. */
export async function selectFigures(db: Db, since: Date): Promise<NewsFigures> {
  const from = uuidv7Floor(since.getTime())
  const { rows } = await sql<NewsFigures['day'] & Pick<NewsFigures, 'waiting' | 'pending'>>`
    select articles.*, stories.*, calls.*,
      (select count(*)::integer from "newsStories" where state = 'waiting') as waiting,
      (select count(*)::integer from "newsStories" where "publishedAt" >= ${since}::timestamptz) as published,
      (select count(*)::integer from "newsArticles" where "nextTryAt" is not null)
        + (select count(*)::integer from "newsStories" where "nextTryAt" is not null) as pending
    from
      (select count(*)::integer as found, (count(*) filter (where state = 'skipped'))::integer as skipped
        from "newsArticles" where id >= ${from}::uuid) as articles,
      (select count(*)::integer as refused from "newsStories" where state = 'refused' and id >= ${from}::uuid) as stories,
      (select count(*)::integer as calls,
          (count(*) filter (where outcome in ('malformed', 'limited', 'failed')))::integer as "callsFailed"
        from "newsCalls" where at >= ${since}::timestamptz) as calls`.execute(db)
  const { waiting, pending, ...day } = rows[0]!
  return { day, waiting, pending }
}
