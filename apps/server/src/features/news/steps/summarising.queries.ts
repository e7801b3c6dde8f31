import { sql, type Selectable, type UpdateObject } from 'kysely'
import type { NewsPermission } from '@shinobi/contract/news'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import type { ModelUse } from '@shinobi/newsroom/summaries/summariser'
import type { Db } from '../../../db/client.ts'
import type { NewsStoriesTable, Tables } from '../../../db/tables.ts'

/** A story with the article to summarise. */
export interface NewStory extends Pick<Selectable<NewsStoriesTable>, 'id' | 'kind' | 'begunAt'> {
  /** From the feed. */
  readonly title: string
  /** Name of the source; null, like `permission`, when that was deleted. */
  readonly site: string | null
  readonly permission: NewsPermission | null
  readonly document: ArticleDocument | null
}

/**
 * Stories due to be summarised, except those of sources that are switched off; of each source in
 * turn, beginning with those of which the fewest are ready.
 */
export async function selectNewStories(db: Db, at: Date, limit: number): Promise<NewStory[]> {
  const { rows } = await sql<NewStory>`
    with shares as (
      select article."sourceId", count(*) as stories
      from "newsStories" as ready join "newsArticles" as article on article.id = ready.id
      where ready.state = 'ready' group by article."sourceId")
    select story.id, story.kind, story."begunAt", lead.title, s.name as site, s.permission, lead.document
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    left join "newsSources" as s on s.id = lead."sourceId"
    left join shares on shares."sourceId" = lead."sourceId"
    where story."nextTryAt" <= ${at}::timestamptz and story.state = 'new' and (s.id is null or s.active)
    order by coalesce(shares.stories, 0)
        + row_number() over (partition by lead."sourceId" order by story."nextTryAt", story.id),
      story."nextTryAt", story.id
    limit ${limit}`.execute(db)
  return rows
}

/** Stores what became of a new story, and adds what a model has cost for it. */
export async function recordSummarised(
  db: Db,
  id: string,
  use: ModelUse | null,
  change: UpdateObject<Tables, 'newsStories'>,
): Promise<void> {
  await db
    .updateTable('newsStories')
    .set((column) => ({
      ...change,
      inputTokens: column('inputTokens', '+', use?.inputTokens ?? 0),
      outputTokens: column('outputTokens', '+', use?.outputTokens ?? 0),
      milliseconds: column('milliseconds', '+', use?.milliseconds ?? 0),
    }))
    .where('id', '=', id)
    .where('state', '=', 'new')
    .execute()
}
