import { sql } from 'kysely'
import type { NewsStatus } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { noteProgress } from '../settings/settings.queries.ts'

/** What is on its way now. */
export interface Standing extends Pick<NewsStatus, 'waiting' | 'pending'> {
  /** Sources that are looked at, and could not be read the last time. */
  readonly failingSources: number
}

export async function selectStanding(db: Db): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select (select count(*)::integer from "newsStories" where state = 'waiting') as waiting,
      (select count(*)::integer from "newsArticles" where "nextTryAt" is not null)
        + (select count(*)::integer from "newsStories" where "nextTryAt" is not null) as pending,
      (select count(*)::integer from "newsSources" where active and problem is not null) as "failingSources"`.execute(
    db,
  )
  return rows[0]!
}

/** Where it stands when the news were last looked at; all servers and the command line write it. */
const LAST_RUN = 'news.run'

export interface LastRun {
  /** When a run last came to its end. */
  readonly endedAt: Date | null
  /** When one last changed something. */
  readonly changedAt: Date | null
}

export async function selectLastRun(db: Db): Promise<LastRun> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', LAST_RUN).executeTakeFirst()
  const timeOf = (value: unknown) => (typeof value === 'string' ? new Date(value) : null)
  return { endedAt: timeOf(row?.value['endedAt']), changedAt: timeOf(row?.value['changedAt']) }
}

/** Notes what is known anew of the last run. */
export const noteRun = (db: Db, known: Partial<LastRun>): Promise<void> => noteProgress(db, LAST_RUN, known)

/** What has come of the news since a point in time. Ids carry the time, so only that time's rows are read. */
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
