import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import { shardOf, type Shard } from '../../db/shards.ts'
import { ApiError, isPassing, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { createGroupCommit, type GroupCommit } from '../../lib/group-commit.ts'
import { threadFull } from '../admission/places.ts'
import { pickMarks } from '../posters/post-marks.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { claimNicknames, type NicknameClaim } from '../threads/nicknames.queries.ts'
import type { LateCounts } from './late-counts.ts'
import { insertPosts, type NewPostRow, type PlacedPost, type UnplacedPost } from './numbering.queries.ts'
import type { PostRow } from './posts.queries.ts'
import { createLru } from '../../lib/lru.ts'

/** A committed post and the resulting state of its thread. */
export interface WrittenPost {
  readonly row: PostRow
  /** Null for a post that existed before and is announced again (a resend). */
  readonly placed: { readonly revision: number; readonly categoryId: string } | null
}

/** A post as `insertPosts` has placed it. */
export function toWrittenPost(
  { threadId, id, name, content, image, userId, ...more }: NewPostRow,
  { number, revision, categoryId }: PlacedPost,
  createdAt: Date,
): WrittenPost {
  const fresh = { likes: 0, deletedAt: null, removedRule: null, withdrawn: false, foldedAt: null, foldReason: null }
  return {
    row: { threadId, number, id, name, content, image, userId, createdAt, ...pickMarks(more), ...fresh },
    placed: { revision, categoryId },
  }
}

/**
 * Writes posts in batches (group commit): while one statement (numbering.queries.ts) runs, posts of
 * all threads queue up and form the next batch, which is written while those of the last are
 * announced. So all of them share one wait for the disk, and no request succeeds before it. On a
 * cluster a batch has the posts of one shard, and each worker has one at a time; posts of a thread
 * keep their order.
 */
export interface PostWriter {
  /**
   * Resolves once the post is committed and announced.
   * @throws ApiError not_found, locked, thread_full, taken (the nickname), unauthorized (the
   * account is gone), unavailable; also taken, or a unique violation, when the same request is
   * stored already
   */
  write(post: NewPostRow): Promise<PostRow>
  /**
   * Calls the listener with the posts of each group after its commit, in the order of their
   * numbers, before their writers are answered.
   */
  onCommit(listener: (posts: readonly WrittenPost[]) => void): void
  /**
   * Calls the listeners for posts that another transaction has committed; for a resend once, and
   * not for one of an old post, whose announcement the sweeps have made up for.
   * @returns whether they were called
   */
  announce(posts: readonly WrittenPost[]): boolean
  /** Resolves when the queue is empty. */
  settle(): Promise<void>
  /** Writes the queued posts, and stops. */
  close(): Promise<void>
  readonly stats: GroupCommit<unknown>['stats']
}

interface Waiting {
  readonly post: NewPostRow
  readonly shard: Shard
  readonly resolve: (row: PostRow) => void
  readonly reject: (error: unknown) => void
}

/** Maximum of posts in one statement. */
const GROUP_MAX = 256
/** Maximum of queued posts. */
const WAITING_MAX = 10_000
/**
 * Nicknames whose owner is cached, so that only the first post under a name queries the database.
 */
const OWNERS_REMEMBERED = 50_000
/** Resends whose posts are older are not announced: the sweeps run more often. */
const RESEND_MS = 15 * 60_000
const RESENDS_REMEMBERED = 20_000

export interface PostWriterOptions {
  readonly db: Db
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly settings: Pick<LiveSettings, 'current'>
  readonly lateCounts: Pick<LateCounts, 'add'>
}

export function createPostWriter({ db, now, log, settings, lateCounts }: PostWriterOptions): PostWriter {
  const owners = createLru<string, string>(OWNERS_REMEMBERED)
  const announcedAgain = createLru<string, true>(RESENDS_REMEMBERED)
  const listeners: ((posts: readonly WrittenPost[]) => void)[] = []
  /** Posts that are not answered yet; and those with a client's id, by it. */
  const unanswered = new Set<Promise<PostRow>>()
  const pending = new Map<string, Promise<PostRow>>()
  /** By shard: resolves once all batches that were committed are reported. */
  const reports = new Map<string, Promise<void>>()
  const groupCommit = createGroupCommit<Waiting>({
    groupMax: GROUP_MAX,
    waitingMax: WAITING_MAX,
    laneOf: ({ shard }) => shard.id,
    trackOf: ({ shard }) => shard.worker,
    work: writeGroup,
  })

  async function write(post: NewPostRow): Promise<PostRow> {
    const key = post.clientPostId === null ? null : `${post.threadId} ${post.clientPostId}`
    const same = key === null ? undefined : pending.get(key)
    if (same !== undefined) {
      await same
      throw refuse('taken', 'client_id_reused')
    }
    const promise = enqueue(post)
    unanswered.add(promise)
    if (key !== null) pending.set(key, promise)
    const forget = (): void => {
      unanswered.delete(promise)
      if (key !== null) pending.delete(key)
    }
    promise.then(forget, forget)
    return promise
  }

  async function enqueue(post: NewPostRow): Promise<PostRow> {
    const shard = await shardOf(db, post.threadId)
    const { promise, resolve, reject } = Promise.withResolvers<PostRow>()
    groupCommit.add({ post, shard, resolve, reject })
    return promise
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const rightful = await claimNicknamesOf(group)
      if (rightful.length > 0) await commit(rightful)
    } catch (error) {
      // The whole statement failed. Only after a broken connection it is unknown whether the posts
      // were stored; a resend finds out.
      if (group.length === 1 || isPassing(error)) {
        for (const one of group) one.reject(error)
        return
      }
      // One post made the batch fail (a resend, an input that PostgreSQL refuses): each is written
      // alone.
      log.debug({ err: error, posts: group.length }, 'a group of posts failed, writing them one by one')
      for (const one of group) await writeGroup([one])
    }
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    const at = now()
    const placed = await insertPosts(
      db,
      group.map((one) => one.post),
      { at, postLimit: settings.current.postLimit, countLater: (ids) => lateCounts.add(ids) },
    )
    const { shard } = group[0]!
    const before = reports.get(shard.id) ?? Promise.resolve()
    reports.set(
      shard.id,
      before
        // The next batch is on its way to the database by then.
        .then(() => setImmediate())
        .then(() => report(group, placed, new Date(at)))
        .catch((error: unknown) => {
          for (const one of group) one.reject(error)
        }),
    )
    // Of each shard at most one batch is ahead of those that are reported.
    await before
  }

  /** Announces the posts of a batch in the order of their numbers, and answers their writers. */
  function report(group: readonly Waiting[], placed: readonly (PlacedPost | UnplacedPost)[], createdAt: Date): void {
    const places = new Map(placed.map((place) => [place.id, place]))
    const written: WrittenPost[] = []
    const outcomes = group.map(({ post }) => {
      const place = places.get(post.id)
      if (place === undefined) return refuse('not_found', 'thread_not_found')
      if (place.number === null) {
        if (place.fullAt !== null) return threadFull(place.fullAt)
        return place.isLocked ? refuse('locked', 'thread_locked') : refuse('unauthorized', 'session_expired')
      }
      const outcome = toWrittenPost(post, place, createdAt)
      written.push(outcome)
      return outcome.row
    })
    announce(written.toSorted((one, other) => one.row.number - other.row.number))
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome instanceof ApiError) group[index]!.reject(outcome)
      else group[index]!.resolve(outcome)
    }
  }

  /** Sending a post again costs no point of a limit, so it must not repeat the work either. */
  function isDue({ row, placed }: WrittenPost): boolean {
    if (placed !== null) return true
    if (announcedAgain.has(row.id) || now() - row.createdAt.getTime() > RESEND_MS) return false
    announcedAgain.set(row.id, true)
    return true
  }

  function announce(all: readonly WrittenPost[]): boolean {
    const posts = all.filter(isDue)
    if (posts.length === 0) return false
    for (const listener of listeners) {
      try {
        listener(posts)
      } catch (error) {
        // The posts are stored, so a failed announcement must not fail their requests.
        log.error({ err: error }, 'a group of posts is stored but could not be announced')
      }
    }
    return true
  }

  /**
   * Claims nicknames. Returns the posts whose nickname is free or belongs to their visitor; refuses
   * the others.
   */
  async function claimNicknamesOf(group: readonly Waiting[]): Promise<Waiting[]> {
    const claims = new Map<string, NicknameClaim>()
    const names = new Map<Waiting, string>()
    // The cache may evict an owner while this batch is processed.
    const ofGroup = new Map<string, string>()
    for (const one of group) {
      const { threadId, name, visitorId, userId, trip } = one.post
      // A member's name belongs to that member in all threads, and a name with a tripcode to all
      // who have its key: they need no claim.
      if (name === null || userId !== null || trip != null) continue
      const folded = foldName(name)
      const key = `${threadId} ${folded}`
      names.set(one, key)
      const owner = owners.get(key)
      if (owner !== undefined) ofGroup.set(key, owner)
      else if (!claims.has(key)) claims.set(key, { threadId, name: folded, visitorId })
    }
    if (claims.size > 0) {
      for (const owned of await claimNicknames(db, [...claims.values()], new Date(now()))) {
        const key = `${owned.threadId} ${owned.name}`
        ofGroup.set(key, owned.ownerId)
        if (!owned.isMember) owners.set(key, owned.ownerId)
      }
    }
    const isRightful = (one: Waiting): boolean => {
      const key = names.get(one)
      const owner = key === undefined ? undefined : ofGroup.get(key)
      return owner === undefined || owner === one.post.visitorId
    }
    for (const one of group) if (!isRightful(one)) one.reject(refuse('taken', 'nickname_taken'))
    return group.filter(isRightful)
  }

  async function settle(): Promise<void> {
    while (unanswered.size > 0) await Promise.allSettled(unanswered)
  }

  const onCommit: PostWriter['onCommit'] = (listener) => void listeners.push(listener)
  return { write, onCommit, announce, settle, close: settle, stats: groupCommit.stats }
}
