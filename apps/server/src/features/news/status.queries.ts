import { sql } from 'kysely'
import type { NewsStatus } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { noteProgress } from '../settings/settings.queries.ts'
import type { Fate } from './idle.rules.ts'

/** Current numbers of pending work. */
export interface Standing extends Pick<NewsStatus, 'waiting' | 'changed' | 'pending'> {
  /** Active sources whose last read failed. */
  readonly failingSources: number
}

export async function selectStanding(db: Db): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select (select count(*)::integer from "newsStories" where state = 'waiting') as waiting,
      (select count(*)::integer from "newsStories" as story join threads as t on t.id = story."threadId" and ${isThreadVisible('t')}
        where story.state = 'published' and story.currency <> 'current' and story."reviewedAt" is null) as changed,
      (select count(*)::integer from "newsArticles" where "nextTryAt" is not null)
        + (select count(*)::integer from "newsStories" where "nextTryAt" is not null) as pending,
      (select count(*)::integer from "newsSources" where active and problem is not null) as "failingSources"`.execute(
    db,
  )
  return rows[0]!
}

/** Key of the stored progress of the last run, which all servers and the command line write. */
const LAST_RUN = 'news.run'

/** When the last run ended, and when one last changed something. */
export async function selectLastRun(db: Db): Promise<Pick<NewsStatus, 'lastRunAt' | 'changedAt'>> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', LAST_RUN).executeTakeFirst()
  const timeOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return { lastRunAt: timeOf(row?.value['endedAt']), changedAt: timeOf(row?.value['changedAt']) }
}

/** Stores new facts of the last run. */
export const noteRun = (db: Db, known: { readonly endedAt?: Date; readonly changedAt?: Date }): Promise<void> =>
  noteProgress(db, LAST_RUN, known)

/** Numbers of the news since a time. Ids contain the time, so only rows of that period are read. */
export async function selectFigures(db: Db, since: Date): Promise<NewsStatus['day']> {
  const from = uuidv7Floor(since.getTime())
  const { rows } = await sql<NewsStatus['day']>`
    select articles.*, stories.*, calls.*,
      (select count(*)::integer from "newsStories" where "publishedAt" >= ${since}::timestamptz) as published
    from
      (select count(*)::integer as found, (count(*) filter (where state = 'skipped'))::integer as skipped
        from "newsArticles" where id >= ${from}::uuid) as articles,
      (select count(*)::integer as refused from "newsStories" where state = 'refused' and id >= ${from}::uuid) as stories,
      (select count(*)::integer as calls,
          (count(*) filter (where outcome in ('malformed', 'limited', 'failed')))::integer as "callsFailed"
        from "newsCalls" where at >= ${since}::timestamptz) as calls`.execute(db)
  return rows[0]!
}

/** What became of the articles that were found since a time, of each source. */
export async function selectFates(db: Db, since: Date): Promise<(Fate & { readonly sourceId: string })[]> {
  const { rows } = await sql<Fate & { sourceId: string }>`
    with fates as (
      select article."sourceId", coalesce(story.problem, article.problem) as problem,
        case when story."publishedAt" is not null then 'published'
          when article.state in ('found', 'read') then 'unread'
          when article.state = 'skipped' then 'refused'
          else coalesce(story.state, 'merged') end as kind
      from "newsArticles" as article left join "newsStories" as story on story.id = article.id
      where article.id >= ${uuidv7Floor(since.getTime())}::uuid and article."sourceId" is not null)
    select "sourceId", kind, case when kind = 'refused' then problem end as problem, count(*)::integer as count
    from fates group by 1, 2, 3`.execute(db)
  return rows
}
