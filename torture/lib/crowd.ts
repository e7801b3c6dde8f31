/**
 * Clients that write while the board is tortured: posts by socket and HTTP, threads, pictures and
 * likes. A client without an answer sends the same request again, as the real client does, until
 * the board acknowledges it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostAck } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { japanese } from '../../bench/lib/text.ts'
import { readJson, type Answer } from './http.ts'
import type { KnownLike, Ledger, ThreadRecord } from './ledger.ts'
import { Person } from './person.ts'
import { drawPicture } from './picture.ts'
import type { Hear } from './watch.ts'

export interface Crowd {
  /**
   * Milliseconds from `since` (performance.now) to the first acknowledgement of a post sent after
   * it.
   * @param into only posts into these threads count
   * @throws Error on time-out
   */
  acknowledgedAfter(since: number, withinMs: number, into?: ReadonlySet<string>): Promise<number>
  /**
   * Sends a post over HTTP until it is acknowledged.
   * @param hear called with each answer
   */
  postInto(threadId: string, hear: Hear): Promise<void>
  /** Number of temporary refusals of each kind: a status, or "broken". */
  readonly refusals: ReadonlyMap<string, number>
  /**
   * Sends nothing new; resolves when every request is acknowledged. @returns how many were
   * abandoned after `withinMs`
   */
  settle(withinMs: number): Promise<number>
  resume(): void
  close(): void
}

export interface CrowdOptions {
  readonly url: string
  readonly ledger: Ledger
  readonly random: () => number
  /** Mean milliseconds between two posts of one client. */
  readonly pauseMs?: number
  /** Threads written to at a time. */
  readonly threads?: number
}

const BY_SOCKET = 7
const BY_HTTP = 4
const MEMBERS = 4
const PAUSE_MS = 130
/** Likes have a limit of 120 a minute that no setting changes. */
const LIKE_PAUSE_MS = 900
/** Number of threads written to at a time, and of posts after which a new one replaces a thread. */
const THREADS = 6
const THREAD_POSTS = 250
/**
 * Shares of posts with a picture, posts sent twice at once, and posts whose client times out early
 * and sends again.
 */
const WITH_PICTURE = 0.06
const SENT_TWICE = 0.03
const CUT_OFF = 0.03
/** Delay before a retry. */
const AGAIN_MS = 100

interface Operation {
  readonly thread: ThreadRecord
  readonly clientPostId: string
  readonly content: string
  readonly picture: Buffer | null
}

/** The result of one attempt. */
type Outcome = { readonly post: Post } | 'again' | 'refused'

/** Statuses of temporary refusals: the same request may be sent again. */
const NOT_NOW = new Set([0, 429, 500, 502, 503, 507])
const NOT_NOW_CODES = new Set(['unavailable', 'disk_full', 'too_many_requests', 'unexpected'])

/** Registers the members, opens the first threads, and starts the load. */
export async function openCrowd(options: CrowdOptions): Promise<Crowd> {
  const { url, ledger, random, pauseMs = PAUSE_MS, threads: threadsAtOnce = THREADS } = options
  const refusals = new Map<string, number>()
  const waiting = new Set<{
    readonly since: number
    readonly into: ReadonlySet<string> | undefined
    readonly resolve: (at: number) => void
  }>()
  const threads: ThreadRecord[] = []
  let open = 0
  let isPaused = false
  let isClosed = false
  let lastCategories: readonly string[] = []

  const note = (refusal: string): void => void refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const pause = (meanMs: number): Promise<void> => sleep(random() * 2 * meanMs)

  const visitors = Array.from({ length: BY_SOCKET + BY_HTTP }, (_, index) => new Person(url, index + 1))
  const run = Date.now().toString(36).slice(-5)
  const members = Array.from({ length: MEMBERS }, (_, index) => {
    const account = { username: `影${run}${index}`, password: `${run} no himitsu ${index}` }
    return new Person(url, 1_000 + index, account)
  })
  const bystander = new Person(url, 2_000)

  /** Whether an answer is a temporary refusal, which is counted. */
  function isNotNow(status: number, what: string): boolean {
    if (!NOT_NOW.has(status)) return false
    note(status === 0 ? 'broken' : String(status))
    if (status === 500) ledger.report('answer', `500 for ${what}`)
    return true
  }

  /**
   * A member's session ends after a quarter of an hour, and when the board is restored to an
   * earlier state.
   */
  async function logInAgain(member: Person): Promise<void> {
    const answer = await member.logIn()
    if (answer.status === 401) ledger.report('lost', `the account ${member.name}`)
    else if (answer.status !== 200) isNotNow(answer.status, 'a log-in')
  }

  async function postByHttp(person: Person, operation: Operation, withinMs?: number): Promise<Outcome> {
    const { thread, clientPostId, content, picture } = operation
    const path = `/api/threads/${thread.id}/posts`
    const fields = { content, name: person.name, clientPostId }
    let answer: Answer
    if (picture === null) answer = await person.send(path, fields, 'POST', withinMs)
    else {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      body.append('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
      answer = await person.ask(path, { method: 'POST', body, ...(withinMs === undefined ? {} : { withinMs }) })
    }
    if (answer.status === 201) return { post: readJson<Post>(answer) }
    if (answer.status === 401 && person.account !== null) {
      await logInAgain(person)
      return 'again'
    }
    if (isNotNow(answer.status, 'a post')) return 'again'
    ledger.report('answer', `${answer.status} for a post: ${answer.body.toString().slice(0, 200)}`)
    return 'refused'
  }

  async function postBySocket(person: Person, { thread, clientPostId, content, picture }: Operation): Promise<Outcome> {
    const image = picture === null ? null : `data:image/png;base64,${picture.toString('base64')}`
    const answer: PostAck | null = await person.emitPost({
      ...{ threadId: thread.id, content, name: person.name, clientPostId, image },
    })
    if (answer === null) {
      note('broken')
      return 'again'
    }
    if ('post' in answer) return { post: answer.post }
    const code = 'error' in answer ? answer.error.code : 'held'
    if (code === 'unexpected') ledger.report('answer', 'unexpected for a post by socket')
    if (NOT_NOW_CODES.has(code)) {
      note(code)
      return 'again'
    }
    ledger.report('answer', `${code} for a post by socket`)
    return 'refused'
  }

  function attempt(person: Person, operation: Operation): Promise<Outcome> {
    // A client with a socket falls back to HTTP while it is disconnected.
    if (person.isConnected && random() < 0.9) return postBySocket(person, operation)
    return postByHttp(person, operation, random() < CUT_OFF ? 2 + Math.floor(random() * 30) : undefined)
  }

  /** One attempt, or two at once. */
  function attempts(person: Person, operation: Operation): Promise<Outcome>[] {
    const sendings = [attempt(person, operation)]
    if (random() < SENT_TWICE) sendings.push(postByHttp(person, operation))
    return sendings
  }

  function acknowledge({ thread, clientPostId, content, picture }: Operation, post: Post, sentAt: number): void {
    if (post.content !== content) ledger.report('changed', `${thread.id} number ${post.number} is not what was sent`)
    if ((post.imageUrl === null) !== (picture === null))
      ledger.report('picture', `${thread.id} number ${post.number} (${clientPostId}) has lost its picture`)
    ledger.learn(thread, post)
    const now = performance.now()
    for (const waiter of waiting) {
      if (sentAt < waiter.since || waiter.into?.has(thread.id) === false) continue
      waiting.delete(waiter)
      waiter.resolve(now)
    }
  }

  /**
   * Sends a post until it is acknowledged.
   * @param hear called with each answer to a client that neither hangs up nor sends twice
   */
  async function post(person: Person, thread: ThreadRecord, hear?: Hear): Promise<void> {
    const clientPostId = randomUUID()
    const operation: Operation = {
      ...{
        thread,
        clientPostId,
        content: `${clientPostId}\n${japanese(random, 20 + Math.floor(random() ** 3 * 300))}`,
      },
      picture: random() < WITH_PICTURE ? drawPicture(random) : null,
    }
    open += 1
    thread.open += 1
    try {
      const ids = new Set<string>()
      while (ids.size === 0 && !isClosed) {
        const sentAt = performance.now()
        const sendings = hear === undefined ? attempts(person, operation) : [postByHttp(person, operation)]
        const outcomes = await Promise.all(sendings)
        hear?.(
          outcomes.some((outcome) => typeof outcome !== 'string'),
          performance.now() - sentAt,
        )
        for (const outcome of outcomes) {
          if (typeof outcome === 'string') continue
          ids.add(outcome.post._id)
          acknowledge(operation, outcome.post, sentAt)
        }
        if (ids.size > 1) ledger.report('doubled', `${clientPostId} in ${thread.id}: ${[...ids].join(' and ')}`)
        if (ids.size === 0) {
          if (outcomes.includes('refused')) return
          ledger.resends += 1
          await pause(AGAIN_MS)
        }
      }
      if (ids.size === 0) return
      thread.acknowledged += 1
      ledger.acknowledged.posts += 1
      if (operation.picture !== null) ledger.acknowledged.pictures += 1
    } finally {
      thread.open -= 1
      open -= 1
    }
  }

  /** Creates a thread, sending until it is acknowledged. */
  async function openThread(person: Person): Promise<void> {
    const clientThreadId = randomUUID()
    const body = new FormData()
    const fields = {
      ...{ clientThreadId, title: `${japanese(random, 16).replaceAll('\n', '')} ${clientThreadId.slice(0, 8)}` },
      ...{
        content: `${clientThreadId}\n${japanese(random, 120)}`,
        category: pick(lastCategories),
        nickname: person.name,
      },
    }
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const hasPicture = random() < 0.3
    if (hasPicture) {
      body.append('image', new Blob([new Uint8Array(drawPicture(random))], { type: 'image/png' }), 'picture.png')
    }
    open += 1
    try {
      while (!isClosed) {
        const answer = await person.ask('/api/threads', { method: 'POST', body })
        if (answer.status === 201) {
          const thread = ledger.addThread(readJson<Thread>(answer)._id)
          if (hasPicture) ledger.acknowledged.pictures += 1
          threads.push(thread)
          return
        }
        if (!isNotNow(answer.status, 'a thread')) {
          ledger.report('answer', `${answer.status} for a thread: ${answer.body.toString().slice(0, 200)}`)
          return
        }
        await pause(AGAIN_MS)
      }
    } finally {
      open -= 1
    }
  }

  async function like(member: Person): Promise<void> {
    const thread = pick(threads)
    const posts = thread.posts.filter((known) => known !== undefined)
    const postId = random() < 0.4 || posts.length === 0 ? null : pick(posts).id
    const key = `${member.userId} ${postId ?? thread.id}`
    const known: KnownLike = ledger.likes.get(key) ?? {
      ...{ threadId: thread.id, postId, userId: member.userId!, liked: false, isOpen: false, version: 0 },
    }
    ledger.likes.set(key, known)
    known.liked = !known.liked
    known.isOpen = true
    known.version += 1
    open += 1
    try {
      const path = postId === null ? `/api/threads/${thread.id}/like` : `/api/threads/${thread.id}/posts/${postId}/like`
      while (!isClosed) {
        const answer = await member.ask(path, { method: known.liked ? 'POST' : 'DELETE' })
        if (answer.status === 200) {
          known.isOpen = false
          thread.isTouched = true
          ledger.acknowledged.likes += 1
          return
        }
        if (answer.status === 401) await logInAgain(member)
        else if (!isNotNow(answer.status, 'a like')) {
          ledger.report('answer', `${answer.status} for a like: ${answer.body.toString().slice(0, 200)}`)
          return
        }
        await pause(AGAIN_MS)
      }
    } finally {
      open -= 1
    }
  }

  /** Repeats some work at random intervals, until the end. */
  async function keep(meanMs: number, work: () => Promise<void>): Promise<void> {
    while (!isClosed) {
      await pause(meanMs)
      if (!isPaused && !isClosed) await work()
    }
  }

  /** Full threads get no more posts, and new ones replace them. */
  async function renewThreads(): Promise<void> {
    for (const [index, thread] of threads.entries()) {
      if (thread.acknowledged < THREAD_POSTS) continue
      threads.splice(index, 1)
      thread.isFull = true
      break
    }
    if (threads.length < threadsAtOnce) await openThread(pick(visitors))
  }

  const categories = await visitors[0]!.ask('/api/categories')
  lastCategories = readJson<{ name: string }[]>(categories).map(({ name }) => name)
  for (const member of members) {
    if (!(await member.register())) throw new Error(`the account ${member.name} could not be opened`)
    const { status } = await member.logIn()
    if (status !== 200) throw new Error(`the log-in of ${member.name} was answered with ${status}`)
  }
  while (threads.length < threadsAtOnce) await openThread(pick(visitors))
  for (const visitor of visitors) {
    await visitor.send(`/api/threads/${threads[0]!.id}/checkNickname`, { nickname: visitor.name })
  }
  for (const visitor of visitors.slice(0, BY_SOCKET)) visitor.connect()

  const work: Promise<void>[] = [keep(LIKE_PAUSE_MS / 2, renewThreads)]
  for (const person of [...visitors, ...members]) work.push(keep(pauseMs, () => post(person, pick(threads))))
  for (const member of members) work.push(keep(LIKE_PAUSE_MS, () => like(member)))
  // A bug in this program must end it.
  for (const one of work)
    one.catch((error: unknown) =>
      setImmediate(() => {
        throw error
      }),
    )

  return {
    refusals,
    async acknowledgedAfter(since, withinMs, into) {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      const waiter = { since, into, resolve }
      waiting.add(waiter)
      const timer = setTimeout(() => {
        waiting.delete(waiter)
        reject(new Error(`no post was acknowledged within ${withinMs / 1_000} s`))
      }, withinMs)
      try {
        return (await promise) - since
      } finally {
        clearTimeout(timer)
      }
    },
    postInto: (threadId, hear) => post(bystander, ledger.addThread(threadId), hear),
    async settle(withinMs) {
      isPaused = true
      for (const end = performance.now() + withinMs; open > 0 && performance.now() < end;) await sleep(10)
      return open
    },
    resume() {
      isPaused = false
    },
    close() {
      isClosed = true
      for (const person of [...visitors, ...members]) person.close()
    },
  }
}
