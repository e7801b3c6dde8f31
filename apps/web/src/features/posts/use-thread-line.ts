import { useEffect, useState, useSyncExternalStore } from 'react'
import { OFF, type Link } from './link.ts'
import { ThreadLive } from './live.ts'
import { openSocket } from './open-socket.ts'
import type { PostStore } from './post-store.ts'

/** The live line: connected while the page is open and `name` is known (a proposed nickname counts). */
export function useThreadLine(
  threadId: string,
  store: PostStore,
  name: string | null,
  onPostError: (message: string) => void,
): { live: ThreadLive; link: Link } {
  const [live] = useState(() => new ThreadLive({ threadId, store, openSocket, onPostError }))
  const link = useSyncExternalStore(live.subscribe, live.link, () => OFF)

  const known = name !== null
  useEffect(() => {
    if (!known) return
    return () => live.stop()
  }, [live, known])
  useEffect(() => {
    if (name !== null) live.start(name)
  }, [live, name])

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
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pageshow', onShow)
      removeEventListener('pagehide', suspend)
      removeEventListener('online', wake)
    }
  }, [live])

  return { live, link }
}
