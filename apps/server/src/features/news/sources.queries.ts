import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { prepareToChangeCopied } from '../../db/distribution.ts'
import type { NewsSourcesTable } from '../../db/tables.ts'

/** A source in the administrators' list. */
export interface SourceRow extends Omit<Selectable<NewsSourcesTable>, 'etag' | 'lastModified'> {
  /** Null after its category was deleted. */
  readonly category: string | null
}

/** Whether the feed of a source is read. */
export const isRead = ({ permission, active }: Pick<SourceRow, 'permission' | 'active'>): boolean =>
  active && permission !== 'blocked'

const sources = (db: Db) =>
  db
    .selectFrom('newsSources as s')
    .leftJoin('categories as c', 'c.id', 's.categoryId')
    .select(['s.id', 's.url', 's.name', 's.categoryId', 's.language', 's.permission', 's.intervalMinutes', 's.active'])
    .select(['s.fetchedAt', 's.nextFetchAt', 's.problem', 's.failures', 's.threads', 's.createdAt'])
    .select('c.name as category')

/** All sources, by name; NEWS_SOURCES_MAX at most. */
export const selectSources = (db: Db): Promise<SourceRow[]> => sources(db).orderBy('s.name').orderBy('s.id').execute()

export const selectSource = (db: Db, id: string): Promise<SourceRow | undefined> =>
  sources(db).where('s.id', '=', id).executeTakeFirst()

/** The address of each known feed. */
export async function selectSourceUrls(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('newsSources').select('url').execute()
  return new Set(rows.map(({ url }) => url))
}

/**
 * Prevents other transactions from adding sources until this one ends, so that the limit of their
 * number holds.
 */
export async function lockSources(tx: Db): Promise<void> {
  await prepareToChangeCopied(tx)
  await sql`lock table "newsSources" in share row exclusive mode`.execute(tx)
}

/** Locks a source until the transaction ends. */
export const lockSource = (tx: Db, id: string): Promise<Selectable<NewsSourcesTable> | undefined> =>
  tx.selectFrom('newsSources').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** @throws a unique violation for an existing address */
export async function insertSources(tx: Db, added: readonly Insertable<NewsSourcesTable>[]): Promise<void> {
  await tx.insertInto('newsSources').values(added).execute()
}

/** Moves the sources and the stories of a category to another one. @returns how many each */
export async function moveNewsOfCategory(tx: Db, from: string, to: string) {
  const change = { categoryId: to }
  const sources = await tx.updateTable('newsSources').set(change).where('categoryId', '=', from).executeTakeFirst()
  const stories = await tx.updateTable('newsStories').set(change).where('categoryId', '=', from).executeTakeFirst()
  return { sources: Number(sources.numUpdatedRows), stories: Number(stories.numUpdatedRows) }
}

/** @returns whether there is such a source @throws a unique violation for an existing address */
export async function updateSource(db: Db, id: string, change: Updateable<NewsSourcesTable>): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('newsSources').set(change).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Drops all pending work of a blocked or deleted source, and the checks of its articles; its
 * threads stay. Pending work of a source that is only switched off waits until that is switched on
 * again.
 */
export async function dropPending(tx: Db, sourceId: string): Promise<void> {
  await tx
    .updateTable('newsArticles')
    .set({ state: 'skipped', problem: 'blocked', nextTryAt: null, document: null })
    .where('sourceId', '=', sourceId)
    .where('state', 'in', ['found', 'read'])
    .execute()
  // A story has the id of its first article.
  await sql`
    update "newsStories" as story set state = 'refused', problem = 'blocked', "nextTryAt" = null
    from "newsArticles" as lead
    where lead.id = story.id and lead."sourceId" = ${sourceId}::uuid and story.state in ('new', 'ready', 'waiting')`.execute(
    tx,
  )
  await dropChecks(tx, sourceId)
}

/** Cancels the checks of articles of a source. */
export async function dropChecks(tx: Db, sourceId: string): Promise<void> {
  await sql`
    update "newsStories" as story set "nextCheckAt" = null
    from "newsArticles" as lead
    where story."nextCheckAt" is not null and lead.id = story.id and lead."sourceId" = ${sourceId}::uuid`.execute(tx)
}

export async function deleteSource(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('newsSources').where('id', '=', id).execute()
}
