/**
 * Sends posts, each once. Every post is kept here from the moment its writer sends it until the
 * server has acknowledged or refused it, across lost networks and closed pages; the server stores
 * one clientPostId once. Any page of the board sends what waits, in the order of writing within a
 * thread, and so does the service worker (public/unsent.js). Subscribable, for
 * useSyncExternalStore; empty on the server.
 */
import { UNSENT_MAX } from '@shinobi/contract/limits'
import { subscribeSession, writerNow } from '../../accounts/session.ts'
import { rememberHeld } from '../../held/held.ts'
import { rememberOwnPost } from '../../reading/own-posts.ts'
import {
  afterFailure,
  dueAt,
  findWriterProblem,
  isOutdated,
  isVisibleTo,
  judge,
  nextOf,
  pauseAfter,
  standingOf,
  waitingOf,
  wantedAgain,
  type Sent,
  type Standing,
  type UnsentPost,
} from './delivery.ts'
import { addUnsent, changeUnsent, isUnsentKnown, readUnsent } from './unsent-store.ts'
import { transmit, type Transport } from '../send-post.ts'
import { markUnsent, tellUnsent } from './unsent-mark.ts'

/** What became of a post that its composer sends. */
export type Outcome =
  | { readonly kind: 'sent'; readonly sent: Sent }
  /** Another tab, or the worker, has sent it. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'waiting' }
  /** `isBack`: its text is in its field, else the post stays here. */
  | { readonly kind: 'refused'; readonly error: unknown; readonly isBack: boolean }
  /** As many wait as may. */
  | { readonly kind: 'full' }

/** A composer that sends a post, and has its text until the server has answered. */
export interface Sender extends Transport {
  /**
   * Keeps the text of a post that was not taken in its field, which may go at any moment after.
   * False where the field is gone, or its writer has replaced the text: then the post stays here.
   */
  readonly keepText: () => boolean
}

interface Claim {
  readonly sender: Sender
  outcome: Outcome | null
}

/** News of a post that was sent without its composer. */
export interface UnsentNews {
  readonly post: UnsentPost
  readonly sent: Sent
}

/** As it stood when it was read last. */
export type ShownPost = UnsentPost & { readonly standing: Standing }

const NONE: readonly ShownPost[] = []
let known: readonly ShownPost[] = NONE
let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let tabs: BroadcastChannel | undefined
const listeners = new Set<() => void>()
const newsListeners = new Set<(news: UnsentNews) => void>()
/** Posts that a composer of this page sends. */
const claims = new Map<string, Claim>()

/** Those that the visitor may see, without those whose text is still in a field. */
export const unsentPosts = (): readonly ShownPost[] => known
export const noUnsentPosts = (): readonly ShownPost[] => NONE

export function subscribeUnsent(listener: () => void): () => void {
  listeners.add(listener)
  startUnsent()
  return () => listeners.delete(listener)
}

export function onUnsentNews(listener: (news: UnsentNews) => void): () => void {
  newsListeners.add(listener)
  return () => newsListeners.delete(listener)
}

/** Begins to send what waits; called by whatever shows or adds unsent posts. */
function startUnsent(): void {
  if (tabs !== undefined) return
  tabs = new BroadcastChannel('unsent')
  tabs.onmessage = () => void refresh()
  addEventListener('online', sendNow)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sendNow()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') sendNow()
  })
  subscribeSession(() => void sendAll())
  void sendAll()
}

/** The server may answer again. */
export function sendNow(): void {
  failures = 0
  void sendAll()
}

/** Reads what is kept, takes over what the worker has sent, and tells the listeners. */
async function refresh(): Promise<readonly UnsentPost[]> {
  const now = Date.now()
  const all = await readUnsent()
  const kept = all.filter((post) => !isOutdated(post, now) && standingOf(post, now) !== 'answered')
  for (const post of all.filter((one) => !kept.includes(one))) {
    if (post.answer !== null) remember(post, post.answer)
    // Of several tabs one tells it.
    const taken = await changeUnsent(post.id, () => null)
    if (taken !== undefined && post.answer !== null) tell(taken, post.answer)
  }
  // Otherwise the next page looks again.
  if (kept.length > 0 || isUnsentKnown()) markUnsent(kept.length > 0)
  tellUnsent()
  const shown = kept.filter((post) => !claims.has(post.id) && isVisibleTo(writerNow() ?? null, post))
  known = shown.length === 0 ? NONE : shown.map((post) => ({ ...post, standing: standingOf(post, now) }))
  for (const listener of listeners) listener()
  return kept
}

async function announce(): Promise<void> {
  await refresh()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows; a channel has no target
  tabs?.postMessage(null)
}

/** One page or worker at a time sends the posts of a thread. */
let turn: Promise<unknown> = Promise.resolve()
function inTurn<T>(threadId: string, work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(`unsent ${threadId}`, work)
  // Plain http: at least one after another in this page, and the server stores each once.
  const next = turn.then(work, work)
  turn = next
  return next
}

/**
 * Sends a post for its composer, after what waits in its thread. Without an answer it is kept, and
 * goes as soon as there is one.
 * @param onStored called when it would survive the page
 */
export async function sendUnsent(post: UnsentPost, sender: Sender, onStored: () => void): Promise<Outcome> {
  const claim: Claim = { sender, outcome: null }
  claims.set(post.id, claim)
  markUnsent(true)
  startUnsent()
  if (await addUnsent(post)) onStored()
  try {
    await sendThread(post.threadId)
    return claim.outcome ?? (await outcomeElsewhere(post, sender))
  } finally {
    claims.delete(post.id)
    await announce()
    schedule()
    void askWorker()
  }
}

async function outcomeElsewhere({ id, threadId }: UnsentPost, { keepText }: Sender): Promise<Outcome> {
  const all = await readUnsent()
  const left = all.find((post) => post.id === id)
  if (left === undefined || left.answer !== null) return { kind: 'gone' }
  // After a log-in a visitor's post is still shown, and waits for a decision; a member's is hidden
  // after the session.
  const problem = left.owner === null ? null : findWriterProblem(left, writerNow())
  if (problem === null && all.length <= UNSENT_MAX) return { kind: 'waiting' }
  let outcome: Outcome = { kind: 'gone' }
  // Not while another page or the worker sends it.
  await inTurn(threadId, () =>
    changeUnsent(id, (kept) => {
      if (kept.answer !== null) return kept
      const isBack = kept.refusal === null && keepText()
      if (problem !== null) outcome = { kind: 'refused', error: problem, isBack }
      else outcome = { kind: isBack ? 'full' : 'waiting' }
      return isBack ? null : kept
    }),
  )
  return outcome
}

/** Sends the posts of a thread until one fails without being refused. */
const sendThread = (threadId: string): Promise<void> =>
  inTurn(threadId, async () => {
    for (;;) {
      const owner = writerNow()
      const post = owner === undefined ? undefined : nextOf(await readUnsent(), threadId, owner, Date.now())
      if (post === undefined || !(await attempt(post))) return
    }
  })

/** @returns whether the next post may follow */
async function attempt(post: UnsentPost): Promise<boolean> {
  const claim = claims.get(post.id)
  try {
    const sent = await transmit(post, claim?.sender ?? null)
    failures = 0
    remember(post, sent)
    await changeUnsent(post.id, () => null)
    if (claim === undefined) tell(post, sent)
    else claim.outcome = { kind: 'sent', sent }
    return true
  } catch (error) {
    const failure = judge(error)
    const isBack = failure !== 'unanswered' && claim?.sender.keepText() === true
    if (!isBack) failures += 1
    await changeUnsent(post.id, (before) => (isBack ? null : afterFailure(before, error, Date.now())))
    if (claim !== undefined && failure !== 'unanswered') claim.outcome = { kind: 'refused', error, isBack }
    return failure === 'refused'
  } finally {
    if (claim === undefined) await announce()
  }
}

/**
 * Remembers what the server has stored as this browser's own, while the post is still kept here:
 * the page may end at any moment.
 */
function remember({ threadId: place, owner, name, content, image }: UnsentPost, sent: Sent): void {
  if ('held' in sent) {
    const hasImage = image !== null
    rememberHeld({ id: sent.held._id, kind: 'post', place, name, title: null, content, hasImage }, owner)
  } else {
    rememberOwnPost(sent)
  }
}

/** Of a post whose composer is gone. */
function tell(post: UnsentPost, sent: Sent): void {
  for (const listener of newsListeners) listener({ post, sent })
}

/** Sends all that waits. */
async function sendAll(): Promise<void> {
  const all = await refresh()
  const owner = writerNow()
  if (owner === undefined) return
  const threads = new Set(waitingOf(all, owner, Date.now()).map(({ threadId }) => threadId))
  await Promise.all([...threads].map(sendThread))
  schedule()
}

/** The next attempt, while something waits. */
function schedule(): void {
  clearTimeout(timer)
  const owner = writerNow()
  if (owner === undefined) return
  const now = Date.now()
  const waiting = waitingOf(known, owner, now)
  if (waiting.length === 0) return
  const due = Math.min(...waiting.map((post) => dueAt(post, now))) - now
  timer = setTimeout(() => void sendAll(), Math.max(due, pauseAfter(failures)))
}

interface SyncManager {
  readonly register: (tag: string) => Promise<void>
}

/** Browsers with Background Sync start the worker when the network is back, without any page. */
async function askWorker(): Promise<void> {
  if (known.length === 0 || !('serviceWorker' in navigator)) return
  try {
    const worker = (await navigator.serviceWorker.getRegistration()) as { sync?: SyncManager } | undefined
    await worker?.sync?.register('unsent')
  } catch {
    // Forbidden: it goes at the next visit.
  }
}

/** Sends a post that was refused, or has waited long, once more. */
export async function sendAgain(id: string): Promise<void> {
  await changeUnsent(id, (post) => wantedAgain(post, Date.now()))
  await announce()
  sendNow()
  void askWorker()
}

/**
 * Takes a post back, after the attempt that is under way, unless that has sent it.
 * @param place puts it elsewhere; where it returns false, the post stays: its writer may have left
 */
export async function takeBack(
  { id, threadId }: UnsentPost,
  place: (post: UnsentPost) => boolean = () => true,
): Promise<void> {
  const post = await inTurn(threadId, () =>
    changeUnsent(id, (kept) => {
      if (kept.answer !== null) remember(kept, kept.answer)
      else if (!place(kept)) return kept
      return null
    }),
  )
  await announce()
  if (post !== undefined && post.answer !== null) tell(post, post.answer)
}

export async function closeRefusal(id: string): Promise<void> {
  await changeUnsent(id, (post) => ({ ...post, isTold: true }))
  await announce()
}

/** Removes all unsent posts of this browser. */
export async function clearUnsent(): Promise<void> {
  for (const { id } of await readUnsent()) await changeUnsent(id, () => null)
  await announce()
}
