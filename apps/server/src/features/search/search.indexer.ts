import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { foldForSearch } from '../../lib/fold.ts'
import { createFollower, type Follower } from '../../lib/follower.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { insertSearchDocuments, openNextBucket, type SearchDocument } from './search.queries.ts'

/** A committed text on its way into the index; number 0 is the thread's title. */
export interface SearchEntry {
  readonly threadId: string
  readonly number: number
  readonly text: string
}

const SWEPT = 'search.swept'
/** A crash, another server's clock or a slow commit may leave a gap of this length behind what is known to be indexed. */
const SWEEP_SLACK_MS = 120_000
const SWEEP_BATCH = 1_000

/**
 * Feeds the index after the commit, in batches, so that it never slows a post; a text is found within a second.
 * What a crash left out is found again: `sweep` compares recent posts with the index.
 */
export interface SearchIndexer {
  add(entries: readonly SearchEntry[]): void
  /** Indexes what earlier runs left out, and remembers how far it has looked. */
  sweep(now: number): Promise<void>
  /** Resolves when everything added so far can be found. */
  settle(): Promise<void>
  close(): Promise<void>
}

export function createSearchIndexer(db: Db, log: FastifyBaseLogger): SearchIndexer {
  const follower: Follower<SearchEntry> = createFollower({
    name: 'search index',
    everyMs: 300,
    batch: 200,
    log,
    work: async (entries) => {
      if (entries.some((entry) => entry.number === 0)) await openNextBucket(db)
      await insertSearchDocuments(db, entries.map(toDocument))
    },
  })
  return {
    add: (entries) => follower.add(entries),
    settle: () => follower.settle(),
    close: () => follower.close(),
    sweep: (now) => sweep(db, now),
  }
}

const toDocument = (entry: SearchEntry): SearchDocument => ({
  threadId: entry.threadId,
  number: entry.number,
  text: foldForSearch(entry.text),
})

async function sweep(db: Db, now: number): Promise<void> {
  const state = await db.selectFrom('settings').select('value').where('key', '=', SWEPT).executeTakeFirst()
  const through = Number(state?.value['through'] ?? 0)
  let after = uuidv7Floor(through)
  for (;;) {
    // Only what is missing comes with its text; titles are indexed with post 1, in the same pass.
    const { rows } = await sql<{
      id: string
      threadId: string
      number: number
      content: string | null
      title: string | null
    }>`
      select p.id, p."threadId", p.number, case when d.number is null then p.content end as content,
        case when d.number is null and p.number = 1 then t.title end as title
      from (select * from posts where id > ${after}::uuid order by id limit ${SWEEP_BATCH}) as p
      join threads as t on t.id = p."threadId"
      left join "searchDocuments" as d on d."threadId" = p."threadId" and d.number = p.number
      order by p.id`.execute(db)
    if (rows.length === 0) break
    after = rows.at(-1)!.id
    const missing = rows.flatMap(({ threadId, number, content, title }) => [
      ...(title === null ? [] : [toDocument({ threadId, number: 0, text: title })]),
      ...(content === null ? [] : [toDocument({ threadId, number, text: content })]),
    ])
    if (missing.length === 0) continue
    await openNextBucket(db)
    await insertSearchDocuments(db, missing)
  }
  const value = JSON.stringify({ through: now - SWEEP_SLACK_MS })
  await sql`
    insert into settings (key, value) values (${SWEPT}, ${value}::text::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db)
}
