import { setImmediate, setTimeout } from 'node:timers/promises'
import { foldForSearch } from '@shinobi/text/fold'
import type { Core } from '../../core.ts'
import { groupByShard } from '../../db/shards.ts'
import { isPassing } from '../../lib/api-error.ts'
import { createBatchQueue, type BatchQueue } from '../../lib/batch-queue.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { noteProgress } from '../settings/settings.queries.ts'
import { endForgottenCollecting } from './bulk-index.ts'
import {
  deleteRemovedDocuments,
  insertSearchDocuments,
  openNextBucket,
  selectSweptPosts,
  type SearchDocument,
} from './search.queries.ts'

/** A committed text to be indexed; number 0 is the thread's title. */
export interface SearchEntry {
  readonly threadId: string
  readonly number: number
  readonly text: string
}

/** Place of a text in the index. */
export type SearchPlace = Pick<SearchEntry, 'threadId' | 'number'>

const SWEPT = 'search.swept'
/**
 * A crash, another server's clock or a slow commit may leave unindexed texts this far before the
 * swept time.
 */
const SWEEP_SLACK_MS = 120_000
const SWEEP_BATCH = 1_000

/**
 * Indexes texts after their commit, in batches, and more slowly while others come, so that indexing
 * never slows a post; a text is found within a second, after a storm some seconds later. `sweep`
 * compares recent posts with the index, and adds what a crash left out.
 */
export interface SearchIndexer {
  add(entries: readonly SearchEntry[]): void
  /**
   * Call it after posts were removed, and deleted from the index in the same transaction. A text
   * that was queued at that moment is deleted after it was inserted.
   */
  remove(places: readonly SearchPlace[]): void
  /** Indexes what earlier runs left out, and stores the swept time. */
  sweep(now: number, signal?: AbortSignal): Promise<void>
  /** Number of texts queued for insertion or deletion. */
  waiting(): number
  /** Resolves when everything added so far can be found. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Tag of cached search results, which is dropped when texts are indexed. */
export const SEARCH_TAG = 'search'

export interface SearchIndexerOptions extends Pick<Core, 'db' | 'log'> {
  readonly cache: Pick<Core['cache'], 'drop'>
}

export function createSearchIndexer({ db, log, cache }: SearchIndexerOptions): SearchIndexer {
  /** Searches may have more results than before. */
  const onIndexed = (): void => cache.drop([SEARCH_TAG])
  let added = 0
  /**
   * After a statement during which texts came, the next one waits as long as it took: half of the
   * time belongs to those who write.
   */
  const pace: Pace = async (statement) => {
    const [before, start] = [added, performance.now()]
    await statement()
    await (added === before ? setImmediate() : setTimeout(performance.now() - start))
  }
  const queue: BatchQueue<SearchEntry | (SearchPlace & { readonly text: null })> = createBatchQueue({
    name: 'search index',
    everyMs: 300,
    batch: 1_000,
    // Characters of texts are what takes memory.
    sizeOf: ({ text }) => 1 + Math.floor((text?.length ?? 0) / ORDINARY_CHARACTERS),
    log,
    work: async (items) => {
      const entries = items.filter((item): item is SearchEntry => item.text !== null)
      const removed = items.filter((item) => item.text === null)
      if (entries.some((entry) => entry.number === 0)) await openNextBucket(db)
      await insertInPortions({ db, log, pace }, entries)
      if (removed.length > 0) await deleteRemovedDocuments(db, removed)
      onIndexed()
    },
  })
  return {
    add: (entries) => {
      added += entries.length
      queue.add(entries)
    },
    remove: (places) => queue.add(places.map(({ threadId, number }) => ({ threadId, number, text: null }))),
    waiting: () => queue.waiting(),
    settle: () => queue.settle(),
    close: () => queue.close(),
    sweep: async (now, signal) => {
      await indexMissing({ db, log, pace }, now, signal)
      await endForgottenCollecting(db)
      onIndexed()
    },
  }
}

/** Characters of a text that takes one place of the queue; a longer one takes more. */
const ORDINARY_CHARACTERS = 500

/** Characters per statement: short statements let other writes run in between. */
const PORTION_CHARACTERS = 8_000

/** Runs a statement, and waits before the next one. */
type Pace = (statement: () => Promise<void>) => Promise<void>

interface Indexing extends Pick<Core, 'db' | 'log'> {
  readonly pace: Pace
}

async function insertInPortions(indexing: Indexing, entries: readonly SearchEntry[]): Promise<void> {
  for (const ofShard of await groupByShard(indexing.db, entries)) await insertPortions(indexing, ofShard)
}

async function insertPortions(indexing: Indexing, entries: readonly SearchEntry[]): Promise<void> {
  let portion: SearchDocument[] = []
  let characters = 0
  for (const entry of entries) {
    // Folded here, so that the texts of a batch do not block the event loop together.
    const document = toDocument(entry)
    if (portion.length > 0 && characters + document.text.length > PORTION_CHARACTERS) {
      await insertPortion(indexing, portion)
      portion = []
      characters = 0
    }
    portion.push(document)
    characters += document.text.length
  }
  await insertPortion(indexing, portion)
}

/** PostgreSQL's error code of a cancelled statement (time-out): a smaller one may succeed. */
const TOO_LONG = '57014'

/**
 * One text that cannot be indexed must not block the others: a failed portion is split in halves,
 * down to the single text, which is left out.
 */
async function insertPortion(indexing: Indexing, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return
  const { db, log, pace } = indexing
  try {
    await pace(() => insertSearchDocuments(db, documents))
  } catch (error) {
    if (isPassing(error) && (error as { code?: unknown }).code !== TOO_LONG) throw error
    if (documents.length === 1) {
      const [{ threadId, number }] = documents as [SearchDocument]
      log.error({ err: error, threadId, number }, 'a text cannot be indexed, leaving it out')
      return
    }
    const middle = Math.ceil(documents.length / 2)
    await insertPortion(indexing, documents.slice(0, middle))
    await insertPortion(indexing, documents.slice(middle))
  }
}

const toDocument = (entry: SearchEntry): SearchDocument => ({
  threadId: entry.threadId,
  number: entry.number,
  text: foldForSearch(entry.text),
})

/** Indexes the texts that the index lacks, from the end of the last time on. */
export async function indexMissing(indexing: Indexing, now: number, signal?: AbortSignal): Promise<void> {
  const { db } = indexing
  const state = await db.selectFrom('settings').select('value').where('key', '=', SWEPT).executeTakeFirst()
  // A clock that was ahead must not hide later posts.
  const through = Math.min(Number(state?.value['through'] ?? 0), now - SWEEP_SLACK_MS)
  let after = uuidv7Floor(through)
  for (;;) {
    const rows = await selectSweptPosts(db, after, SWEEP_BATCH)
    if (rows.length === 0) break
    // The next sweep continues from the end of the last complete one.
    if (signal?.aborted === true) return
    after = rows.at(-1)!.id
    const missing = rows.flatMap(({ threadId, number, content, title }) => [
      ...(title === null ? [] : [{ threadId, number: 0, text: title }]),
      ...(content === null ? [] : [{ threadId, number, text: content }]),
    ])
    if (missing.length === 0) continue
    await openNextBucket(db)
    await insertInPortions(indexing, missing)
  }
  await noteProgress(db, SWEPT, { through: now - SWEEP_SLACK_MS })
}
