import { sql, type Selectable } from 'kysely'
import { isThreadVisible } from '../../../db/visible.ts'
import type { Db } from '../../../db/client.ts'
import type { NewsStoriesTable } from '../../../db/tables.ts'
import type { StoryChange } from '../stories.queries.ts'

/** A published story whose article is due for a check. */
export interface DueCheck extends Pick<
  Selectable<NewsStoriesTable>,
  'id' | 'currency' | 'changedAt' | 'reviewedAt' | 'findings'
> {
  readonly threadId: string
  readonly publishedAt: Date
  readonly quotes: readonly string[]
  /** Of the article as it was summarised; null once it was deleted. */
  readonly title: string | null
  readonly text: string | null
  /** Address of the article. */
  readonly url: string
}

/**
 * Stories with a due check, except those with a blocked source or a removed thread. Their check
 * stays due, in case the thread is restored.
 */
export async function selectDueChecks(db: Db, at: Date, limit: number): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`
    select story.id, story."threadId", story.currency, story."changedAt", story."reviewedAt", story.findings, story."publishedAt", coalesce(lead.document ->> 'url', lead.url) as url,
      lead.document ->> 'title' as title, lead.document ->> 'text' as text,
      coalesce(jsonb_path_query_array(story.summary, '$.sentences[*].quote'), '[]') as quotes
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id join "newsSources" as s on s.id = lead."sourceId"
      join threads as t on t.id = story."threadId" and ${isThreadVisible('t')}
    where story."nextCheckAt" <= ${at}::timestamptz and story.state = 'published' and s.active and s.permission = 'allowed'
    order by story."nextCheckAt" limit ${limit}`.execute(db)
  return rows
}

/** Stores the result of a check; the check stays due where a decision came first. */
export async function recordCheck(
  db: Db,
  { id, reviewedAt }: Pick<DueCheck, 'id' | 'reviewedAt'>,
  check: StoryChange,
): Promise<void> {
  await db
    .updateTable('newsStories')
    .set(check)
    .where('id', '=', id)
    .where('state', '=', 'published')
    // Null after the source was stopped during the request.
    .where('nextCheckAt', 'is not', null)
    // Another one after the story was corrected or kept during the request.
    .where('reviewedAt', 'is not distinct from', reviewedAt)
    .execute()
}
