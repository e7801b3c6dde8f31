import { performance } from 'node:perf_hooks'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LOOK_BACK_DAYS, TRIAL_POSTS_MAX } from '@shinobi/contract/limits'
import type { WordHit, WordInput, WordTrial } from '@shinobi/contract/words'
import type { Core } from '../../core.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldForFilter } from './fold-for-filter.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { createWordMatcher, type Span } from './word-matcher.ts'
import { selectPostsBackwards, selectTitles, type TrialPost } from './words.queries.ts'

/**
 * Time limit, because an administrator waits for the answer. The answer reports how far the trial
 * got.
 */
const WITHIN_MS = 3_000
/** Posts per query. */
const PAGE = 500
/** Posts examined before the event loop gets a turn: a few milliseconds if they are long. */
const AT_A_GO = 50
/** Hits in the answer; further ones are only counted. */
const HITS_SHOWN = 50
/** Characters of context on either side of a hit. */
const AROUND = 40

interface Found {
  readonly post: TrialPost
  readonly span: Span
}

/**
 * Tries a rule on the posts of the last days, newest first, until the time limit. Removed posts are
 * skipped.
 * @param limits for tests
 * @throws ApiError bad_word for a word of signs only, which folds to nothing
 */
export async function tryWordRule(
  { db, now }: Pick<Core, 'db' | 'now'>,
  rule: Pick<WordInput, 'word' | 'allow'>,
  { posts: most = TRIAL_POSTS_MAX, withinMs = WITHIN_MS }: { readonly posts?: number; readonly withinMs?: number } = {},
): Promise<WordTrial> {
  if (foldForFilter(rule.word).text === '') throw refuse('bad_word', 'word_empty')
  const matcher = createWordMatcher([rule])
  const from = new Date(now() - LOOK_BACK_DAYS * 86_400_000)
  const deadline = performance.now() + withinMs
  const found: Found[] = []
  let examined = 0
  let last: TrialPost | null = null
  let complete = false
  while (!complete && examined < most && performance.now() < deadline) {
    const limit = Math.min(PAGE, most - examined)
    const posts = await selectPostsBackwards(db, { before: last?.id ?? null, from: uuidv7Floor(from.getTime()), limit })
    complete = posts.length < limit
    for (const [index, post] of posts.entries()) {
      if (index > 0 && index % AT_A_GO === 0) {
        await yieldToEventLoop()
        if (performance.now() >= deadline) {
          complete = false
          break
        }
      }
      examined += 1
      last = post
      if (post.isRemoved) continue
      const hit = matcher.find(post.content)
      if (hit !== null) found.push({ post, span: hit })
    }
  }
  // A full page may end with the last post; only another query shows whether it does.
  if (!complete && last !== null) {
    const behind = await selectPostsBackwards(db, { before: last.id, from: uuidv7Floor(from.getTime()), limit: 1 })
    complete = behind.length === 0
  }
  const since = complete || last === null ? from : last.createdAt
  return { examined, complete, since: since.toISOString(), ...(await toHits(db, found)) }
}

/**
 * The newest hits with the titles of their threads, and the number of all. Posts of removed threads
 * do not count.
 */
async function toHits(db: Core['db'], found: readonly Found[]): Promise<Pick<WordTrial, 'hits' | 'total'>> {
  const titles = await selectTitles(db, [...new Set(found.map(({ post }) => post.threadId))])
  const seen = found.filter(({ post }) => titles.has(post.threadId))
  const hits = seen.slice(0, HITS_SHOWN).map(({ post, span }) => toHit(post, span, titles.get(post.threadId)!))
  return { total: seen.length, hits }
}

function toHit(post: TrialPost, { start, end }: Span, title: string): WordHit {
  const { content } = post
  // Does not split a surrogate pair.
  const from = alignTo(content, Math.max(0, start - AROUND))
  const to = alignTo(content, Math.min(content.length, end + AROUND))
  return {
    threadId: post.threadId,
    postId: post.id,
    number: post.number,
    title,
    text: content.slice(from, to),
    start: start - from,
    end: end - from,
    createdAt: post.createdAt.toISOString(),
  }
}

/** Returns the place, or the one before it when it is inside a surrogate pair. */
const alignTo = (text: string, place: number): number =>
  place < text.length && /[\udc00-\udfff]/.test(text[place]!) ? place - 1 : place
