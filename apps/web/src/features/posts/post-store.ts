/**
 * Keeps a window of posts consistent with the server. The posts are in the query cache (they come
 * from the rendered page and survive Back); this class holds what is known beyond them and fetches
 * what `needOf` returns.
 */
import type { ThreadState } from '@shinobi/contract/events'
import { PAGE_SIZE, PAGE_SIZE_MAX } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { countSpoken } from './spoken.ts'
import {
  CATCH_UP_MAX,
  add,
  hear,
  lastNumber,
  learn,
  needOf,
  openLog,
  reload,
  type Position,
  type PostLog,
} from './post-log.ts'

export interface PostWindow {
  readonly start: number
  readonly posts: readonly Post[]
}

/** Where posts are in their thread. */
export interface PostSpan {
  readonly after?: number
  readonly before?: number
  readonly limit: number
}

export interface PostQuery extends PostSpan {
  /**
   * Known changes of the thread. The board ignores it, but it is part of the address: a cache in
   * front must not answer with a copy from before them.
   */
  readonly changes: number
}

export interface PostStorePorts {
  read: () => PostWindow
  /**
   * `known` is the position that the posts certainly reflect: it lags while something must be
   * reloaded.
   */
  write: (window: PostWindow, known: Position) => void
  fetchPosts: (query: PostQuery) => Promise<Post[]>
  fetchPosition: () => Promise<Position>
  /** Resolves after about that many milliseconds. */
  wait: (ms: number) => Promise<void>
  /** Called with every announced post. */
  onPost: (post: Post) => void
  /** Called with every change of the known end and revision. */
  onPosition: (position: Position) => void
}

export type Loading = 'idle' | 'loading' | 'failed'

/** The state for the screen besides the posts. */
export interface StoreView {
  readonly newest: number
  readonly follows: boolean
  readonly older: Loading
  readonly newer: Loading
}

/**
 * Answers may come from a cache that is a second old, so an answer without the new posts is retried
 * a little later.
 */
const RETRY_MS = [1_000, 1_000, 2_000, 5_000]
/** All clients of the thread receive a removal at once; their reloads are spread over this time. */
const RELOAD_SPREAD_MS = 1_000
/**
 * What arrives within this time after a change is applied together. In a raid posts arrive faster
 * than a phone can render them one by one, and React gives up after 50 updates without a pause.
 */
const GATHER_MS = 100

export class PostStore {
  #ports: PostStorePorts
  #known: Omit<PostLog, 'start' | 'posts'>
  #view: StoreView
  #listeners = new Set<() => void>()
  #settling = false
  #closed = false
  /** Changes that have arrived and are not applied yet. */
  #arrived: ((log: PostLog) => PostLog)[] = []
  #gathering = false

  constructor(ports: PostStorePorts, position: Position) {
    this.#ports = ports
    const { start, posts } = ports.read()
    const { start: _start, posts: _posts, ...known } = openLog(start, posts, position)
    this.#known = known
    this.#view = { newest: known.newest, follows: known.follows, older: 'idle', newer: 'idle' }
  }

  view = (): StoreView => this.#view

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(): void {
    this.#closed = false
  }

  close(): void {
    this.#closed = true
  }

  hear(post: Post, state?: ThreadState): void {
    this.#ports.onPost(post)
    this.#take((log) => hear(log, post, state))
  }

  learn(state: Position): void {
    this.#take((log) => learn(log, state))
  }

  /** Loads the window again. Likes change posts without changing the thread's position. */
  refresh(): void {
    this.#apply((log) => ({ ...log, stale: true }))
    void this.settle()
  }

  /**
   * Checks for new or changed posts: used by the poll and after sleep. Rejects when the server
   * cannot be reached, or the thread is gone.
   */
  async probe(): Promise<void> {
    this.learn(await this.#ports.fetchPosition())
  }

  /**
   * Makes the window reach the end again by loading the posts between; returns false when that is
   * too far.
   */
  follow(): boolean {
    const away = this.#known.newest - lastNumber(this.#ports.read())
    if (away > CATCH_UP_MAX) return false
    this.#apply((log) => ({ ...log, follows: true }))
    void this.settle()
    return true
  }

  async loadOlder(): Promise<void> {
    const { start } = this.#ports.read()
    if (start === 0 || this.#view.older === 'loading') return
    await this.#load('older', { before: start + 1, limit: PAGE_SIZE })
  }

  async loadNewer(): Promise<void> {
    const last = lastNumber(this.#ports.read())
    if (last >= this.#known.newest || this.#view.newer === 'loading') return
    await this.#load('newer', { after: last, limit: PAGE_SIZE })
  }

  /** The first change after a pause is applied at once. */
  #take(change: (log: PostLog) => PostLog): void {
    this.#arrived.push(change)
    if (!this.#gathering) void this.#gather()
  }

  async #gather(): Promise<void> {
    this.#gathering = true
    try {
      while (this.#arrived.length > 0) {
        const changes = this.#arrived
        this.#arrived = []
        this.#apply((log) => changes.reduce((known, change) => change(known), log))
        void this.settle()
        await this.#ports.wait(GATHER_MS)
      }
    } finally {
      this.#gathering = false
    }
  }

  /** Fetches until nothing is needed; one run at a time. */
  async settle(): Promise<void> {
    if (this.#settling) return
    this.#settling = true
    for (let idle = 0; !this.#closed;) {
      const before = this.#log()
      const need = needOf(before)
      // No await between this check and the flag: a later event starts a new run.
      if (need.kind === 'nothing') break
      try {
        if (need.kind === 'catch-up') await this.#extend({ after: need.after, limit: PAGE_SIZE_MAX })
        else await this.#reload(need.after, need.through)
      } catch {
        // Offline or busy: the wait below is enough; the connection's state is shown elsewhere.
      }
      const after = this.#log()
      const progressed = lastNumber(after) > lastNumber(before) || (before.stale && !after.stale)
      idle = progressed ? 0 : idle + 1
      if (!progressed) await this.#ports.wait(RETRY_MS[Math.min(idle, RETRY_MS.length) - 1] ?? 0)
    }
    this.#settling = false
  }

  async #extend(span: PostSpan): Promise<void> {
    const asOf = this.#known.changes
    const posts = await this.#ports.fetchPosts({ ...span, changes: asOf })
    if (this.#closed) return
    this.#apply((log) => add(log, posts, asOf))
  }

  async #reload(after: number, through: number): Promise<void> {
    await this.#ports.wait(Math.random() * RELOAD_SPREAD_MS)
    const asOf = this.#known.changes
    const posts: Post[] = []
    for (let from = after; from < through; from = posts.at(-1)?.number ?? through) {
      const limit = Math.min(PAGE_SIZE_MAX, through - from)
      const page = await this.#ports.fetchPosts({ after: from, limit, changes: asOf })
      if (page.length === 0) break
      posts.push(...page)
    }
    if (!this.#closed) this.#apply((log) => reload(log, posts, asOf))
  }

  async #load(end: 'older' | 'newer', span: PostSpan): Promise<void> {
    this.#show({ [end]: 'loading' })
    try {
      await this.#extend(span)
      this.#show({ [end]: 'idle' })
    } catch {
      this.#show({ [end]: 'failed' })
    }
  }

  #log(): PostLog {
    return { ...this.#known, ...this.#ports.read() }
  }

  /** Reads, changes and writes synchronously, so that no other write to the cache is lost. */
  #apply(change: (log: PostLog) => PostLog): void {
    const before = this.#log()
    const after = change(before)
    if (after === before) return
    const { start, posts: heard, ...known } = after
    const posts = heard === before.posts ? heard : countSpoken(start, heard)
    this.#known = known
    if (posts !== before.posts || known.stale !== before.stale) {
      const agreed = known.stale ? known.changes - 1 : known.changes
      this.#ports.write({ start, posts }, { postCount: known.newest, revision: known.newest + agreed })
    }
    if (known.newest !== before.newest || known.changes !== before.changes) {
      this.#ports.onPosition({ postCount: known.newest, revision: known.newest + known.changes })
    }
    this.#show({ newest: known.newest, follows: known.follows })
  }

  #show(change: Partial<StoreView>): void {
    const next = { ...this.#view, ...change }
    const same = (Object.keys(next) as (keyof StoreView)[]).every((key) => next[key] === this.#view[key])
    if (same) return
    this.#view = next
    for (const listener of this.#listeners) listener()
  }
}
