import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import type { Fate } from './idle.rules.ts'

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
