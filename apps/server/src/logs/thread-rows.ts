/** The rows of a thread of a log. */
import type { ImportedPost } from '../features/posts/imported-posts.queries.ts'
import {
  importedThreadId,
  type ImportedState,
  type ImportedThread,
} from '../features/threads/imported-threads.queries.ts'
import { toExcerpt } from '../features/threads/threads.excerpt.ts'
import { inHalfLives } from '../features/threads/threads.trending.ts'
import { uuidv7 } from '../lib/uuid.ts'
import type { LoggedPost, LoggedThread } from './read-thread.ts'
import type { Report } from './report.ts'

export interface RowOptions {
  readonly categoryId: string
  /** Whether threads are closed; undefined: as the log says, and if it says nothing, they are. */
  readonly closed: boolean | undefined
  /** Posts that a thread of the category takes. */
  readonly postLimit: number
  /** The member who is the opener of the threads; null for nobody. */
  readonly ownerId: string | null
  /** In milliseconds. */
  readonly now: number
}

/** The key of a thread is the second of its opening, by the clock of its board. */
const CLOCKS_DIFFER_MS = 24 * 3_600_000

/** When a thread was opened, in milliseconds. */
function openedAtOf({ file, key, posts }: LoggedThread, now: number, report: Report): number {
  const byKey = Math.min(key * 1_000, now)
  const first = posts[0]?.at?.getTime()
  if (first === undefined || first === byKey) return byKey
  if (first <= now && Math.abs(first - key * 1_000) <= CLOCKS_DIFFER_MS) return first
  report.odd('odd_opening', file, 1, [])
  return byKey
}

export interface ThreadRows {
  readonly key: number
  readonly file: string
  readonly thread: ImportedThread
  readonly posts: readonly ImportedPost[]
}

export function toThreadRows(logged: LoggedThread, options: RowOptions, report: Report): ThreadRows {
  const { categoryId, ownerId } = options
  const openedAt = openedAtOf(logged, options.now, report)
  const id = importedThreadId(categoryId, logged.key, openedAt)
  const { posts, ...counters } = addPosts(logged, { id, options, report, before: beginning(openedAt) })
  const [opening] = posts
  const thread = {
    ...{ id, categoryId, title: logged.title, excerpt: toExcerpt(opening?.content ?? '') },
    ...{ nickname: opening?.name ?? null, trip: opening?.trip ?? null, userId: ownerId, createdAt: new Date(openedAt) },
    ...{ aiGenerated: logged.aiGenerated, sourceSite: logged.sourceSite, sourceUrl: logged.sourceUrl },
    ...counters,
  }
  return { key: logged.key, file: logged.file, thread, posts }
}

const beginning = (openedAt: number): ImportedState => ({
  ...{ postCount: 0, sages: 0, lastPostAt: new Date(openedAt), liftedAt: null, heat: -Infinity, closedAt: null },
})

interface Adding {
  readonly id: string
  readonly options: RowOptions
  readonly report: Report
  /** The thread without the posts that are added. */
  readonly before: ImportedState
}

/** The posts of a log that a thread does not have yet, and its counters with them. */
export function addPosts(
  logged: LoggedThread,
  { id, options, report, before }: Adding,
): ImportedState & { readonly posts: readonly ImportedPost[] } {
  let { sages, liftedAt, heat } = before
  let last = before.lastPostAt.getTime()
  let previous = last
  const posts = logged.posts.slice(before.postCount).map((post, index): ImportedPost => {
    const number = before.postCount + index + 1
    const isFuture = post.at !== null && post.at.getTime() > options.now
    if (isFuture) report.odd('future_date', logged.file, 1, [number])
    const at = post.at === null || isFuture ? previous : post.at.getTime()
    previous = at
    const sage = !post.removed && post.mail.includes('sage')
    if (sage) {
      sages += 1
      liftedAt ??= new Date(last)
    } else liftedAt = null
    last = Math.max(last, at)
    heat = raise(heat, at)
    // Ids rise with the numbers, also where the clock of the board went back.
    const userId = number === 1 ? options.ownerId : null
    return { threadId: id, number, id: uuidv7(last), userId, createdAt: new Date(at), ...toColumns(post, sage, at) }
  })
  const lastPostAt = new Date(last)
  const postCount = Math.max(before.postCount, logged.posts.length)
  const isClosed = options.closed ?? logged.closedAt !== null
  const closedAt =
    before.closedAt ?? (isClosed ? (logged.closedAt ?? lastPostAt) : postCount >= options.postLimit ? lastPostAt : null)
  return { posts, postCount, sages, lastPostAt, liftedAt, heat, closedAt }
}

function toColumns(post: LoggedPost, sage: boolean, at: number) {
  const { name, trip, staff, mail, posterId, content, removed } = post
  if (removed) {
    return {
      ...{ name: null, content: '', deletedAt: new Date(at), asStaff: false, trip: null, posterId: null },
      ...{ sage: false, mail: null },
    }
  }
  return {
    ...{ name, content, deletedAt: null, asStaff: staff, trip, posterId, sage },
    mail: mail === (sage ? 'sage' : '') ? null : mail,
  }
}

/** The formula of `heatAfterAdding`, for one post. */
function raise(heat: number, milliseconds: number): number {
  const added = inHalfLives(milliseconds)
  return Math.max(heat, added) + Math.log2(1 + 2 ** -Math.min(Math.abs(heat - added), 1_000))
}
