import { sql, type Selectable } from 'kysely'
import type { NewsPermission, NewsProblem } from '@shinobi/contract/news'
import type { ArticleDocument } from '@shinobi/newsroom/documents'
import type { Db } from '../../../db/client.ts'
import type { NewsArticlesTable } from '../../../db/tables.ts'
import { isUniqueViolation } from '../../../lib/api-error.ts'

/**
 * A found article with the permission and language of its publisher; null when the source was
 * deleted.
 */
export interface DueArticle extends Pick<Selectable<NewsArticlesTable>, 'id' | 'url' | 'attempts' | 'foundAt'> {
  readonly permission: NewsPermission | null
  readonly language: string | null
}

/** Articles due to be read, except those of sources that are switched off. */
export async function selectDueArticles(db: Db, at: Date, limit: number): Promise<DueArticle[]> {
  const { rows } = await sql<DueArticle>`
    select a.id, a.url, a.attempts, a."foundAt", s.permission, s.language
    from "newsArticles" as a left join "newsSources" as s on s.id = a."sourceId"
    where a."nextTryAt" <= ${at}::timestamptz and a.state = 'found' and (s.id is null or s.active)
    order by a."nextTryAt", a.id limit ${limit}`.execute(db)
  return rows
}

/** The content of an article. */
export interface ReadArticle {
  readonly document: ArticleDocument
  readonly at: Date
  /** Final address of the article, which may differ from that in its feed. */
  readonly url: string
  readonly canonicalHash: string
  readonly bands: readonly number[]
}

export async function recordRead(db: Db, id: string, article: ReadArticle): Promise<void> {
  try {
    await setRead(db, id, article)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // Another article has the same canonical address. The gathering step looks up its story.
    await setRead(db, id, { ...article, canonicalHash: null })
  }
}

async function setRead(
  db: Db,
  id: string,
  { document, at, url, canonicalHash, bands }: Omit<ReadArticle, 'canonicalHash'> & { canonicalHash: string | null },
): Promise<void> {
  await sql`
    update "newsArticles" set state = 'read', problem = null, "nextTryAt" = ${at}::timestamptz, url = ${url},
      "canonicalHash" = ${canonicalHash}::text, document = ${JSON.stringify(document)}::text::jsonb,
      bands = ${`{${bands.join(',')}}`}::text::integer[],
      "publishedAt" = coalesce("publishedAt", ${document.publishedAt}::timestamptz)
    where id = ${id}::uuid and state = 'found'`.execute(db)
}

/** Stores an article of which only title and link may be shown. */
export async function recordHeadline(db: Db, id: string, at: Date): Promise<void> {
  await db
    .updateTable('newsArticles')
    .set({ state: 'read', problem: null, nextTryAt: at })
    .where('id', '=', id)
    .where('state', '=', 'found')
    .execute()
}

export async function recordTryAgain(
  db: Db,
  id: string,
  { problem, nextTryAt }: { problem: NewsProblem; nextTryAt: Date },
): Promise<void> {
  await db
    .updateTable('newsArticles')
    .set((column) => ({ problem, nextTryAt, attempts: column('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'found')
    .execute()
}

export async function recordSkipped(db: Db, id: string, problem: NewsProblem): Promise<void> {
  await db
    .updateTable('newsArticles')
    .set({ state: 'skipped', problem, nextTryAt: null })
    .where('id', '=', id)
    .where('state', '=', 'found')
    .execute()
}
