import { sql, type Updateable } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { NewsSourcesTable } from '../../../db/tables.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { uuidv7 } from '../../../lib/uuid.ts'
import { insertAudit } from '../../audit/audit.queries.ts'

/** Sources with a due feed. */
export const selectDueSources = (db: Db, at: Date, limit: number) =>
  db
    .selectFrom('newsSources')
    .select(['id', 'url', 'name', 'categoryId', 'intervalMinutes', 'etag', 'lastModified'])
    .select(['fetchedAt', 'nextFetchAt', 'failures'])
    .where('active', '=', true)
    .where('permission', '<>', 'blocked')
    .where('nextFetchAt', '<=', at)
    .orderBy('nextFetchAt')
    .orderBy('id')
    .limit(limit)
    .execute()

export type DueSource = Awaited<ReturnType<typeof selectDueSources>>[number]

/** Those of the hashes that belong to a known article, by its address or its canonical one. */
export async function selectKnownHashes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select hash from json_array_elements_text(${JSON.stringify(hashes)}::text::json) as hash
    where exists (select from "newsArticles" where "urlHash" = hash)
      or exists (select from "newsArticles" where "canonicalHash" = hash)`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/** A new article of a feed. */
export interface FoundArticle {
  readonly urlHash: string
  readonly url: string
  readonly title: string
  readonly publishedAt: Date | null
  /** Stored only so that a later read does not take it as new. */
  readonly isLate: boolean
}

/** The result of a successful read of a feed. */
export interface Look {
  readonly at: Date
  readonly nextFetchAt: Date
  readonly etag: string | null
  readonly lastModified: string | null
  /** The address of the feed for the next read. */
  readonly url: string
  readonly articles: readonly FoundArticle[]
}

/**
 * Stores a successful read: articles and state of the feed, in one transaction.
 * @returns the number of articles that are to be processed
 */
export const recordLook = (db: Db, source: DueSource, look: Look): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ url: string }>`
      update "newsSources" as s set etag = ${look.etag}::text, "lastModified" = ${look.lastModified}::text, "fetchedAt" = ${look.at}::timestamptz,
        "nextFetchAt" = ${look.nextFetchAt}::timestamptz, problem = null, failures = 0,
        url = case when exists (select from "newsSources" where url = ${look.url}) then s.url else ${look.url} end
      where id = ${source.id}::uuid and url = ${source.url} and active and permission <> 'blocked' returning url`.execute(
      tx,
    )
    // No row means that the source was deleted, stopped or given another address during the read.
    const [kept] = rows
    if (kept === undefined) return 0
    if (kept.url !== source.url) {
      const { id: sourceId, name: subject, categoryId } = source
      await insertAudit(tx, {
        ...{ actor: null, at: look.at, action: 'news_source_change', categoryId, subject },
        details: { sourceId, before: { url: source.url }, after: { url: kept.url } },
      })
    }
    if (look.articles.length === 0) return 0
    const articles = look.articles.map((article) => ({ id: uuidv7(look.at.getTime()), ...article }))
    const found = await sql<{ state: string }>`
      insert into "newsArticles" (id, "urlHash", "sourceId", url, title, "publishedAt", state, problem, "nextTryAt", "foundAt")
      select id, "urlHash", ${source.id}::uuid, url, title, "publishedAt",
        case when "isLate" then 'skipped' else 'found' end, case when "isLate" then 'too_old' end,
        case when not "isLate" then ${look.at}::timestamptz end, ${look.at}::timestamptz
      from json_to_recordset(${JSON.stringify(articles)}::text::json)
        as found(id uuid, "urlHash" text, url text, title text, "publishedAt" timestamptz, "isLate" boolean)
      on conflict do nothing returning state`.execute(tx)
    return found.rows.filter(({ state }) => state === 'found').length
  })

/** Stores what became of a feed that was not read. */
export async function recordNoLook(
  db: Db,
  { id, url, nextFetchAt: dueAt }: DueSource,
  change: Updateable<NewsSourcesTable>,
): Promise<void> {
  await db
    .updateTable('newsSources')
    .set(change)
    .where('id', '=', id)
    .where('url', '=', url)
    // Does nothing when an administrator changed the source or asked for another read meanwhile.
    .where('nextFetchAt', '=', dueAt)
    .execute()
}
