import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

/** Rows of one statement; the next sweep goes on. */
const BATCH = 1_000
/** Documents are looked for this far back behind those that are old by now. */
const BEHIND_MS = 90 * 86_400_000
/** No feed brings an article again that is older; see steps/feeds.step.ts. */
const BEYOND_FEEDS_MS = 7 * 86_400_000

export async function deleteOldCalls(db: Db, before: Date): Promise<void> {
  await sql`
    delete from "newsCalls" where id in (select id from "newsCalls" where at < ${before}::timestamptz order by at limit ${BATCH})`.execute(
    db,
  )
}

/**
 * Articles that led nowhere. Those without a date stay as long as their source: they may still stand in its feed, and would be taken for
 * new.
 */
export async function deleteOldSkipped(db: Db, before: Date): Promise<void> {
  const beyond = new Date(before.getTime() - BEYOND_FEEDS_MS)
  await sql`
    delete from "newsArticles" where id in (
      select id from "newsArticles"
      where state = 'skipped' and id < ${uuidv7Floor(before.getTime())}::uuid and "storyId" is null
        and ("sourceId" is null or "publishedAt" < ${beyond}::timestamptz)
      order by id limit ${BATCH})`.execute(db)
}

/** Takes the texts from articles that lead nowhere any more. */
export async function emptyOldDocuments(db: Db, before: Date): Promise<void> {
  const from = uuidv7Floor(before.getTime() - BEHIND_MS)
  await sql`
    update "newsArticles" set document = null, bands = '{}' where id in (
      select a.id from "newsArticles" as a left join "newsStories" as story on story.id = a."storyId"
      where a.state in ('told', 'skipped') and a.id >= ${from}::uuid and a.id < ${uuidv7Floor(before.getTime())}::uuid
        and a.document is not null and (story.id is null or story.state not in ('new', 'ready', 'waiting'))
      order by a.id limit ${BATCH})`.execute(db)
}

/** Pictures of stories whose thread did not come; the stories forget them. */
export async function takeUnusedImages(db: Db): Promise<StoredImage[]> {
  const { rows } = await sql<{ image: StoredImage }>`
    with unused as (
      select id, image from "newsStories" where state in ('refused', 'rejected') and image is not null order by id limit ${BATCH} for update
    ), taken as (
      update "newsStories" as story set image = null from unused where unused.id = story.id
    )
    select image from unused`.execute(db)
  return rows.map(({ image }) => image)
}
