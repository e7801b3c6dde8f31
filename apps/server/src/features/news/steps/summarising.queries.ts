import { sql, type Selectable, type UpdateObject } from 'kysely'
import type { NewsPermission, NewsProblem } from '@shinobi/contract/news'
import type { SummaryKind } from '@shinobi/contract/threads'
import type { ArticleDocument, StorySummary } from '@shinobi/newsroom/documents'
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

/** An accepted summary. */
export interface NewSummary {
  readonly kind: SummaryKind
  readonly summary: StorySummary
  /** Null when no model was used. */
  readonly use: ModelUse | null
}

interface Kept {
  readonly state: 'ready' | 'waiting'
  /** Why an administrator must see it first. */
  readonly findings: readonly string[]
  readonly at: Date
}

export async function recordSummary(
  db: Db,
  id: string,
  { kind, summary, use, state, findings, at }: NewSummary & Kept,
): Promise<void> {
  await setNew(db, id, use, {
    ...{ state, kind, summary: JSON.stringify(summary), madeAt: at, nextTryAt: state === 'ready' ? at : null },
    ...{
      problem: null,
      findings: JSON.stringify(findings),
      model: use?.model ?? null,
      promptVersion: use?.promptVersion ?? null,
    },
  })
}

export async function recordRefused(
  db: Db,
  id: string,
  { problem, findings, use }: { problem: NewsProblem; findings: readonly string[]; use: ModelUse | null },
): Promise<void> {
  await setNew(db, id, use, {
    ...{ state: 'refused', problem, findings: JSON.stringify(findings), nextTryAt: null },
    ...(use === null ? {} : { model: use.model, promptVersion: use.promptVersion }),
  })
}

async function setNew(
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

/** Postpones a story. */
export async function putStoryOff(db: Db, id: string, nextTryAt: Date): Promise<void> {
  await db
    .updateTable('newsStories')
    .set({ nextTryAt })
    .where('id', '=', id)
    .where('nextTryAt', 'is not', null)
    .execute()
}
