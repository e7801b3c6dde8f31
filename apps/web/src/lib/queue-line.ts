/**
 * The live line of those who run the board: the server says on it that reports or held posts have changed. One socket while an admin
 * screen is open; the server puts moderators into their room by the cookies of the handshake. Whoever wants to hear it subscribes.
 */
import { SOCKET_RECONNECT_MAX_MS, SOCKET_RECONNECT_MS, SOCKET_TIMEOUT_MS } from '@shinobi/contract/limits'
import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import type { Socket } from 'socket.io-client'
import { renewSession } from './session-renewal.ts'

/** Without a socket somebody has to ask by themselves. */
const POLL_MS = 30_000
/** A session that is refused as soon as it is renewed shall not be renewed for ever. */
const RENEW_AGAIN_MS = 60_000

const listeners = new Set<() => void>()
const tell = (): void => {
  for (const listener of listeners) listener()
}

/** Hears that the queue of reports or of held posts may have changed: told by the server, after a reconnection, or because it is time to look. */
export function onQueueChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Opens the line. @returns closes it */
export function openQueueLine(): () => void {
  let closed = false
  let socket: Socket<ServerToClientEvents, ClientToServerEvents> | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  const poll = setInterval(() => {
    if (socket?.connected !== true && document.visibilityState === 'visible') tell()
  }, POLL_MS)
  const later = (task: () => void) => {
    clearTimeout(again)
    again = setTimeout(() => !closed && task(), SOCKET_RECONNECT_MAX_MS)
  }

  let renewedAt = Number.NEGATIVE_INFINITY
  /** The server let nobody in: the session may have to be renewed first. */
  const enterAgain = async (refused: { connect: () => unknown }, code: string | undefined): Promise<void> => {
    const now = Date.now()
    if (code === 'unauthorized' && now - renewedAt >= RENEW_AGAIN_MS) {
      renewedAt = now
      await renewSession(now)
    }
    if (!closed) later(() => refused.connect())
  }

  const open = async (): Promise<void> => {
    const { io } = await import('socket.io-client')
    if (closed) return
    const opened: Socket<ServerToClientEvents, ClientToServerEvents> = io({
      path: '/socket.io',
      transports: ['websocket'],
      reconnectionDelay: SOCKET_RECONNECT_MS,
      reconnectionDelayMax: SOCKET_RECONNECT_MAX_MS,
      timeout: SOCKET_TIMEOUT_MS,
      forceNew: true,
    })
    socket = opened
    opened.on('queueChanged', tell)
    // What happened while nobody listened is not told again.
    opened.on('connect', tell)
    opened.on('disconnect', () => {
      if (opened.active) return
      // The server has ended it: who asks now is told why.
      tell()
      later(() => opened.connect())
    })
    opened.on('connect_error', (error: Error & { data?: Partial<ErrorAnswer> }) => {
      if (opened.active || closed) return
      void enterAgain(opened, error.data?.code)
    })
  }
  const tryOpening = (): void => void open().catch(() => later(tryOpening))
  tryOpening()

  return () => {
    closed = true
    clearInterval(poll)
    clearTimeout(again)
    socket?.disconnect()
  }
}
