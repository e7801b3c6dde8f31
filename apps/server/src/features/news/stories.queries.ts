import { sql, type RawBuilder, type Selectable, type UpdateObject } from 'kysely'
import type { NewsSourceArticle, NewsStory, StoryList, ThreadSummary } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import type { NewsStoriesTable, Tables } from '../../db/tables.ts'
import { isPostVisible, isThreadRemoved, isThreadVisible } from '../../db/visible.ts'

type Row = Selectable<NewsStoriesTable>

/** An article of a story, as shown below its thread. */
export type ToldArticleRow = Omit<NewsSourceArticle, 'publishedAt'> & { readonly publishedAt: Date | null }

type Times = 'madeAt' | 'changedAt' | 'reviewedAt' | 'createdAt'
/**
 * A story in the administrators' list: withdrawn also when a moderator removed its thread. The
 * summarised article comes first.
 */
export type StoryRow = Omit<NewsStory, '_id' | 'sources' | 'corrections' | Times> &
  Pick<Row, 'id' | 'corrections' | Times> & { readonly sources: readonly ToldArticleRow[] }

/** A removed thread counts as withdrawn, whoever removed it. */
const isStanding = sql`(t.id is not null and ${isThreadVisible('t')})`

/** As the index of such stories has it. */
const isChanged = sql`(story.state = 'published' and story.currency <> 'current' and story."reviewedAt" is null)`

// A story has the id of its first article, so that an article cannot begin two.
const selectShown = sql`
  select story.id, story.kind, story."threadId", story.problem, story.findings, story.model, story."promptVersion", story."inputTokens",
    story."outputTokens", story.milliseconds, story."madeAt", story.currency, story."changedAt", story."reviewedAt", story.corrections, story."createdAt",
    case when story.state = 'published' and not ${isStanding} then 'withdrawn' else story.state end as state,
    coalesce(story.summary ->> 'title', lead.title) as title, coalesce(story.summary -> 'sentences', '[]') as sentences,
    coalesce(lead.document -> 'suspicious', '[]') as suspicious, coalesce(s.active, true) as "sourceActive", c.name as category
  from "newsStories" as story
  join "newsArticles" as lead on lead.id = story.id
  left join "newsSources" as s on s.id = lead."sourceId"
  left join threads as t on t.id = story."threadId"
  left join categories as c on c.id = coalesce(t."categoryId", story."categoryId")`

function isInList(state: StoryList | null, cursor: string | null, limit: number): RawBuilder<unknown> {
  if (state === null) return sql`true`
  if (state === 'published') return sql`(story.state = 'published' and ${isStanding})`
  if (state === 'changed') return sql`(${isChanged} and ${isStanding})`
  if (state !== 'withdrawn') return sql`story.state = ${state}`
  // Starts from the removed threads, which are few because they are deleted after a while.
  return sql`story.id in (
    (select id from "newsStories" where state = 'withdrawn' and ${isBefore(sql`id`, cursor)} order by id desc limit ${limit})
    union all
    select gone.id from threads join "newsStories" as gone on gone."threadId" = threads.id
    where ${isThreadRemoved('threads')} and threads.summary is not null and gone.state = 'published')`
}

const isBefore = (id: RawBuilder<unknown>, cursor: string | null): RawBuilder<unknown> =>
  cursor === null ? sql`true` : sql`${id} < ${cursor}::uuid`

/** Stories older than the cursor, newest first; of one state and of one thread, or of all. */
export async function selectStories(
  db: Db,
  {
    state,
    threadId,
    cursor,
    limit,
  }: { state: StoryList | null; threadId: string | null; cursor: string | null; limit: number },
): Promise<StoryRow[]> {
  const isOf = threadId === null ? sql`true` : sql`story."threadId" = ${threadId}::uuid`
  const { rows } = await sql<Omit<StoryRow, 'sources'>>`
    ${selectShown} where ${isInList(state, cursor, limit)} and ${isOf} and ${isBefore(sql`story.id`, cursor)}
    order by story.id desc limit ${limit}`.execute(db)
  return withSources(db, rows)
}

export async function selectStory(db: Db, id: string): Promise<StoryRow | undefined> {
  const { rows } = await sql<Omit<StoryRow, 'sources'>>`${selectShown} where story.id = ${id}::uuid`.execute(db)
  return (await withSources(db, rows))[0]
}

/** The summary of a thread and its origin. */
export type ThreadSummaryRow = Omit<ThreadSummary, 'madeAt' | 'sources' | 'changedAt' | 'corrections'> &
  Pick<Row, 'id' | 'changedAt' | 'corrections'> & { readonly madeAt: Date; readonly sources: readonly ToldArticleRow[] }

/** Undefined for a thread without news, and after the thread or its opening post was removed. */
export async function selectThreadSummary(db: Db, threadId: string): Promise<ThreadSummaryRow | undefined> {
  const { rows } = await sql<Omit<ThreadSummaryRow, 'sources'>>`
    select story.id, story.kind, story.model, story."madeAt", story.currency as state, story."changedAt", story.corrections,
      story.summary -> 'sentences' as sentences
    from "newsStories" as story
    where story."threadId" = ${threadId}::uuid and story.state = 'published' and exists (
      select 1 from threads as t join posts as p on p."threadId" = t.id and p.number = 1
      where t.id = ${threadId}::uuid and ${isThreadVisible('t')} and ${isPostVisible('p')})`.execute(db)
  return (await withSources(db, rows))[0]
}

/** The article of a story whose thread was removed; undefined for other threads. */
export async function selectWithdrawnArticle(db: Db, threadId: string): Promise<ToldArticleRow | undefined> {
  const { rows } = await sql<{ id: string }>`
    select story.id from "newsStories" as story left join threads as t on t.id = story."threadId"
    where story."threadId" = ${threadId}::uuid and not ${isStanding}`.execute(db)
  return (await withSources(db, rows))[0]?.sources[0]
}

/** Maximum number of articles shown below a thread. */
const TOLD_MAX = 6

/**
 * Stories with their articles: of each the summarised one first, then the others by age, one per
 * address.
 */
async function withSources<Story extends { readonly id: string }>(
  db: Db,
  stories: readonly Story[],
): Promise<(Story & { readonly sources: readonly ToldArticleRow[] })[]> {
  if (stories.length === 0) return []
  const { rows } = await sql<ToldArticleRow & { storyId: string }>`
    select a."storyId", coalesce(s.name, substring(a.url from '//([^/:]+)'), '') as site, a.title, a.url, a."publishedAt"
    from "newsArticles" as a left join "newsSources" as s on s.id = a."sourceId"
    where a."storyId" in ${idsOf(stories.map(({ id }) => id))} order by a.id <> a."storyId", a.id`.execute(db)
  const told = Map.groupBy(rows, ({ storyId }) => storyId)
  return stories.map((story) => {
    const ofUrl = Map.groupBy(told.get(story.id) ?? [], ({ url }) => url)
    return { ...story, sources: Array.from(ofUrl.values(), ([first]) => first!).slice(0, TOLD_MAX) }
  })
}

/** A story locked for a decision. */
export interface StoryToDecide extends Pick<
  Row,
  'id' | 'state' | 'categoryId' | 'threadId' | 'summary' | 'corrections' | 'currency' | 'reviewedAt'
> {
  readonly title: string
  /** Whether there is still a text to summarise. */
  readonly isKept: boolean
  /** The current category of its source; its own where that has none. */
  readonly categoryOfSource: string | null
}

/** Locks a story. Stories are locked before threads. */
export async function lockStory(tx: Db, id: string): Promise<StoryToDecide | undefined> {
  const { rows } = await sql<StoryToDecide>`
    select story.id, story.state, story."categoryId", story."threadId", story.summary, story.corrections, story.currency, story."reviewedAt",
      coalesce(story.summary ->> 'title', lead.title) as title, (lead.document is not null or story.kind = 'headline') as "isKept",
      coalesce(s."categoryId", story."categoryId") as "categoryOfSource"
    from "newsStories" as story join "newsArticles" as lead on lead.id = story.id left join "newsSources" as s on s.id = lead."sourceId"
    where story.id = ${id}::uuid for update of story`.execute(tx)
  return rows[0]
}

export type StoryChange = UpdateObject<Tables, 'newsStories'>

/** Changes a story if it is still in a state; without one in whatever state it is. */
export async function updateStory(
  db: Db,
  { id, state }: { readonly id: string; readonly state?: Row['state'] },
  change: StoryChange,
): Promise<void> {
  const update = db.updateTable('newsStories').set(change).where('id', '=', id)
  await (state === undefined ? update : update.where('state', '=', state)).execute()
}

/**
 * Removes the articles of a source from stories that begin with another source.
 * @returns the threads of these stories
 */
export async function detachArticles(tx: Db, sourceId: string): Promise<string[]> {
  const { rows } = await sql<{ threadId: string }>`
    with detached as (
      update "newsArticles" as a set state = 'skipped', problem = 'blocked', "storyId" = null
      from "newsStories" as story
      where a."sourceId" = ${sourceId}::uuid and a."storyId" <> a.id and story.id = a."storyId" returning story."threadId"
    )
    select distinct "threadId" from detached where "threadId" is not null`.execute(tx)
  return rows.map(({ threadId }) => threadId)
}

/** Stories after the cursor, oldest first, that have a visible thread; of one source, or of all. */
export async function selectPublishedStories(
  db: Db,
  { sourceId, after, limit }: { sourceId: string | null; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select story.id from "newsStories" as story join "newsArticles" as lead on lead.id = story.id
    join threads as t on t.id = story."threadId"
    where story.state = 'published' and ${isStanding} and ${sourceId === null ? sql`true` : sql`lead."sourceId" = ${sourceId}::uuid`}
      and ${after === null ? sql`true` : sql`story.id > ${after}::uuid`}
    order by story.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
