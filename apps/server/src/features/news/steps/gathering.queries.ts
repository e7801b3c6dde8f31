import { sql, type Selectable } from 'kysely'
import type { Report } from '@shinobi/newsroom/claims/other-event'
import type { Db } from '../../../db/client.ts'
import { idsOf } from '../../../db/ids.ts'
import type { NewsArticlesTable, StoredDocument } from '../../../db/tables.ts'

export interface ReadArticleRow extends Pick<Selectable<NewsArticlesTable>, 'id' | 'document' | 'bands' | 'foundAt'> {
  /** Category of its source. */
  readonly categoryId: string | null
}

/** Locks an article that was read until the transaction ends. */
export async function lockReadArticle(tx: Db, id: string): Promise<ReadArticleRow | undefined> {
  const { rows } = await sql<ReadArticleRow>`
    select a.id, a.document, a.bands, a."foundAt", s."categoryId"
    from "newsArticles" as a left join "newsSources" as s on s.id = a."sourceId"
    where a.id = ${id}::uuid and a.state = 'read' for update of a`.execute(tx)
  return rows[0]
}

/** A refused story is ignored, so that another article can tell its news. */
const isAlive = sql`story.state <> 'refused'`

/** The story of another article with this address. */
export async function selectStoryOfAddress(tx: Db, articleId: string, hash: string): Promise<string | null> {
  const { rows } = await sql<{ storyId: string }>`
    select a."storyId" from "newsArticles" as a join "newsStories" as story on story.id = a."storyId"
    where (a."urlHash" = ${hash} or a."canonicalHash" = ${hash}) and a.id <> ${articleId}::uuid and ${isAlive}
    order by a."storyId" limit 1`.execute(tx)
  return rows[0]?.storyId ?? null
}

/** Maximum number of texts to compare. */
const LIKELY_MAX = 20

/** Stories with a similar fingerprint, oldest first, each with the text of its article. */
export async function selectLikelyStories(
  tx: Db,
  bands: readonly number[],
  since: Date,
): Promise<({ storyId: string } & Report)[]> {
  const { rows } = await sql<{ storyId: string } & Report>`
    select story.id as "storyId", lead.document ->> 'title' as title, lead.document ->> 'text' as text
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    where lead.document is not null and story."createdAt" >= ${since}::timestamptz and ${isAlive} and story.id in (
      select a."storyId" from "newsArticles" as a where a.bands && ${`{${bands.join(',')}}`}::text::integer[] and a."storyId" is not null
    )
    order by story."createdAt", story.id limit ${LIKELY_MAX}`.execute(tx)
  return rows
}

/** What an article tells, to find others on the same event. */
export interface ReportRow extends Report {
  readonly id: string
  readonly embedding: StoredDocument['embedding'] | null
  /** Whether a story begins with it. */
  readonly isStory: boolean
}

/** Those of the articles that have a text. */
export async function selectReports(db: Db, ids: readonly string[]): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select a.id, a.document ->> 'title' as title, a.document ->> 'text' as text, a.document -> 'embedding' as embedding,
      coalesce(${isAlive}, false) as "isStory"
    from "newsArticles" as a left join "newsStories" as story on story.id = a.id
    where a.id in ${idsOf(ids)} and a.document is not null`.execute(db)
  return rows
}

export async function recordEmbedding(
  db: Db,
  id: string,
  embedding: NonNullable<StoredDocument['embedding']>,
): Promise<void> {
  await sql`
    update "newsArticles"
    set document = jsonb_set(document, '{embedding}', ${JSON.stringify(embedding)}::text::jsonb)
    where id = ${id}::uuid and document is not null`.execute(db)
}

/** Stories with which a new article is compared at most: 6 MB of vectors. */
const EMBEDDED_MAX = 1_000

/** The vectors of the newest stories, by the id of the story and its first article. */
export async function selectEmbeddings(db: Db, model: string, since: Date): Promise<{ id: string; vector: string }[]> {
  const { rows } = await sql<{ id: string; vector: string }>`
    select story.id, lead.document -> 'embedding' ->> 'vector' as vector
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    where story."createdAt" >= ${since}::timestamptz and ${isAlive} and lead.document -> 'embedding' ->> 'model' = ${model}
    order by story."createdAt" desc, story.id limit ${EMBEDDED_MAX}`.execute(db)
  return rows
}

/** Adds a story with the id of its first article, so that an article cannot begin two. */
export async function insertStory(tx: Db, { id, categoryId, document }: ReadArticleRow, at: Date): Promise<void> {
  const kind = document === null ? 'headline' : null
  await tx
    .insertInto('newsStories')
    .values({ id, categoryId, kind, state: 'new', nextTryAt: at, begunAt: at, createdAt: at })
    .execute()
}

/** The thread of a published story. */
export async function selectThreadOfStory(tx: Db, storyId: string): Promise<string | null> {
  const row = await tx.selectFrom('newsStories').select('threadId').where('id', '=', storyId).executeTakeFirst()
  return row?.threadId ?? null
}
