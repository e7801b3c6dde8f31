/**
 * The live line of a thread page: socket -> post store, and polling while there is no socket.
 * The socket is a hint, the numbers are the truth: every connection begins with a join whose answer says where the thread
 * stands, and the store fetches the difference.
 */
import { POLL_AFTER_MS, SOCKET_RECONNECT_MAX_MS } from '@shinobi/contract/limits'
import type { LikesChange, NewPost, PostAck } from '@shinobi/contract/events'
import type { Renewal } from '../../lib/session-renewal.ts'
import { OFF, isWaiting, nextLink, type Link, type LinkEvent } from './link.ts'
import type { LiveSocket, OpenSocket } from './open-socket.ts'
import type { PostStore } from './post-store.ts'

/** What the line tells, and asks for news while it is down. */
export type LiveStore = Pick<PostStore, 'hear' | 'learn' | 'probe'>

/** Who is at this end. The server knows by itself, from the handshake's cookies: another one needs another connection. */
export interface LiveSelf {
  /** null: no nickname is chosen. */
  readonly name: string | null
  readonly isLoggedIn: boolean
}

export interface ThreadLiveOptions {
  threadId: string
  store: LiveStore
  openSocket: OpenSocket
  /** Counts of likes have changed, the thread's or its posts'. */
  onLikes: (change: LikesChange) => void
  /** What every visitor is told has changed. */
  onNotices: () => void
  /** Renews a session that the server did not take for a connection. */
  renew: () => Promise<Renewal>
  /** The session is over. */
  onSessionLost: () => void
  /** A post was refused without anybody waiting for the answer. */
  onPostError: (message: string) => void
}

type Timer = ReturnType<typeof setTimeout>

/** A session that is refused as soon as it is renewed shall not be renewed for ever. */
const RENEW_AGAIN_MS = 60_000

export class ThreadLive {
  #options: ThreadLiveOptions
  #link: Link = OFF
  #self: LiveSelf = { name: null, isLoggedIn: false }
  #socket: LiveSocket | null = null
  /** Whether the server knows who opened the socket: see JoinAck. */
  #recognised = false
  #opening = 0
  #timer: Timer | undefined
  #reopen: Timer | undefined
  #renewedAt = Number.NEGATIVE_INFINITY
  #listeners = new Set<() => void>()
  /** Posts whose sender hears the outcome itself. */
  #sent = new Set<string>()

  constructor(options: ThreadLiveOptions) {
    this.#options = options
  }

  link = (): Link => this.#link

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Connects as `self`; when connected already, joins again under the new name. */
  start(self: LiveSelf): void {
    const isRenamed = self.name !== this.#self.name
    this.#self = self
    if (this.#link.kind === 'off') {
      this.#move('start')
      void this.#open()
    } else if (isRenamed && this.#socket?.connected === true) {
      if (this.#recognised) void this.#join(this.#socket)
      else this.introduce()
    }
  }

  /** The browser has its visitor cookie now: a socket that was opened without it is opened anew. */
  introduce(): void {
    const socket = this.#socket
    if (socket?.connected !== true || this.#recognised) return
    socket.disconnect()
    socket.connect()
  }

  stop(): void {
    this.#move('stop')
    this.#opening += 1
    clearTimeout(this.#reopen)
    this.#socket?.disconnect()
    this.#socket = null
  }

  /** The network is gone, or the page goes to sleep in the back/forward cache, which takes no page with an open socket. */
  suspend(): void {
    this.#socket?.disconnect()
  }

  /** The page is looked at again, or the network is back: what the socket believes may be hours old. */
  wake(): void {
    if (this.#link.kind === 'off') return
    if (this.#socket?.connected === true) void this.#join(this.#socket)
    else this.#socket?.connect()
    this.#probe()
  }

  /** Sends over the socket; rejects without one that the server recognises, or when no answer comes. */
  async send(input: NewPost & { clientPostId: string }): Promise<PostAck> {
    const socket = this.#socket
    if (socket?.connected !== true || !this.#recognised) throw new Error('no socket')
    this.#sent.add(input.clientPostId)
    return socket.post(input)
  }

  async #open(): Promise<void> {
    const turn = ++this.#opening
    try {
      const socket = await this.#options.openSocket({
        onConnect: () => {
          this.#recognised = false
          if (turn === this.#opening && this.#socket !== null) void this.#join(this.#socket)
        },
        onDisconnect: (final) => {
          if (turn !== this.#opening) return
          this.#move('lost')
          if (final && document.visibilityState === 'visible') this.#later(() => this.#socket?.connect())
        },
        onRefused: (code) => {
          if (turn !== this.#opening) return
          const isDue = Date.now() - this.#renewedAt >= RENEW_AGAIN_MS
          if (code === 'unauthorized' && isDue) void this.#renew(turn)
          else this.#later(() => this.#socket?.connect())
        },
        onPost: (post, state) => {
          if (turn === this.#opening && post.threadId === this.#options.threadId) this.#options.store.hear(post, state)
        },
        onChange: (state) => {
          if (turn === this.#opening && state.threadId === this.#options.threadId) this.#options.store.learn(state)
        },
        onLikes: (change) => {
          if (turn === this.#opening && change.threadId === this.#options.threadId) this.#options.onLikes(change)
        },
        onNotices: () => {
          if (turn === this.#opening) this.#options.onNotices()
        },
        onPostError: ({ message, clientPostId }) => {
          if (turn === this.#opening && !this.#sent.has(clientPostId ?? '')) this.#options.onPostError(message)
        },
      })
      if (turn !== this.#opening) return socket.disconnect()
      this.#socket = socket
      socket.connect()
    } catch {
      // The socket's code could not be loaded; polling goes on meanwhile.
      if (turn === this.#opening) this.#later(() => void this.#open())
    }
  }

  async #renew(turn: number): Promise<void> {
    const renewal = await this.#options.renew()
    if (turn !== this.#opening) return
    if (renewal === 'renewed') {
      this.#renewedAt = Date.now()
      return this.#socket?.connect()
    }
    // As whoever is here then: if that is somebody else, they open a line of their own before.
    this.#later(() => this.#socket?.connect())
    if (renewal === 'lost') this.#options.onSessionLost()
  }

  async #join(socket: LiveSocket): Promise<void> {
    const { threadId, store } = this.#options
    try {
      const { name, isLoggedIn } = this.#self
      const answer = await socket.join({ threadId, isLoggedIn, ...(name !== null && { name }) })
      if (this.#socket !== socket || !socket.connected) return
      if ('error' in answer) {
        // Whether the thread is gone, which a join cannot tell from much else, the looking around finds out.
        if (answer.error.code === 'not_found') this.#probe()
        return this.#later(() => void this.#join(socket))
      }
      this.#recognised = answer.recognised
      this.#move('joined')
      store.learn(answer)
    } catch {
      // The socket is connected but has not joined the room, so it receives nothing.
      if (this.#socket === socket && socket.connected) this.#later(() => void this.#join(socket))
    }
  }

  #later(task: () => void): void {
    clearTimeout(this.#reopen)
    this.#reopen = setTimeout(task, SOCKET_RECONNECT_MAX_MS)
  }

  #move(event: LinkEvent): void {
    const next = nextLink(this.#link, event)
    if (next === this.#link) return
    this.#link = next
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
