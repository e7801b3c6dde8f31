import { sql, type Insertable, type Selectable } from 'kysely'
import type { NewsPermission } from '@shinobi/contract/news'
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

export type NewSource = Pick<
  Insertable<NewsSourcesTable>,
  'id' | 'url' | 'name' | 'categoryId' | 'language' | 'permission' | 'intervalMinutes' | 'active' | 'createdAt'
>

/** Adds sources that are due at once. @throws a unique violation for an existing address */
export async function insertSources(tx: Db, added: readonly NewSource[]): Promise<void> {
  const rows = added.map((source) => ({ ...source, nextFetchAt: source.createdAt }))
  await tx.insertInto('newsSources').values(rows).execute()
}

/** The settings of a source. */
export interface SourceSettings {
  readonly url: string
  readonly name: string
  readonly categoryId: string
  readonly language: string
  readonly permission: NewsPermission
  readonly intervalMinutes: number
  readonly active: boolean
  readonly nextFetchAt: Date
}

/** @throws a unique violation for an existing address */
export async function updateSource(tx: Db, id: string, settings: SourceSettings): Promise<void> {
  await tx.updateTable('newsSources').set(settings).where('id', '=', id).execute()
}

/** Resets the failures of a source. */
export async function forgetFailures(tx: Db, id: string): Promise<void> {
  await tx.updateTable('newsSources').set({ problem: null, failures: 0 }).where('id', '=', id).execute()
}

/** Resets what was read from the previous address. */
export async function forgetLooks(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('newsSources')
    .set({ etag: null, lastModified: null, fetchedAt: null })
    .where('id', '=', id)
    .execute()
}

export async function switchOff(tx: Db, id: string): Promise<void> {
  await tx.updateTable('newsSources').set({ active: false }).where('id', '=', id).execute()
}

/** Makes the feed due. @returns false when there is no such source */
export async function makeDue(db: Db, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('newsSources')
    .set({ nextFetchAt: at })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Skips articles of a source that have no story yet. */
export async function dropPendingArticles(tx: Db, sourceId: string): Promise<void> {
  await tx
    .updateTable('newsArticles')
    .set({ state: 'skipped', problem: 'blocked', nextTryAt: null, document: null })
    .where('sourceId', '=', sourceId)
    .where('state', 'in', ['found', 'read'])
    .execute()
}

/** Refuses unpublished stories of a source. A story has the id of its first article. */
export async function refusePendingStories(tx: Db, sourceId: string): Promise<void> {
  await sql`
    update "newsStories" as story set state = 'refused', problem = 'blocked', "nextTryAt" = null
    from "newsArticles" as lead
    where lead.id = story.id and lead."sourceId" = ${sourceId}::uuid and story.state in ('new', 'ready', 'waiting')`.execute(
    tx,
  )
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
