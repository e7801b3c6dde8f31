import type { LikesChange } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { leaveSession } from '../../lib/session.ts'
import { renewSession } from '../../lib/session-renewal.ts'
import { OFF, type Link } from './link.ts'
import { ThreadLive, type LiveSelf, type LiveStore } from './live.ts'
import { openSocket } from './open-socket.ts'
import type { WindowHandle } from './window-view.tsx'

interface ThreadLineOptions {
  threadId: string
  /** The window of posts on screen; without one there is nothing to keep in agreement. */
  view: RefObject<WindowHandle | null>
  /** Who is here; null while nobody knows. */
  self: LiveSelf | null
  /** Tells one from another: with somebody else the line is opened anew, as the server knows who it is by the cookies of the handshake. */
  selfKey: string | null
  /** All of these stay the same. */
  onPostError: (message: string) => void
  onLikes: (change: LikesChange) => void
  onNotices: () => void
  /** The thread is not there any more. */
  onGone: () => void
}

/** The live line: connected while the page is open and it is known whether a member is here. */
export function useThreadLine({ threadId, view, self, selfKey, onGone, ...heard }: ThreadLineOptions): {
  live: ThreadLive
  link: Link
} {
  const [live] = useState(() => {
    const store: LiveStore = {
      hear: (post, state) => view.current?.store.hear(post, state),
      learn: (state) => view.current?.store.learn(state),
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
      openSocket,
      ...heard,
      renew: () => renewSession(Date.now()),
      onSessionLost: () => leaveSession(messages.session_expired),
    })
  })
  const link = useSyncExternalStore(live.subscribe, live.link, () => OFF)

  useEffect(() => {
    if (selfKey === null) return
    return () => live.stop()
  }, [live, selfKey])
  const name = self?.name
  const isLoggedIn = self?.isLoggedIn === true
  useEffect(() => {
    if (selfKey !== null && name !== undefined) live.start({ name, isLoggedIn })
  }, [live, selfKey, name, isLoggedIn])

  useEffect(() => {
    const onVisibility = () => {
      if (document.visibilityState === 'visible') live.wake()
    }
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) live.wake()
    }
    const wake = () => live.wake()
    const suspend = () => live.suspend()
    document.addEventListener('visibilitychange', onVisibility)
    addEventListener('pageshow', onShow)
    addEventListener('pagehide', suspend)
    addEventListener('online', wake)
    // A socket notices a lost network only when its pings fail: until then posts would wait for an answer that cannot come.
    addEventListener('offline', suspend)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pageshow', onShow)
      removeEventListener('pagehide', suspend)
      removeEventListener('online', wake)
      removeEventListener('offline', suspend)
    }
  }, [live])

  return { live, link }
}
