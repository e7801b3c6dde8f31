import { sql, type Selectable } from 'kysely'
import type { SummaryKind } from '@shinobi/contract/threads'
import type { StorySummary } from '@shinobi/newsroom/documents'
import type { Db } from '../../../db/client.ts'
import type { NewsStoriesTable } from '../../../db/tables.ts'
import type { Span } from '../model-calls.queries.ts'

/** The number of threads opened within a span. */
export async function countPublished(db: Db, { from, to }: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from "newsStories"
    where "publishedAt" > ${from}::timestamptz and "publishedAt" <= ${to}::timestamptz`.execute(db)
  return rows[0]!.count
}

/** Of a deleted source, or of one that is not switched off. */
const isOfActiveSource = sql`(s.id is null or s.active)`

/** The number of stories that are ready to be published. */
export async function countReady(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    left join "newsSources" as s on s.id = lead."sourceId"
    where story.state = 'ready' and story."nextTryAt" is not null and ${isOfActiveSource}`.execute(db)
  return rows[0]!.count
}

/** A story whose thread may be opened. */
export interface ReadyStory extends Pick<Selectable<NewsStoriesTable>, 'id' | 'categoryId' | 'image'> {
  readonly sourceId: string | null
  /** Address of the article's picture. */
  readonly imageUrl: string | null
}

/**
 * The story that has been ready the longest, of the source with the fewest threads of a span: a
 * source with many stories leaves others their share, and fills what they do not need.
 */
export async function selectReadyStory(db: Db, { from, to }: Span): Promise<ReadyStory | undefined> {
  const { rows } = await sql<ReadyStory>`
    with shares as (
      select article."sourceId", count(*) as threads
      from "newsStories" as opened join "newsArticles" as article on article.id = opened.id
      where opened."publishedAt" > ${from}::timestamptz and opened."publishedAt" <= ${to}::timestamptz
      group by article."sourceId")
    select story.id, story."categoryId", story.image, lead."sourceId",
      case when story.kind <> 'headline' and s.permission = 'allowed' then lead.document ->> 'imageUrl' end as "imageUrl"
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    left join "newsSources" as s on s.id = lead."sourceId"
    left join shares on shares."sourceId" = lead."sourceId"
    where story."nextTryAt" <= ${to}::timestamptz and story.state = 'ready' and ${isOfActiveSource}
    order by coalesce(shares.threads, 0), story."nextTryAt", story.id limit 1`.execute(db)
  return rows[0]
}

/** A ready story with its first article. */
export interface LockedStory extends Pick<Selectable<NewsStoriesTable>, 'categoryId' | 'begunAt' | 'approvedAt'> {
  readonly kind: SummaryKind
  readonly summary: StorySummary
  readonly url: string
}

/** Locks a story if it is still ready. */
export async function lockReadyStory(tx: Db, id: string): Promise<LockedStory | undefined> {
  const { rows } = await sql<LockedStory>`
    select story."categoryId", story.kind, story.summary, story."begunAt", story."approvedAt", lead.url
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    where story.id = ${id}::uuid and story.state = 'ready' for update of story`.execute(tx)
  return rows[0]
}

/** Locks a source until the transaction ends, which may increase its number of threads. */
export const holdSource = (tx: Db, id: string) =>
  tx
    .selectFrom('newsSources')
    .select(['name', 'active', 'permission'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Counts a thread for the source of a story's first article. */
export async function countThread(tx: Db, storyId: string): Promise<void> {
  await sql`
    update "newsSources" set threads = threads + 1
    where id = (select "sourceId" from "newsArticles" where id = ${storyId}::uuid)`.execute(tx)
}
