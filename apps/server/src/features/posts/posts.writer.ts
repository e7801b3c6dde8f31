import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import { ApiError, isPassing, isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { createGroups, type Groups } from '../../lib/groups.ts'
import { claimNicknames, type NicknameClaim } from '../threads/nicknames.queries.ts'
import { insertPosts, selectPostByClientId, type NewPostRow, type PlacedPost, type PostRow } from './posts.queries.ts'
import { createLru } from '../../lib/lru.ts'

/** A committed post and the state of its thread that it brought. */
export interface WrittenPost {
  readonly row: PostRow
  /** Null when the post was there before (a resend). */
  readonly placed: { readonly revision: number; readonly categoryId: string } | null
}

/** A post as `insertPosts` has placed it. */
export function toWrittenPost(
  { threadId, id, name, content, image, userId, asStaff = false }: NewPostRow,
  { number, revision, categoryId }: PlacedPost,
  createdAt: Date,
): WrittenPost {
  const fresh = { likes: 0, deletedAt: null, removedRule: null, foldedAt: null }
  return {
    row: { threadId, number, id, name, content, image, userId, asStaff, createdAt, ...fresh },
    placed: { revision, categoryId },
  }
}

/**
 * Writes posts in groups: while one statement is under way, posts of all threads wait together and go as the next one.
 * So a commit's wait for the disk is shared by all who post at that moment, and nobody is told "posted" before it.
 */
export interface PostWriter {
  /** @throws ApiError not_found, taken (the nickname), unauthorized (the account is gone), unavailable */
  write(post: NewPostRow): Promise<WrittenPost>
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>
  readonly stats: Groups<unknown>['stats']
}

interface Waiting {
  readonly post: NewPostRow
  readonly resolve: (written: WrittenPost) => void
  readonly reject: (error: unknown) => void
}

/** Posts in one statement at most. */
const GROUP_MAX = 256
/** Posts that may wait. */
const WAITING_MAX = 10_000
/** Nicknames whose owner is remembered, so that only the first post under a name asks the database. */
const OWNERS_REMEMBERED = 50_000

export interface PostWriterOptions {
  readonly db: Db
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** Called once for each group after its commit, before the writers are told. */
  readonly onCommit: (written: readonly WrittenPost[]) => void
}

export function createPostWriter({ db, now, log, onCommit }: PostWriterOptions): PostWriter {
  const owners = createLru<string, string>(OWNERS_REMEMBERED)
  const pending = new Map<string, Promise<WrittenPost>>()
  const groups = createGroups<Waiting>({ groupMax: GROUP_MAX, waitingMax: WAITING_MAX, work: writeGroup })

  async function write(post: NewPostRow): Promise<WrittenPost> {
    const key = post.clientPostId === null ? null : `${post.threadId} ${post.clientPostId}`
    const same = key === null ? undefined : pending.get(key)
    if (same !== undefined) return { ...(await same), placed: null }
    const { promise, resolve, reject } = Promise.withResolvers<WrittenPost>()
    groups.add({ post, resolve, reject })
    if (key !== null) {
      pending.set(key, promise)
      const forget = (): void => void pending.delete(key)
      promise.then(forget, forget)
    }
    return promise
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    let rightful: Waiting[]
    try {
      rightful = await checkNicknames(group)
      if (rightful.length === 0) return
      await commit(rightful)
    } catch (error) {
      // The statement failed as a whole. Only a broken connection leaves open whether it was stored; a resend will tell.
      if (group.length === 1 || isPassing(error)) {
        for (const one of group) await settleAlone(one, error)
        return
      }
      // One post spoils the group (a resend, an input PostgreSQL refuses): each goes on its own.
      log.debug({ err: error, posts: group.length }, 'a group of posts failed, writing them one by one')
      for (const one of group) await writeGroup([one])
    }
  }

  /** A post that failed on its own: a resend answers the post that is there, all else is the writer's to know. */
  async function settleAlone({ post, resolve, reject }: Waiting, error: unknown): Promise<void> {
    const isResend = isUniqueViolation(error) || (error instanceof ApiError && error.code === 'taken')
    if (!isResend || post.clientPostId === null) return reject(error)
    try {
      const row = await selectPostByClientId(db, post.threadId, post.clientPostId)
      if (row === undefined) return reject(error)
      resolve({ row, placed: null })
    } catch (again) {
      reject(again)
    }
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    const at = now()
    const placed = await insertPosts(
      db,
      group.map((one) => one.post),
      at,
    )
    const places = new Map(placed.map((place) => [place.id, place]))
    const createdAt = new Date(at)
    const written: WrittenPost[] = []
    const outcomes = group.map(({ post }) => {
      const place = places.get(post.id)
      if (place === undefined) return refuse('not_found', 'thread_not_found')
      if (place.number === null) {
        return place.isLocked ? refuse('locked', 'thread_locked') : refuse('unauthorized', 'session_expired')
      }
      const outcome = toWrittenPost(post, place, createdAt)
      written.push(outcome)
      return outcome
    })
    written.sort((one, other) => one.row.number - other.row.number)
    try {
      onCommit(written)
    } catch (error) {
      // They are stored, whatever became of telling others.
      log.error({ err: error }, 'a group of posts is stored but could not be announced')
    }
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome instanceof ApiError) group[index]!.reject(outcome)
      else group[index]!.resolve(outcome)
    }
  }

  /** Lets through the posts whose nickname is free or the visitor's own; refuses the others. */
  async function checkNicknames(group: readonly Waiting[]): Promise<Waiting[]> {
    const claims = new Map<string, NicknameClaim>()
    const names = new Map<Waiting, string>()
    // What is remembered may be forgotten again while this group is under way.
    const ofGroup = new Map<string, string>()
    for (const one of group) {
      const { threadId, name, visitorId, userId } = one.post
      // A member's name is theirs everywhere.
      if (name === null || userId !== null) continue
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
    // A resend over a new connection without the cookie comes as somebody else: it still answers the post that is there.
    for (const one of group) if (!isRightful(one)) await settleAlone(one, refuse('taken', 'nickname_taken'))
    return group.filter(isRightful)
  }

  return { write, settle: groups.settle, stats: groups.stats }
}
