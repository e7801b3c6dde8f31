/**
 * Sends notices by Web Push to browsers that watch something. Posts and threads are compared with
 * what is watched a second after their commit, apart from the requests that wrote them. The notices
 * wait in the database, where one of several processes claims each.
 */
import { createHmac } from 'node:crypto'
import { numbersAnsweredBy } from '@shinobi/text/anchors'
import { markOf } from '@shinobi/contract/news-labels'
import { PUSH_KEEP_DAYS } from '@shinobi/contract/watching-limits'
import type { Core } from '../../core.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { createPoller } from '../../lib/poller.ts'
import { createSecretBox } from '../../lib/secret-box.ts'
import type { Service } from '../../lib/services.ts'
import { selectPostsAfter, type PostRow } from '../posts/posts.queries.ts'
import type { PostWriter } from '../posts/posts.writer.ts'
import type { NewThread, ThreadEvents } from '../threads/thread-events.ts'
import { selectPositions } from '../threads/threads.queries.ts'
import { createPushMetrics, type PushMetrics } from './push.metrics.ts'
import * as queries from './push.queries.ts'
import type { ClaimedNotice } from './push.queries.ts'
import { COUNTED_MAX, endOfQuiet, partsOf, writeMessage, type News } from './push.rules.ts'
import { createPushSender, type PushSender } from './push-sender.ts'
import { createRegistrations, openSubscription, type Registrations } from './registrations.ts'

/** Between an event and its notice: a burst is one notice, and what is removed at once is none. */
export const NOTICE_DELAY_MS = 15_000
/** Between two notices of one thread. */
export const NOTICE_PAUSE_MS = 15 * 60_000
/** Minutes between attempts while a push service is away. */
export const RETRY_MINUTES: readonly number[] = [1, 5, 30, 120]
/** Refusals in a row after which a subscription counts as broken. */
export const REFUSALS_MAX = 3

const LOOK_EVERY_MS = 5_000
const EVENTS_EVERY_MS = 1_000
const EVENTS_AT_ONCE = 1_000
const NOTICES_AT_ONCE = 50
/** Longer than a batch of attempts takes, even if none is answered. */
const LEASE_MS = 2 * 60_000
/** Pause for all notices of a service that did not answer. */
const AWAY_MS = 60_000
const DAY_MS = 86_400_000
const SWEPT_AT_ONCE = 500

type Event =
  | { readonly kind: 'post'; readonly post: Pick<PostRow, 'threadId' | 'number' | 'content'> }
  | { readonly kind: 'thread'; readonly thread: NewThread }

export interface Push extends Service, Registrations {
  /** The key by which browsers subscribe; null: this board sends nothing. */
  readonly key: string | null
}

export interface PushServiceDeps extends Pick<
  Core,
  'db' | 'now' | 'log' | 'config' | 'secret' | 'metrics' | 'keyLimit'
> {
  readonly postWriter: Pick<PostWriter, 'onCommit'>
  readonly threadEvents: Pick<ThreadEvents, 'onOpening'>
}

export function createPush(deps: PushServiceDeps): Push {
  const sender = createPushSender(deps)
  const seal = createSecretBox(deps.secret, 'push')
  const registrations = createRegistrations(deps, sender, seal)
  const metrics = createPushMetrics(deps.metrics)
  const sweep: Service['sweep'] = async (now, signal) => {
    for (const step of [
      () => queries.deleteUnseenBrowsers(deps.db, new Date(now - PUSH_KEEP_DAYS * DAY_MS), SWEPT_AT_ONCE),
      () => queries.deleteSentNotices(deps.db, new Date(now - DAY_MS), SWEPT_AT_ONCE),
    ]) {
      while (!signal.aborted && (await step()) >= SWEPT_AT_ONCE);
    }
  }
  return {
    key: sender?.key ?? null,
    ...registrations,
    ...(sender && startSending({ ...deps, ...metrics }, sender, seal)),
    sweep,
  }
}

function startSending(
  { db, now, log, secret, count, postWriter, threadEvents }: PushServiceDeps & PushMetrics,
  sender: PushSender,
  seal: ReturnType<typeof createSecretBox>,
): Required<Pick<Service, 'settle' | 'close'>> {
  /**
   * When a push service, or one about a browser, is asked again: one browser that gets too much
   * must not silence the others of its service.
   */
  const awayUntil = new Map<string, number>()
  let closing = false

  const events = createBatchQueue<Event>({
    ...{ name: 'notices', everyMs: EVENTS_EVERY_MS, batch: EVENTS_AT_ONCE, log },
    work: queueNotices,
  })
  const poller = createPoller({ name: 'the queue of notices', everyMs: LOOK_EVERY_MS, poll: sendDue, log })

  postWriter.onCommit((posts) =>
    // A resend was announced before.
    events.add(posts.flatMap(({ row, placed }) => (placed === null ? [] : [{ kind: 'post', post: row }]))),
  )
  threadEvents.onOpening((thread) => events.add([{ kind: 'thread', thread }]))

  async function queueNotices(batch: readonly Event[]): Promise<void> {
    const due = { at: new Date(now() + NOTICE_DELAY_MS), pauseMs: NOTICE_PAUSE_MS }
    const all = batch.flatMap((event) => (event.kind === 'post' ? [event.post] : []))
    const watched = all.length === 0 ? new Set() : await queries.selectWatched(db, [...new Set(all.map(threadOf))])
    const posts = all.filter((post) => watched.has(post.threadId))
    if (posts.length > 0) {
      const first = new Map<string, number>()
      for (const { threadId, number } of posts) {
        first.set(threadId, Math.min(number, first.get(threadId) ?? Infinity))
      }
      await queries.queuePosts(
        db,
        Array.from(first, ([threadId, number]) => ({ threadId, number })),
        due,
      )
      const answers = posts.flatMap((post) => {
        const answered = numbersAnsweredBy(post)
        return answered.length === 0 ? [] : [{ threadId: post.threadId, number: post.number, answered }]
      })
      if (answers.length > 0) await queries.queueAnswers(db, answers, due)
    }
    for (const event of batch) {
      if (event.kind === 'thread') await queries.queueThread(db, event.thread.id, partsOf(event.thread.title), due)
    }
  }

  async function sendDue(): Promise<void> {
    for (const [who, until] of awayUntil) if (until <= now()) awayUntil.delete(who)
    while (!closing) {
      const at = new Date(now())
      const claimed = await queries.claimNotices(db, { at, leaseMs: LEASE_MS, limit: NOTICES_AT_ONCE })
      if (claimed.length === 0) return
      const reader = readThreads()
      const results = await Promise.allSettled(claimed.map((notice) => tryNotice(notice, reader)))
      for (const result of results) {
        // The lease ends, and the notice is tried again.
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'a notice could not be sent')
      }
    }
  }

  /** Reads each thread of a batch once, as many browsers may watch it. */
  function readThreads() {
    const threads = new Map<string, Promise<WatchedThread | null>>()
    const posts = new Map<string, Promise<readonly PostRow[]>>()
    return {
      find: (threadId: string) =>
        remember(threads, threadId, async () => {
          const [thread] = await selectPositions(db, [threadId])
          // Of news it says so, as wherever no seal can stand.
          return thread === undefined ? null : { title: markOf(thread) + thread.title, postCount: thread.postCount }
        }),
      postsFrom: (threadId: string, number: number) =>
        remember(posts, `${threadId} ${number}`, () => selectPostsAfter(db, threadId, number - 1, COUNTED_MAX)),
    }
  }

  async function tryNotice(notice: ClaimedNotice, reader: ReturnType<typeof readThreads>): Promise<void> {
    const { browserId, perHour, tries } = notice
    const wait = (until: number, isTry = false) => queries.postponeNotice(db, notice, new Date(until), isTry)
    const quietUntil = endOfQuiet(now(), notice)
    if (quietUntil !== null) return wait(quietUntil)
    const subscription = openSubscription(seal, notice.sealedSubscription, notice.tokenHash)
    if (subscription === null) return void (await queries.deleteBrowser(db, browserId))
    const { host } = new URL(subscription.endpoint)
    const away = Math.max(awayUntil.get(host) ?? 0, awayUntil.get(browserId) ?? 0)
    if (away > now()) return wait(away)
    const found = await findNews(notice, reader)
    if (found === null) return void (await queries.deleteNotice(db, notice))
    // The last one of an hour is left to answers.
    const most = found.news.kind === 'answer' ? perHour : Math.max(1, perHour - 1)
    const nextHour = await queries.takeOfHour(db, browserId, most, new Date(now()))
    if (nextHour !== null) return wait(nextHour.getTime())

    const topic = topicOf(secret, browserId, notice.threadId)
    const outcome = await sender.send(subscription, writeMessage(found.news), topic)
    switch (outcome.kind) {
      case 'sent':
        count('sent')
        await queries.markSent(db, notice, new Date(now()))
        return queueLater(notice, found.toldThrough)
      case 'gone':
        count('gone')
        return void (await queries.deleteBrowser(db, browserId))
      case 'refused':
        count('refused')
        log.info({ host, why: outcome.why }, 'a push service refused a notice')
        await queries.deleteNotice(db, notice)
        if ((await queries.countFailure(db, browserId)) >= REFUSALS_MAX) await queries.deleteBrowser(db, browserId)
        return
      case 'away': {
        count('failed_try')
        log.info({ host, why: outcome.why }, 'a push service did not take a notice, which is tried again later')
        awayUntil.set(outcome.who === 'browser' ? browserId : host, now() + (outcome.retryAfterMs ?? AWAY_MS))
        const minutes = RETRY_MINUTES[tries - 1]
        if (minutes !== undefined) return wait(now() + Math.max(minutes * 60_000, outcome.retryAfterMs ?? 0), true)
        count('given_up')
        return void (await queries.deleteNotice(db, notice))
      }
    }
  }

  /**
   * Queues what came while a notice was on its way: until it is marked as sent, a later event
   * leaves it as it is. Only if an answer is among it is the notice one of answers, from the first
   * one: a later answer takes the place of other posts.
   */
  async function queueLater(notice: ClaimedNotice, toldThrough: number): Promise<void> {
    const [thread] = await selectPositions(db, [notice.threadId])
    if (thread === undefined || thread.postCount <= toldThrough) return
    const found = await findNews({ ...notice, kind: 'answer', number: toldThrough + 1 }, readThreads())
    if (found !== null) await queries.queueAgain(db, notice, found.news, new Date(now() + NOTICE_PAUSE_MS))
  }

  return {
    async settle() {
      await events.settle()
      await poller.poll()
    },
    async close() {
      closing = true
      await events.close()
      await poller.close()
      await sender.close()
    },
  }
}

interface WatchedThread {
  readonly title: string
  readonly postCount: number
}

interface Found {
  readonly news: News
  /** The last post that the notice is about, whether or not it counts; later ones need another. */
  readonly toldThrough: number
}

/**
 * What is left to tell of a notice now: what was removed, written by the browser itself, or is no
 * longer watched is not. Null if nothing is.
 */
async function findNews(
  { kind, threadId, number, watched, answers, ownPosts, titles }: ClaimedNotice,
  reader: {
    find(threadId: string): Promise<WatchedThread | null>
    postsFrom(threadId: string, number: number): Promise<readonly PostRow[]>
  },
): Promise<Found | null> {
  const thread = await reader.find(threadId)
  // The thread was removed.
  if (thread === null) return null
  const own = new Set(ownPosts)
  const shown = titles ? thread.title : null
  if (kind === 'thread') {
    const news = { kind, threadId, number: 1, through: 1, count: 1, title: shown }
    return own.has(1) ? null : { news, toldThrough: Infinity }
  }
  const read = await reader.postsFrom(threadId, number)
  const toldThrough = Math.max(thread.postCount, read.at(-1)?.number ?? 0)
  const others = read.filter((post) => post.deletedAt === null && !own.has(post.number))
  const toFound = (told: PushNews, posts: readonly PostRow[]): Found | null => {
    const [first] = posts
    if (first === undefined) return null
    // Of more than are read, only a visitor who has read all knows what else came.
    const through = read.length < COUNTED_MAX ? posts.at(-1)!.number : toldThrough
    const news = { kind: told, threadId, number: first.number, through, count: posts.length, title: shown }
    return { news, toldThrough }
  }
  const found =
    kind === 'answer' && answers
      ? others.filter((post) => numbersAnsweredBy(post).some((answered) => own.has(answered)))
      : []
  return toFound('answer', found) ?? (watched ? toFound('posts', others) : null)
}

type PushNews = Exclude<News['kind'], 'thread'>

const threadOf = ({ threadId }: { readonly threadId: string }): string => threadId

function remember<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const before = known.get(key)
  if (before !== undefined) return before
  const reading = read()
  known.set(key, reading)
  return reading
}

/**
 * A push service keeps one undelivered message of a topic. It must not learn from topics which
 * browsers watch the same thread.
 */
const topicOf = (secret: string, browserId: string, threadId: string): string =>
  createHmac('sha256', secret).update(`push topic ${browserId} ${threadId}`).digest('base64url').slice(0, 32)
