import { sql } from 'kysely'
import { SEARCH_EXCERPT, SEARCH_HITS_MAX } from '@shinobi/contract/limits'
import type { FoundPosts } from '@shinobi/contract/posts'
import type { SearchMatch } from '@shinobi/contract/threads'
import { createExcerptBudget, excerptAround } from '@shinobi/text/find-folded'
import { foldForSearch } from '@shinobi/text/fold'
import { SEARCH_TIMEOUT_MS, type Db } from '../../db/client.ts'
import { selectBestTexts, selectFoundPosts } from './matches.queries.ts'
import { inSlices } from '../../lib/in-slices.ts'
import type { PostFilter } from './search.filter.ts'
import type { SearchTerms } from './search.terms.ts'
import { isCutOff } from './searches.ts'

/** How long results wait for their reasons at most. */
const REASONS_MS = 1_000
/** With less time than this left of a search, its results are answered without reasons. */
const WORTHWHILE_MS = 100

interface Found {
  readonly id: string
  readonly title: string
  readonly postCount: number
}

/**
 * Why a search found threads, by their ids. It shares the search's time: what does not fit in is
 * left out, so that reasons never make a search fail.
 * @param startedAt `performance.now()` when the search began
 */
export async function findMatches(
  db: Db,
  terms: SearchTerms,
  filter: PostFilter | null,
  threads: readonly Found[],
  startedAt: number,
): Promise<ReadonlyMap<string, SearchMatch>> {
  const left = Math.floor(Math.min(REASONS_MS, SEARCH_TIMEOUT_MS - (performance.now() - startedAt)))
  if (threads.length === 0 || terms.all.length === 0 || left < WORTHWHILE_MS) return new Map()
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(left)}, true)`.execute(tx)
      return matchesOf(tx, terms, filter, threads)
    })
  } catch (error) {
    if (isCutOff(error)) return new Map()
    throw error
  }
}

async function matchesOf(
  db: Db,
  terms: SearchTerms,
  filter: PostFilter | null,
  threads: readonly Found[],
): Promise<ReadonlyMap<string, SearchMatch>> {
  const byId = new Map(threads.map((thread) => [thread.id, thread]))
  const best = await selectBestTexts(db, terms, threads, filter)
  for (const [word, lacking] of Map.groupBy(best, ({ threadId, number }) =>
    number === 0 ? wordLackingIn(byId.get(threadId)!.title, terms) : null,
  )) {
    if (word === null) continue
    const posts = await selectBestTexts(
      db,
      { all: [word], none: [] },
      lacking.map(({ threadId }) => byId.get(threadId)!),
      filter,
    )
    for (const post of posts) best[best.findIndex(({ threadId }) => threadId === post.threadId)] = post
  }
  const partsOf = createExcerpts(terms)
  const matches = best.values().map(({ threadId, number, content, hits }): [string, SearchMatch] => {
    const parts = partsOf(number === 0 ? byId.get(threadId)!.title : content)
    return [threadId, { number: number === 0 ? null : number, parts, hits: Math.min(hits, SEARCH_HITS_MAX) }]
  })
  return new Map(await inSlices(matches))
}

/** A word that a title does not have: a post that has it says more than the title. */
function wordLackingIn(title: string, { all }: SearchTerms): string | null {
  const folded = foldForSearch(title)
  return all.find((word) => !folded.includes(word)) ?? null
}

/** The posts of one thread that contain all words; none for a search without words. */
export async function findInThread(db: Db, terms: SearchTerms, threadId: string, after: number): Promise<FoundPosts> {
  if (terms.all.length === 0) return { hits: 0, next: null, found: [] }
  const { hits, texts, hasNext } = await selectFoundPosts(db, terms, threadId, after)
  const partsOf = createExcerpts(terms)
  const found = texts.values().map(({ number, content }) => ({ number, parts: partsOf(content) }))
  return { hits, next: hasNext ? texts.at(-1)!.number : null, found: await inSlices(found) }
}

/** Makes the excerpts of one answer; none of a text that is not shown. */
function createExcerpts({ all }: SearchTerms): (text: string | null) => string[] {
  const budget = createExcerptBudget()
  return (text) => (text === null ? [] : excerptAround(text, all, SEARCH_EXCERPT, budget))
}
