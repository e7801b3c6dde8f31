import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { NewsArticlesTable } from '../../db/tables.ts'

type Row = Selectable<NewsArticlesTable>

/** An article in the administrators' list. */
export interface ArticleRow extends Pick<Row, 'id' | 'url' | 'title' | 'state' | 'problem' | 'attempts' | 'foundAt'> {
  /** Name of its source; null after that was deleted. */
  readonly source: string | null
}

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
