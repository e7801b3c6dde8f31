import type { LikesChange } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { connection } from '../../lib/connection.ts'
import { loseSession } from '../accounts/session.ts'
import { OFF, type ConnectionState } from './connection-state.ts'
import { ThreadLive, type LiveSelf, type LiveStore } from './live.ts'
import type { WindowHandle } from './window-view.tsx'

interface UseThreadLiveOptions {
  threadId: string
  /** The window of posts on screen; without one there is nothing to update. */
  view: RefObject<WindowHandle | null>
  /** The current visitor; null while the session is unknown. */
  self: LiveSelf | null
  /**
   * Identifies the visitor: a change opens a new connection, because the server identifies visitors
   * by the cookies of the handshake.
   */
  selfKey: string | null
  /** The callbacks from here on are stable. */
  onPostError: (message: string) => void
  onLikes: (change: LikesChange) => void
  onNotices: () => void
  onMissed: () => void
  /** The thread no longer exists. */
  onGone: () => void
}

/** Live updates: connected while the page is open and the session is known. */
export function useThreadLive({ threadId, view, self, selfKey, onGone, ...heard }: UseThreadLiveOptions): {
  live: ThreadLive
  connection: ConnectionState
} {
  const [live] = useState(() => {
    const store: LiveStore = {
      hear: (post, state) => view.current?.store.hear(post, state),
      learn: (state) => view.current?.store.learn(state),
      refresh: () => view.current?.store.refresh(),
      async probe() {
        try {
          await view.current?.store.probe()
        } catch (error) {
          if (error instanceof ApiError && error.status === 404) onGone()
          throw error
        }
      },
    }
    return new ThreadLive({
      threadId,
      store,
      connection,
      ...heard,
      onSessionLost: () => loseSession(messages.session_expired),
    })
  })
  const state = useSyncExternalStore(live.subscribe, live.state, () => OFF)

  useEffect(() => {
    if (selfKey === null) return
    return () => live.stop()
  }, [live, selfKey])
  const name = self?.name
  const isLoggedIn = self?.isLoggedIn === true
  useEffect(() => {
    if (selfKey !== null && name !== undefined) live.start({ name, isLoggedIn })
  }, [live, selfKey, name, isLoggedIn])

  return { live, connection: state }
}
