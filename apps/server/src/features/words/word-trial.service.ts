import { performance } from 'node:perf_hooks'
import { setImmediate as breathe } from 'node:timers/promises'
import { LOOK_BACK_DAYS, TRIAL_POSTS_MAX } from '@shinobi/contract/limits'
import type { WordHit, WordInput, WordTrial } from '@shinobi/contract/words'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldForFilter } from '../../lib/fold-for-filter.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { createWordMatcher, type Span } from '../../lib/word-matcher.ts'
import { selectPostsBackwards, selectTitles, type TrialPost } from './words.queries.ts'

/** Somebody waits for the answer: what was not reached by then is said. */
const WITHIN_MS = 3_000
/** Posts read at a time. */
const PAGE = 500
/** Posts looked at before others get their turn: a few milliseconds of long ones. */
const AT_A_GO = 50
/** Hits that are shown; the others are counted. */
const HITS_SHOWN = 50
/** Characters shown on either side of a hit. */
const AROUND = 40

interface Found {
  readonly post: TrialPost
  readonly span: Span
}

/**
 * Tries a rule on the posts of the last days, the newest first, as far as time allows. Removed posts are passed over.
 * @param limits for tests
 * @throws ApiError bad_word for a word that is nothing but signs to the filter
 */
export async function tryWordRule(
  { db, now }: Pick<Deps, 'db' | 'now'>,
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
        await breathe()
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
  // A page that ended exactly with the last post is known to be the last only by looking behind it.
  if (!complete && last !== null) {
    const behind = await selectPostsBackwards(db, { before: last.id, from: uuidv7Floor(from.getTime()), limit: 1 })
    complete = behind.length === 0
  }
  const since = complete || last === null ? from : last.createdAt
  return { examined, complete, since: since.toISOString(), ...(await toHits(db, found)) }
}

/** The newest hits with the titles of their threads, and how many there are; posts of removed threads are none. */
async function toHits(db: Deps['db'], found: readonly Found[]): Promise<Pick<WordTrial, 'hits' | 'total'>> {
  const titles = await selectTitles(db, [...new Set(found.map(({ post }) => post.threadId))])
  const seen = found.filter(({ post }) => titles.has(post.threadId))
  const hits = seen.slice(0, HITS_SHOWN).map(({ post, span }) => toHit(post, span, titles.get(post.threadId)!))
  return { total: seen.length, hits }
}

function toHit(post: TrialPost, { start, end }: Span, title: string): WordHit {
  const { content } = post
  // No character is cut in half.
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

/** The same place, or the one before it where that stands in the middle of a surrogate pair. */
const alignTo = (text: string, place: number): number =>
  place < text.length && /[\udc00-\udfff]/.test(text[place]!) ? place - 1 : place
