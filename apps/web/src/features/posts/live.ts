/**
 * A thread page's live updates: connection -> post store, and polling while there is no connection.
 * Events are hints, post numbers are authoritative: every connection begins with a join whose
 * answer contains the thread's position, and the store fetches the difference.
 */
import { POLL_AFTER_MS, SOCKET_RECONNECT_MAX_MS } from '@shinobi/contract/limits'
import type { LikesChange, NewPost, PostAck } from '@shinobi/contract/events'
import type { Connection } from '../../lib/connection.ts'
import { OFF, isWaiting, nextState, type ConnectionEvent, type ConnectionState } from './connection-state.ts'
import type { PostStore } from './post-store.ts'

/** Receives the events of the connection, and is asked to poll while there is none. */
export type LiveStore = Pick<PostStore, 'hear' | 'learn' | 'probe' | 'refresh'>

/**
 * The visitor of this page. The server identifies visitors by the cookies of the handshake: a
 * different visitor needs a new connection.
 */
export interface LiveSelf {
  /** null: no nickname is chosen. */
  readonly name: string | null
  readonly isLoggedIn: boolean
}

export interface ThreadLiveOptions {
  threadId: string
  store: LiveStore
  connection: Connection
  /** Like counts of the thread or its posts have changed. */
  onLikes: (change: LikesChange) => void
  /** Notices for all visitors have changed. */
  onNotices: () => void
  /** Changes of the thread beside its posts may have been missed, such as its likes. */
  onMissed: () => void
  /** The session has ended. */
  onSessionLost: () => void
  /** A post was refused and no sender waits for the answer. */
  onPostError: (message: string) => void
}

type Timer = ReturnType<typeof setTimeout>

export class ThreadLive {
  #options: ThreadLiveOptions
  #state: ConnectionState = OFF
  #self: LiveSelf = { name: null, isLoggedIn: false }
  #stopListening: (() => void) | null = null
  /** Whether the server recognises this browser's cookie: see JoinAck. */
  #recognised = false
  /** Events may have been missed while the connection was lost. */
  #hasMissed = false
  #timer: Timer | undefined
  #rejoin: Timer | undefined
  #listeners = new Set<() => void>()
  /** Posts whose sender gets the outcome itself. */
  #sent = new Set<string>()

  constructor(options: ThreadLiveOptions) {
    this.#options = options
  }

  state = (): ConnectionState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects as `self`; when already connected, joins again under the new name. */
  start(self: LiveSelf): void {
    const isRenamed = self.name !== this.#self.name
    this.#self = self
    const { connection } = this.#options
    if (this.#stopListening === null) {
      this.#move('start')
      this.#stopListening = this.#listen()
      if (connection.connected) void this.#join()
    } else if (isRenamed && connection.connected) {
      if (this.#recognised) void this.#join()
      else this.reconnectIfUnrecognised()
    }
  }

  /**
   * Reopens a connection that was opened without the visitor cookie. Call it when the browser has
   * the cookie.
   */
  reconnectIfUnrecognised(): void {
    const { connection } = this.#options
    if (connection.connected && !this.#recognised) connection.reconnect()
  }

  stop(): void {
    this.#move('stop')
    clearTimeout(this.#rejoin)
    this.#recognised = false
    this.#stopListening?.()
    this.#stopListening = null
  }

  /** Events may have been missed: asks for the thread's position. */
  wake(): void {
    if (this.#stopListening === null) return
    if (this.#options.connection.connected) void this.#join()
    this.#probe()
  }

  /**
   * Sends over the connection; rejects without one that the server recognises, or when no answer
   * comes.
   */
  async send(input: NewPost & { clientPostId: string }): Promise<PostAck> {
    const { connection } = this.#options
    if (!connection.connected || !this.#recognised) throw new Error('no socket')
    this.#sent.add(input.clientPostId)
    return connection.ask('newPost', input)
  }

  #listen(): () => void {
    const { threadId, store, connection, onLikes, onNotices, onPostError, onSessionLost } = this.#options
    return connection.listen({
      onConnect: () => {
        this.#recognised = false
        if (this.#hasMissed) onNotices()
        void this.#join()
      },
      onDisconnect: () => {
        this.#hasMissed = true
        this.#move('lost')
      },
      newPost: (post, state) => {
        if (post.threadId === threadId) store.hear(post, state)
      },
      threadChanged: (state) => {
        if (state.threadId === threadId) store.learn(state)
      },
      likesChanged: (change) => {
        if (change.threadId === threadId) onLikes(change)
      },
      noticesChanged: onNotices,
      postError: ({ message, clientPostId }) => {
        if (!this.#sent.has(clientPostId ?? '')) onPostError(message)
      },
      onWake: () => this.wake(),
      onSessionLost,
    })
  }

  async #join(): Promise<void> {
    const { threadId, store, connection, onMissed } = this.#options
    const stopListening = this.#stopListening
    const isCurrent = () => this.#stopListening === stopListening && connection.connected
    try {
      const { name, isLoggedIn } = this.#self
      const answer = await connection.ask('joinThread', { threadId, isLoggedIn, ...(name !== null && { name }) })
      if (!isCurrent()) return
      if ('error' in answer) {
        // A join does not distinguish a removed thread from other failures; the probe does.
        if (answer.error.code === 'not_found') this.#probe()
        return this.#joinLater()
      }
      this.#recognised = answer.recognised
      this.#move('joined')
      // New posts are fetched before those that are here are loaded again.
      store.learn(answer)
      if (!this.#hasMissed) return
      this.#hasMissed = false
      store.refresh()
      onMissed()
    } catch {
      // Connected without being in the thread's room: no events of the thread arrive.
      if (isCurrent()) this.#joinLater()
    }
  }

  #joinLater(): void {
    clearTimeout(this.#rejoin)
    this.#rejoin = setTimeout(() => void this.#join(), SOCKET_RECONNECT_MAX_MS)
  }

  #move(event: ConnectionEvent): void {
    const next = nextState(this.#state, event)
    if (next === this.#state) return
    this.#state = next
    clearTimeout(this.#timer)
    if (isWaiting(next)) this.#timer = setTimeout(() => this.#move('late'), POLL_AFTER_MS)
    if (next.kind === 'polling') this.#poll()
    for (const listener of this.#listeners) listener()
  }

  #poll(): void {
    this.#timer = setTimeout(() => this.#poll(), POLL_AFTER_MS)
    if (document.visibilityState === 'visible') this.#probe()
  }

  #probe(): void {
    this.#options.store.probe().catch(() => {
      // Offline as well; the next round asks again.
    })
  }
}
