/**
 * The Socket.IO connection of this page, shared by all listeners: opened for the first of them,
 * closed after the last. A lost connection is opened again; after a refusal for an expired session,
 * the session is renewed first.
 */
import { SOCKET_RECONNECT_MAX_MS } from '@shinobi/contract/limits'
import type { ServerToClientEvents } from '@shinobi/contract/events'
import { openSocket, type LiveSocket, type OpenSocket, type SocketEvents } from './open-socket.ts'
import { renewSession, type Renewal } from './session-renewal.ts'
import { startStopwatch } from './stopwatch.ts'

/** Handlers for events of the server, by name, and for the state of the connection. */
export interface ConnectionListener
  extends Partial<ServerToClientEvents>, Partial<Pick<SocketEvents, 'onConnect' | 'onDisconnect'>> {
  /** The page is visible again, or the network is back: events may have been missed for hours. */
  onWake?: () => void
  /** The server refused an expired session, and it could not be renewed. */
  onSessionLost?: () => void
}

interface ConnectionOptions {
  openSocket: OpenSocket
  renew: () => Promise<Renewal>
}

type Timer = ReturnType<typeof setTimeout>

/**
 * A session that is refused again right after its renewal is not renewed again within this time.
 */
const RENEW_AGAIN_MS = 60_000

export class Connection {
  #options: ConnectionOptions
  #listeners = new Set<ConnectionListener>()
  #socket: LiveSocket | null = null
  /** Incremented on opening and closing: events of an earlier socket are ignored. */
  #opening = 0
  #timer: Timer | undefined
  #sinceRenewal = (): number => Infinity
  #forgetPage: (() => void) | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get connected(): boolean {
    return this.#socket?.connected === true
  }

  /**
   * Adds a listener, and keeps the connection open meanwhile. The server identifies the visitor by
   * the cookies of the handshake.
   * @returns a function that removes the listener
   */
  listen(listener: ConnectionListener): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) {
      this.#forgetPage = this.#followPage()
      void this.#open()
    }
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#close()
    }
  }

  /** Repeats the handshake with the current cookies. */
  reconnect(): void {
    this.#socket?.disconnect()
    this.#socket?.connect()
  }

  /** Sends an event and waits for its answer. @throws without a connection */
  get ask(): LiveSocket['ask'] {
    if (this.#socket?.connected !== true) throw new Error('no socket')
    return this.#socket.ask
  }

  async #open(): Promise<void> {
    const turn = ++this.#opening
    const isCurrent = () => turn === this.#opening
    const tell = (hear: (listener: ConnectionListener) => void) => {
      if (isCurrent()) this.#tell(hear)
    }
    try {
      const socket = await this.#options.openSocket({
        onConnect: () => tell((one) => one.onConnect?.()),
        onDisconnect: (final) => {
          if (!isCurrent()) return
          tell((one) => one.onDisconnect?.(final))
          if (final && document.visibilityState === 'visible') this.#later(() => this.#socket?.connect())
        },
        onRefused: (code) => {
          if (!isCurrent()) return
          const isDue = this.#sinceRenewal() >= RENEW_AGAIN_MS
          if (code === 'unauthorized' && isDue) void this.#renew(turn)
          else this.#later(() => this.#socket?.connect())
        },
        onEvent: (name, ...values) =>
          tell((one) => (one[name] as ((...given: typeof values) => void) | undefined)?.(...values)),
      })
      if (!isCurrent()) return socket.disconnect()
      this.#socket = socket
      socket.connect()
    } catch {
      // The socket's code could not be loaded.
      if (isCurrent()) this.#later(() => void this.#open())
    }
  }

  #close(): void {
    this.#opening += 1
    clearTimeout(this.#timer)
    this.#forgetPage?.()
    this.#socket?.disconnect()
    this.#socket = null
  }

  async #renew(turn: number): Promise<void> {
    const renewal = await this.#options.renew()
    if (turn !== this.#opening) return
    if (renewal === 'renewed') {
      this.#sinceRenewal = startStopwatch()
      return this.#socket?.connect()
    }
    // Reconnects with the cookies of that time. When another user logs in, the caller closes this
    // connection first and opens a new one.
    this.#later(() => this.#socket?.connect())
    if (renewal === 'lost') this.#tell((one) => one.onSessionLost?.())
  }

  #tell(hear: (listener: ConnectionListener) => void): void {
    for (const listener of this.#listeners) hear(listener)
  }

  #later(task: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(task, SOCKET_RECONNECT_MAX_MS)
  }

  /** @returns a function that removes the handlers */
  #followPage(): () => void {
    const page = new AbortController()
    const { signal } = page
    const wake = () => {
      if (!this.connected) this.#socket?.connect()
      this.#tell((one) => one.onWake?.())
    }
    const suspend = () => this.#socket?.disconnect()
    const onVisibility = () => {
      if (document.visibilityState === 'visible') wake()
    }
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) wake()
    }
    document.addEventListener('visibilitychange', onVisibility, { signal })
    addEventListener('pageshow', onShow, { signal })
    addEventListener('online', wake, { signal })
    // Browsers do not keep a page with an open socket in the back/forward cache.
    addEventListener('pagehide', suspend, { signal })
    // A socket notices a lost network only when its pings fail: until then posts would wait in vain
    // for an answer.
    addEventListener('offline', suspend, { signal })
    return () => page.abort()
  }
}

export const connection = new Connection({ openSocket, renew: () => renewSession(Date.now()) })
