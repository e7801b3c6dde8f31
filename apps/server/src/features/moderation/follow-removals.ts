/**
 * Reads removals and other decisions from the audit log, which all servers of a board share: once a
 * second to drop cached answers that other servers' decisions have changed, and at each sweep to
 * repair pictures, the search index and lists after a crash between a commit and the work that
 * follows it, and finish removals, and undos of them, whose steps were cut short.
 */
import { UNDO_HOURS } from '@shinobi/contract/limits'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { createPoller } from '../../lib/poller.ts'
import { REMOVES_THREAD } from '../audit/audit.rules.ts'
import { PUBLIC_LOG_TAG } from '../audit/audit.tags.ts'
import { selectRemovedAt } from '../posts/authors.queries.ts'
import type { PostPlace } from '../posts/removals.queries.ts'
import { restorePostsInSteps, type RemovalDeps } from '../posts/removals.service.ts'
import { selectCategoriesOf } from '../threads/threads-state.queries.ts'
import type { SortColumns } from '../threads/threads.sort-columns.ts'
import { removalTags } from '../threads/threads.tags.ts'
import {
  isUndone,
  selectMisplacedPosts,
  selectRestoredSince,
  selectStandingPosts,
  selectTouchingEntries,
  type TouchingEntry,
} from './follow-removals.queries.ts'
import type { ModerationDeps } from './moderation.deps.ts'
import { removeUntilUndone } from './remove-until-undone.ts'

export interface RemovalFollower {
  /** Resolves when everything in the log is followed. */
  settle(): Promise<void>
  sweep(now: number): Promise<void>
  close(): Promise<void>
}

/** A removal takes effect on every server within two seconds. */
const LOOK_EVERY_MS = 1_000
/**
 * Each poll reads entries this far back: their ids contain the server's clock and the start of the
 * transaction, which may commit later.
 */
const LOOK_BACK_MS = 60_000
const ENTRIES_AT_ONCE = 500
/**
 * An entry about many posts is written before the last of them is removed: each poll follows it
 * again for this long.
 */
const STEPS_LAST_MS = 15_000
/**
 * The first sweep of a process covers the time within which actions can be undone; later sweeps
 * cover two sweep intervals.
 */
const FIRST_SWEEP_MS = UNDO_HOURS * 3_600_000
const SWEEP_MS = 20 * 60_000

export type FollowRemovalsDeps = RemovalDeps &
  Pick<ModerationDeps, 'db' | 'log' | 'now' | 'search'> & {
    readonly cache: Pick<ModerationDeps['cache'], 'drop' | 'dropHere'>
    readonly sortColumns: Pick<SortColumns, 'touch'>
  }

export function followRemovals(deps: FollowRemovalsDeps): RemovalFollower {
  const { db, log, now, cache, search, removedImages, sortColumns } = deps
  let seen = new Set<string>()
  let hasSwept = false
  const poller = createPoller({ name: 'the audit log', everyMs: LOOK_EVERY_MS, poll: look, log })

  async function look(): Promise<void> {
    const found = new Set<string>()
    for await (const entries of readFrom(now() - LOOK_BACK_MS)) {
      for (const entry of entries) {
        const isDone = entry.posts === null || entry.at.getTime() < now() - STEPS_LAST_MS
        if (isDone) found.add(entry.id)
        if (!isDone || !seen.has(entry.id)) await follow(entry)
      }
    }
    seen = found
  }

  async function follow(entry: TouchingEntry): Promise<void> {
    const { posts } = entry
    const ofPosts = posts === null ? [] : await selectCategoriesOf(db, Object.keys(posts))
    cache.dropHere(tagsOf(entry, ofPosts), 'at once')
    followThread(entry)
  }

  /** Also on a cluster, where its lists are read from a copy. */
  function followThread(entry: TouchingEntry): void {
    sortColumns.touch(threadsOf(entry))
    lookAtImages(entry)
  }

  /** A crash or an outage may have ended the steps of a removal that the log has whole. */
  async function finish(entry: TouchingEntry): Promise<void> {
    const { id, at, rule, action, posts, actorName } = entry
    if (action !== 'posts_remove' || posts === null || rule === null || (await isUndone(db, id))) return
    const standing = await selectStandingPosts(db, postsOf(entry))
    if (standing.length === 0) return
    const restored = await selectRestoredSince(db, id, Object.keys(posts))
    const keyOf = ({ threadId, number }: PostPlace): string => `${threadId} ${number}`
    const kept = new Set(restored.map(keyOf))
    const left = standing.filter((post) => !kept.has(keyOf(post)))
    if (left.length === 0) return
    log.warn({ entry: id, posts: left.length }, 'a removal of many posts was cut short: finishing it')
    await removeUntilUndone(deps, left, rule, { decision: 'remove_all', by: actorName, actionId: id, at })
  }

  /** The same for its undo, which nobody can repeat; also for what a step removed meanwhile. */
  async function finishUndo({ id, action, posts, undoneAt }: TouchingEntry): Promise<void> {
    if (action !== 'posts_restore' || posts === null || undoneAt === null) return
    const left = await selectRemovedAt(db, posts, undoneAt)
    if (left.length === 0) return
    log.warn({ entry: id, posts: left.length }, 'an undo of many removals was cut short: finishing it')
    await restorePostsInSteps(deps, left)
  }

  function lookAtImages(entry: TouchingEntry): void {
    removedImages.lookAtPosts(postsOf(entry))
    if (entry.threadId !== null && isOfWholeThread(entry)) removedImages.lookAtThread(entry.threadId)
  }

  async function* readFrom(since: number): AsyncGenerator<readonly TouchingEntry[]> {
    let after = uuidv7Floor(since)
    for (;;) {
      const entries = await selectTouchingEntries(db, after, ENTRIES_AT_ONCE)
      yield entries
      if (entries.length < ENTRIES_AT_ONCE) return
      after = entries.at(-1)!.id
    }
  }

  return {
    settle: poller.poll,
    async sweep(at) {
      for await (const entries of readFrom(at - (hasSwept ? SWEEP_MS : FIRST_SWEEP_MS))) {
        for (const entry of entries) {
          if (entry.at.getTime() < now() - STEPS_LAST_MS) {
            await finish(entry)
            await finishUndo(entry)
          }
          followThread(entry)
        }
        const misplaced = await selectMisplacedPosts(db, entries.flatMap(postsOf))
        search.remove(misplaced.filter((post) => post.text === null))
        search.add(misplaced.filter((post): post is typeof post & { text: string } => post.text !== null))
      }
      hasSwept = true
    },
    close: poller.close,
  }
}

function postsOf({ threadId, number, posts }: TouchingEntry): PostPlace[] {
  const many = Object.entries(posts ?? {}).flatMap(([id, numbers]) =>
    numbers.map((each) => ({ threadId: id, number: each })),
  )
  return threadId === null || number === null ? many : [{ threadId, number }, ...many]
}

const isOfWholeThread = ({ action }: TouchingEntry): boolean =>
  REMOVES_THREAD.has(action) || action === 'thread_restore'

const threadsOf = ({ posts, threadId }: TouchingEntry): string[] =>
  [...Object.keys(posts ?? {}), threadId].filter((id) => id !== null)

/** Cache tags of all answers that show what an entry changed. */
function tagsOf(entry: TouchingEntry, categoriesOfPosts: readonly string[]): Set<string> {
  const { categoryId, movedFrom, movedTo } = entry
  const tags = removalTags({
    threadIds: threadsOf(entry),
    categoryIds: [categoryId, movedFrom, movedTo, ...categoriesOfPosts].filter((id) => id !== null),
  })
  return entry.isPublic ? tags.add(PUBLIC_LOG_TAG) : tags
}
