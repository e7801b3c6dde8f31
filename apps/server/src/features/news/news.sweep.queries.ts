import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { inOneTransaction } from '../../db/distribution.ts'
import { idsOf } from '../../db/ids.ts'
import type { StoredImage } from '../../db/tables.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

/** Rows per statement; the next sweep continues. */
const BATCH = 1_000
/** Feeds do not bring back articles of this age; see steps/feeds.step.ts. */
const BEYOND_FEEDS_MS = 7 * 86_400_000

/**
 * The ids of a query as an array, so that PostgreSQL finds the rows by index rather than by a scan
 * of the table.
 */
const chosen = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`any (array(${ids} limit ${BATCH}))`

export async function deleteOldCalls(db: Db, before: Date): Promise<void> {
  const old = sql`select id from "newsCalls" where at < ${before}::timestamptz order by at`
  await sql`delete from "newsCalls" where id = ${chosen(old)}`.execute(db)
}

/**
 * Deletes old articles that became no story. Those without a date stay as long as their source: its
 * feed may still list them, and they would count as new.
 */
export async function deleteOldSkipped(db: Db, before: Date): Promise<void> {
  const beyond = new Date(before.getTime() - BEYOND_FEEDS_MS)
  // The last condition is that of the partial index, which skips the rows that stay.
  const old = sql`
    select id from "newsArticles"
    where state = 'skipped' and id < ${uuidv7Floor(before.getTime())}::uuid
      and ("sourceId" is null or "publishedAt" < ${beyond}::timestamptz)
      and "storyId" is null and ("sourceId" is null or "publishedAt" is not null)
    order by id`
  await sql`delete from "newsArticles" where id = ${chosen(old)}`.execute(db)
}

/** Whether the address of the story's thread may show that it was withdrawn. */
const hasNotice = sql<boolean>`exists (
  select from "auditLog" as entry where entry."threadId" = story."threadId" and entry.action = 'news_withdraw')`

/**
 * Deletes some stories that have no thread, or lost it. Their articles become skipped ones, so that
 * a feed that still lists them does not start the story again. Withdrawn stories stay without their
 * summary, each with its first article, because the notices are made of these.
 */
export const deleteEndedStories = (db: Db, before: Date): Promise<void> =>
  inOneTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string; hasNotice: boolean }>`
      select id, ${hasNotice} as "hasNotice" from "newsStories" as story
      where state in ('refused', 'rejected', 'withdrawn') and id < ${uuidv7Floor(before.getTime())}::uuid and image is null
        and (summary is not null or not ${hasNotice})
      order by id limit ${BATCH} for update skip locked`.execute(tx)
    const idsWhere = (isNoticed: boolean) =>
      idsOf(rows.filter((row) => row.hasNotice === isNoticed).map(({ id }) => id))
    const [kept, ended] = [idsWhere(true), idsWhere(false)]
    await sql`
      update "newsArticles" set state = 'skipped', problem = coalesce(problem, 'too_old'), "storyId" = null, document = null,
        bands = '{}', "nextTryAt" = null
      where "storyId" in ${idsOf(rows.map(({ id }) => id))} and id not in ${kept}`.execute(tx)
    await sql`update "newsStories" set summary = null, findings = '[]', corrections = '[]' where id in ${kept}`.execute(
      tx,
    )
    await sql`delete from "newsStories" where id in ${ended}`.execute(tx)
  })

/**
 * Refuses stories that were begun before a time and are not published yet. Skips those that an
 * administrator is deciding on (locked rows). @returns their ids
 */
export async function refuseOldStories(db: Db, before: Date): Promise<string[]> {
  const old = sql`
    select id from "newsStories" where state in ('new', 'ready', 'waiting') and id < ${uuidv7Floor(before.getTime())}::uuid
    order by id for update skip locked`
  const { rows } = await sql<{ id: string }>`
    update "newsStories" set state = 'refused', problem = 'too_old', "nextTryAt" = null
    where id = ${chosen(old)} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Skips articles that were found before a time and became no story, as while their source or the
 * news are switched off.
 */
export async function skipOldArticles(db: Db, before: Date): Promise<void> {
  const old = sql`
    select id from "newsArticles" where state in ('found', 'read') and id < ${uuidv7Floor(before.getTime())}::uuid
    order by id for update skip locked`
  await sql`
    update "newsArticles" set state = 'skipped', problem = 'too_old', "nextTryAt" = null
    where id = ${chosen(old)}`.execute(db)
}

/** Removes the text of old articles that no pending story needs. */
export async function emptyOldDocuments(db: Db, before: Date): Promise<void> {
  const old = sql`
    select a.id from "newsArticles" as a left join "newsStories" as story on story.id = a."storyId"
    where a.document is not null and a.id < ${uuidv7Floor(before.getTime())}::uuid and a.state in ('told', 'skipped')
      and (story.id is null or story.state not in ('new', 'ready', 'waiting'))
    order by a.id`
  await sql`update "newsArticles" set document = null, bands = '{}' where id = ${chosen(old)}`.execute(db)
}

/** Drops checks of articles that were due before a time and never ran. */
export async function forgetOldChecks(db: Db, before: Date): Promise<void> {
  const old = sql`select id from "newsStories" where "nextCheckAt" < ${before}::timestamptz order by "nextCheckAt" for update skip locked`
  await sql`update "newsStories" set "nextCheckAt" = null where id = ${chosen(old)}`.execute(db)
}

/**
 * Marks stories as withdrawn whose thread was removed and has been deleted since; until then the
 * thread could be restored. The log lists these threads, so that not all stories have to be read.
 */
export async function closeForgottenStories(db: Db, since: Date): Promise<void> {
  const { rows: down } = await sql<{ threadId: string }>`
    select distinct story."threadId" from "newsStories" as story join "auditLog" as entry on story."threadId" = entry."threadId"
    where entry.id >= ${uuidv7Floor(since.getTime())}::uuid and entry.action in ('thread_remove', 'news_withdraw')
      and story.state = 'published'`.execute(db)
  if (down.length === 0) return
  const ids = down.map(({ threadId }) => threadId)
  const kept = await db.selectFrom('threads').select('id').where('id', 'in', idsOf(ids)).execute()
  const gone = ids.filter((threadId) => !kept.some(({ id }) => id === threadId))
  await sql`
    update "newsStories" set state = 'withdrawn', "nextCheckAt" = null
    where state = 'published' and "threadId" in ${idsOf(gone)}`.execute(db)
}

/**
 * Takes the pictures of stories that have no thread, or lost it, for deletion. The picture of a
 * lost thread may have been deleted with it.
 */
export async function takeUnusedImages(db: Db): Promise<StoredImage[]> {
  // Each state is read by its own index: that of refused and rejected stories has only pictures.
  const { rows } = await sql<{ image: StoredImage }>`
    with candidates as (
      select id from "newsStories" where state in ('refused', 'rejected') and image is not null
      union all select id from "newsStories" where state = 'withdrawn' and image is not null
      limit ${BATCH}
    ), unused as (
      select id, image from "newsStories"
      where id = any (array(select id from candidates)) and image is not null for update
    ), taken as (
      update "newsStories" as story set image = null where story.id = any (array(select id from unused))
    )
    select image from unused`.execute(db)
  return rows.map(({ image }) => image)
}
