/** Rules for posts that wait for the server. Pure. */
import { UNSENT_ASK_AFTER_MS, UNSENT_KEEP_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { HeldAnswer, Post } from '@shinobi/contract/posts'
import { ApiError, noAnswer } from '../../../lib/api-client.ts'
import { timeOfId, uuidV7 } from '../../../lib/uuid-v7.ts'

/** The server's result: a post, or one held for a moderator. */
export type Sent = Post | HeldAnswer

/** A post that the server has not acknowledged, or has refused. */
export interface UnsentPost {
  /** The clientPostId: posts of a thread are sent in the order of their ids. */
  readonly id: string
  readonly threadId: string
  readonly threadTitle: string
  /** The member who wrote it; null for a visitor. Nobody else may send it. */
  readonly owner: string | null
  readonly content: string
  /** As shown: the key of a tripcode stays with the names (nickname.ts). */
  readonly name: string
  readonly hasKey: boolean
  readonly sage: boolean
  readonly asStaff: boolean
  readonly image: File | null
  /** Milliseconds: when its writer last wanted it to be sent. */
  readonly wantedAt: number
  /** Milliseconds: the server takes nothing before; 0 where it has not said so. */
  readonly notBefore: number
  /** Why the server does not take it; null while it waits. */
  readonly refusal: string | null
  /** The writer has seen the refusal in the thread, or has closed the notice about it. */
  readonly isTold: boolean
  /** What the service worker was answered: the next page takes it over. */
  readonly answer: Sent | null
}

/** The id of a post that is written now: after those of others, also if the clock was set back. */
export const idAfter = (others: readonly Pick<UnsentPost, 'id'>[], now: number): string =>
  uuidV7(Math.max(now, ...others.map(({ id }) => timeOfId(id) + 1)))

/** `asking`: it has waited so long that its writer is asked before it goes. */
export type Standing = 'waiting' | 'asking' | 'refused' | 'answered'

export function standingOf({ answer, refusal, wantedAt }: UnsentPost, now: number): Standing {
  if (answer !== null) return 'answered'
  if (refusal !== null) return 'refused'
  return now - wantedAt > UNSENT_ASK_AFTER_MS ? 'asking' : 'waiting'
}

export const isOutdated = ({ wantedAt }: UnsentPost, now: number): boolean => now - wantedAt > UNSENT_KEEP_MS

/** What a visitor wrote is shown to whoever uses the browser, as drafts are; a member's is not. */
export const isVisibleTo = (me: string | null, { owner }: UnsentPost): boolean => owner === null || owner === me

/**
 * Why a post does not go under the present session: its member's has ended, or a visitor has logged
 * in since. Null where it goes, or while nobody knows.
 */
export function findWriterProblem({ owner }: UnsentPost, me: string | null | undefined): ApiError | null {
  if (me === undefined || me === owner) return null
  return owner === null ? noAnswer() : new ApiError(401, 'unauthorized', messages.session_expired, { fromServer: true })
}

/** The posts that wait to be sent under the present session, in the order of writing. */
export const waitingOf = (posts: readonly UnsentPost[], me: string | null, now: number): UnsentPost[] =>
  posts
    .filter((post) => post.owner === me && standingOf(post, now) === 'waiting')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** No pause that the server names is longer. */
const PAUSE_LONGEST_MS = 24 * 3_600_000

/** When a post may go. A later time was set by a clock that has been set back since. */
export const dueAt = ({ notBefore }: UnsentPost, now: number): number =>
  notBefore > now + PAUSE_LONGEST_MS ? 0 : notBefore

/**
 * The next post of a thread to send; undefined where none waits, or where the first has to wait
 * longer: a later one must not overtake it.
 */
export function nextOf(
  posts: readonly UnsentPost[],
  threadId: string,
  me: string | null,
  now: number,
): UnsentPost | undefined {
  const first = waitingOf(posts, me, now).find((post) => post.threadId === threadId)
  return first !== undefined && dueAt(first, now) <= now ? first : undefined
}

/**
 * `unanswered`: the server may have stored it. `later`: it has not, and will if asked again.
 * `refused`: its writer has to decide.
 */
export type Failure = 'unanswered' | 'later' | 'refused'

const LATER: ReadonlySet<string> = new Set(['too_many_requests', 'spam', 'read_only', 'disk_full', 'unauthorized'])
const UNANSWERED: ReadonlySet<string> = new Set(['unavailable', 'unexpected'])
/** Refusals that come without the server's words. */
const OWN: ReadonlySet<string> = new Set(['bad_proof', 'payload_too_large', 'taken'])

export function judge(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'refused'
  const { code, fromServer } = error
  if (UNANSWERED.has(code) || (!fromServer && !OWN.has(code))) return 'unanswered'
  return LATER.has(code) ? 'later' : 'refused'
}

/** The pause after a failure where the server names none; doubled by each further one. */
const [PAUSE_MS, PAUSE_MAX_MS] = [4_000, 60_000]

/** Milliseconds before the next attempt after as many failures in a row. */
export const pauseAfter = (failures: number): number => Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** Math.min(failures, 10))

/** The post after an attempt to send it has failed. */
export function afterFailure(post: UnsentPost, error: unknown, now: number): UnsentPost {
  const failure = judge(error)
  const isApi = error instanceof ApiError
  if (failure === 'refused') return { ...post, refusal: isApi ? error.message : messages.post_failed }
  // A post without a session waits for its writer's log-in, and then goes at once.
  const isForLogin = isApi && error.code === 'unauthorized'
  const unnamed = failure === 'later' && !isForLogin ? PAUSE_MAX_MS : 0
  const pause = isApi && error.retryAfter !== null ? error.retryAfter * 1_000 : unnamed
  return { ...post, notBefore: pause === 0 ? 0 : now + pause }
}

/** The post after its writer has asked for it to be sent once more. */
export const wantedAgain = (post: UnsentPost, now: number): UnsentPost => ({
  ...post,
  ...{ wantedAt: now, notBefore: 0, refusal: null, isTold: false },
})
