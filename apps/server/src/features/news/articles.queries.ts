import { sql, type Selectable, type UpdateObject } from 'kysely'
import type { NewsArticle, NewsPermission } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import type { NewsArticlesTable, Tables } from '../../db/tables.ts'

type Row = Selectable<NewsArticlesTable>

/** An article in the administrators' list. */
export type ArticleRow = Omit<NewsArticle, '_id' | 'url' | 'foundAt'> & Pick<Row, 'id' | 'url' | 'foundAt'>

/** Articles older than the cursor, newest first. */
export async function selectArticles(
  db: Db,
  { state, cursor, limit }: { state: Row['state'] | null; cursor: string | null; limit: number },
): Promise<ArticleRow[]> {
  const { rows } = await sql<ArticleRow>`
    select a.id, s.name as source, a.url, a.title, a.state, a.problem, a.attempts, a."foundAt"
    from "newsArticles" as a left join "newsSources" as s on s.id = a."sourceId"
    where ${state === null ? sql`true` : sql`a.state = ${state}`}
      and ${cursor === null ? sql`true` : sql`a.id < ${cursor}::uuid`}
    order by a.id desc limit ${limit}`.execute(db)
  return rows
}

/** Changes an article if it is still in a state. */
export async function updateArticle(
  db: Db,
  { id, state }: Pick<Row, 'id' | 'state'>,
  change: UpdateObject<Tables, 'newsArticles'>,
): Promise<void> {
  await db.updateTable('newsArticles').set(change).where('id', '=', id).where('state', '=', state).execute()
}

/**
 * A pending article with the permission and language of its publisher; null when the source was
 * deleted.
 */
export interface DueArticle extends Pick<Row, 'id' | 'url' | 'attempts' | 'publishedAt' | 'foundAt'> {
  readonly permission: NewsPermission | null
  readonly language: string | null
}

/**
 * Articles whose next step is due, except those of sources that are switched off; of each source in
 * turn, so that many of a slow publisher leave out nobody else's.
 */
export async function selectDueArticles(
  db: Db,
  state: 'found' | 'read',
  at: Date,
  limit: number,
): Promise<DueArticle[]> {
  const { rows } = await sql<DueArticle>`
    select a.id, a.url, a.attempts, a."publishedAt", a."foundAt", s.permission, s.language
    from "newsArticles" as a left join "newsSources" as s on s.id = a."sourceId"
    where a."nextTryAt" <= ${at}::timestamptz and a.state = ${state} and (s.id is null or s.active)
    order by row_number() over (partition by a."sourceId" order by a."nextTryAt", a.id), a."nextTryAt", a.id
    limit ${limit}`.execute(db)
  return rows
}
