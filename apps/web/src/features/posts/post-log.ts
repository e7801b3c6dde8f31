/**
 * A thread page's view of a thread: one gapless window of posts, and what is known beyond it.
 * Pure: every function takes a log and returns the next one (the same object when nothing changed).
 * Live events may arrive twice, late or not at all; post numbers are authoritative, and `needOf`
 * returns what must be fetched to be consistent with the server.
 */
import type { ThreadState } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'

/**
 * A page further behind than this does not fetch everything missed: the rest loads while scrolling.
 */
export const CATCH_UP_MAX = 300
/** Live posts kept while those before them are fetched. Any beyond this are fetched as well. */
const EARLY_MAX = 200

export interface PostLog {
  /** Number before the window's first post. */
  readonly start: number
  /** The window: ascending, without gaps, from `start + 1`. */
  readonly posts: readonly Post[]
  /** Live posts that arrived before their predecessors, ascending. */
  readonly early: readonly Post[]
  /** Highest number known to exist. */
  readonly newest: number
  /** `revision − postCount` of the thread: rises with every change other than a new post. */
  readonly changes: number
  /** The window reaches the end and grows with it; else new posts are only counted. */
  readonly follows: boolean
  /** Something within the window changed: it must be reloaded. */
  readonly stale: boolean
}

export type Position = Pick<ThreadState, 'postCount' | 'revision'>

export type Need =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'catch-up'; readonly after: number }
  | { readonly kind: 'reload'; readonly after: number; readonly through: number }

const changesOf = (state: Position): number => state.revision - state.postCount

export const lastNumber = (log: Pick<PostLog, 'start' | 'posts'>): number => log.start + log.posts.length

export function openLog(start: number, posts: readonly Post[], thread: Position): PostLog {
  const log = {
    start,
    posts: gapless(start, posts),
    early: [],
    changes: changesOf(thread),
    stale: false,
  }
  const newest = Math.max(thread.postCount, posts.at(-1)?.number ?? 0)
  return { ...log, newest, follows: lastNumber(log) >= newest }
}

/** The posts that follow `start` without a gap. */
function gapless(start: number, posts: readonly Post[]): readonly Post[] {
  const hole = posts.findIndex((post, index) => post.number !== start + index + 1)
  return hole === -1 ? posts : posts.slice(0, hole)
}

/**
 * Updates the known end of the thread, stops following when it is too far away, and moves early
 * posts in.
 */
function settle(log: PostLog, known: number): PostLog {
  const posts = [...log.posts]
  const early = log.early.toSorted((a, b) => a.number - b.number)
  const waiting: Post[] = []
  for (const post of early) {
    const next = log.start + posts.length + 1
    if (post.number === next) posts.push(post)
    else if (post.number > next && post.number !== waiting.at(-1)?.number) waiting.push(post)
  }
  const last = log.start + posts.length
  const newest = Math.max(log.newest, known, last)
  const follows = last >= newest || (log.follows && newest - last <= CATCH_UP_MAX)
  return {
    ...log,
    posts: posts.length === log.posts.length ? log.posts : posts,
    early: follows ? waiting.slice(0, EARLY_MAX) : [],
    newest,
    follows,
  }
}

/** Adds an announced post, from the socket or from the answer to an own post. */
export function hear(log: PostLog, post: Post, state?: Position): PostLog {
  const known = state === undefined ? log : learn(log, state, post.number)
  const isNew = post.number > lastNumber(log) && !log.posts.some(({ _id }) => _id === post._id)
  // Announced before a change that is already known, it may be the changed post: it is counted
  // here, and fetched by `needOf`.
  const isOutdated = state !== undefined && changesOf(state) < log.changes
  const early = isNew && !isOutdated && known.follows ? [...known.early, post] : known.early
  return settle({ ...known, early }, post.number)
}

/**
 * Applies the thread's position, from a join or an announced change. Both numbers only rise, so an
 * announcement that arrives after a later one changes nothing. `reach` limits the known end (a post
 * announces itself).
 */
export function learn(log: PostLog, state: Position, reach = state.postCount): PostLog {
  const changes = changesOf(state)
  const known = Math.max(reach, state.postCount)
  const changed = changes > log.changes
  if (!changed && known <= log.newest) return log
  if (!changed) return settle(log, known)
  return settle({ ...log, changes, early: [], stale: true }, known)
}

/**
 * Adds fetched posts: those adjacent to the window extend it at either end, others are ignored.
 * `asOf` is the `changes` known when the fetch began: a later change causes another reload.
 */
export function add(log: PostLog, fetched: readonly Post[], asOf = log.changes): PostLog {
  const newer = gapless(
    lastNumber(log),
    fetched.filter((post) => post.number > lastNumber(log)),
  )
  const older = fetched.filter((post) => post.number <= log.start)
  const adjoins = older.at(-1)?.number === log.start && older.length > 0
  const first = older[0]
  const fits = adjoins && first !== undefined && gapless(first.number - 1, older).length === older.length
  if (newer.length === 0 && !fits) return log
  const start = fits ? first.number - 1 : log.start
  const posts = [...(fits ? older : []), ...log.posts, ...newer]
  return settle({ ...log, start, posts, stale: log.stale || log.changes > asOf }, 0)
}

/** Replaces the window by reloaded posts; `asOf` as above. */
export function reload(log: PostLog, fetched: readonly Post[], asOf: number): PostLog {
  const fresh = new Map(fetched.map((post) => [post.number, post]))
  const posts = log.posts.map((post) => fresh.get(post.number) ?? post)
  return { ...log, posts, stale: log.changes > asOf }
}

export function needOf(log: PostLog): Need {
  if (log.stale && log.posts.length > 0) return { kind: 'reload', after: log.start, through: lastNumber(log) }
  if (log.follows && lastNumber(log) < log.newest) return { kind: 'catch-up', after: lastNumber(log) }
  return { kind: 'nothing' }
}
