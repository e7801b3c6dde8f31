import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { foldForSearch } from '@shinobi/text/fold'
import type { Db } from '../../db/client.ts'
import { isPassing } from '../../lib/api-error.ts'
import { createFollower, type Follower } from '../../lib/follower.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { noteProgress } from '../settings/settings.queries.ts'
import {
  deleteRemovedDocuments,
  insertSearchDocuments,
  openNextBucket,
  selectSweptPosts,
  type SearchDocument,
} from './search.queries.ts'

/** A committed text on its way into the index; number 0 is the thread's title. */
export interface SearchEntry {
  readonly threadId: string
  readonly number: number
  readonly text: string
}

/** Where a text stands in the index. */
export type SearchPlace = Pick<SearchEntry, 'threadId' | 'number'>

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
  /**
   * Posts were removed, and taken out of the index in the same transaction. A text that was on its way into it at that moment is taken
   * out after it has arrived.
   */
  remove(places: readonly SearchPlace[]): void
  /** Indexes what earlier runs left out, and remembers how far it has looked. */
  sweep(now: number, signal?: AbortSignal): Promise<void>
  /** Texts that wait for their way into the index, or out of it. */
  waiting(): number
  /** Resolves when everything added so far can be found. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** Tag of cached answers to searches: what is indexed shows in them. */
export const SEARCH_TAG = 'search'

/** @param onIndexed called when searches may find more than before */
export function createSearchIndexer(db: Db, log: FastifyBaseLogger, onIndexed: () => void): SearchIndexer {
  const follower: Follower<SearchEntry | (SearchPlace & { readonly text: null })> = createFollower({
    name: 'search index',
    everyMs: 300,
    batch: 200,
    log,
    work: async (items) => {
      const entries = items.filter((item): item is SearchEntry => item.text !== null)
      const removed = items.filter((item) => item.text === null)
      if (entries.some((entry) => entry.number === 0)) await openNextBucket(db)
      await insertInPortions(db, log, entries.map(toDocument))
      if (removed.length > 0) await deleteRemovedDocuments(db, removed)
      onIndexed()
    },
  })
  return {
    add: (entries) => follower.add(entries),
    remove: (places) => follower.add(places.map(({ threadId, number }) => ({ threadId, number, text: null }))),
    waiting: () => follower.waiting(),
    settle: () => follower.settle(),
    close: () => follower.close(),
    sweep: async (now, signal) => {
      await sweep(db, log, now, signal)
      onIndexed()
    },
  }
}

/** Characters of one statement: short ones let other writes find their place between. */
const PORTION_CHARACTERS = 8_000

async function insertInPortions(db: Db, log: FastifyBaseLogger, documents: readonly SearchDocument[]): Promise<void> {
  let portion: SearchDocument[] = []
  let characters = 0
  for (const document of documents) {
    if (portion.length > 0 && characters + document.text.length > PORTION_CHARACTERS) {
      await insertPortion(db, log, portion)
      portion = []
      characters = 0
    }
    portion.push(document)
    characters += document.text.length
  }
  await insertPortion(db, log, portion)
}

/** PostgreSQL's code for a statement that took too long: a smaller one may not. */
const TOO_LONG = '57014'

/** One text that the index cannot take must not keep all others out: what fails is halved, and in the end left out. */
async function insertPortion(db: Db, log: FastifyBaseLogger, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return
  try {
    await insertSearchDocuments(db, documents)
    await setImmediate()
  } catch (error) {
    if (isPassing(error) && (error as { code?: unknown }).code !== TOO_LONG) throw error
    if (documents.length === 1) {
      const [{ threadId, number }] = documents as [SearchDocument]
      log.error({ err: error, threadId, number }, 'a text cannot be indexed, leaving it out')
      return
    }
    const middle = Math.ceil(documents.length / 2)
    await insertPortion(db, log, documents.slice(0, middle))
    await insertPortion(db, log, documents.slice(middle))
  }
}

const toDocument = (entry: SearchEntry): SearchDocument => ({
  threadId: entry.threadId,
  number: entry.number,
  text: foldForSearch(entry.text),
})

async function sweep(db: Db, log: FastifyBaseLogger, now: number, signal?: AbortSignal): Promise<void> {
  const state = await db.selectFrom('settings').select('value').where('key', '=', SWEPT).executeTakeFirst()
  // A clock that was ahead must not hide what came since.
  const through = Math.min(Number(state?.value['through'] ?? 0), now - SWEEP_SLACK_MS)
  let after = uuidv7Floor(through)
  for (;;) {
    const rows = await selectSweptPosts(db, after, SWEEP_BATCH)
    if (rows.length === 0) break
    // The next sweep goes on from where the last whole one ended.
    if (signal?.aborted === true) return
    after = rows.at(-1)!.id
    const missing = rows.flatMap(({ threadId, number, content, title }) => [
      ...(title === null ? [] : [toDocument({ threadId, number: 0, text: title })]),
      ...(content === null ? [] : [toDocument({ threadId, number, text: content })]),
    ])
    if (missing.length === 0) continue
    await openNextBucket(db)
    await insertInPortions(db, log, missing)
  }
  await noteProgress(db, SWEPT, { through: now - SWEEP_SLACK_MS })
}
