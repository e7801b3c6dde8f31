import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react'
import { OFF, type Link } from './link.ts'
import { ThreadLive, type LiveStore } from './live.ts'
import { openSocket } from './open-socket.ts'
import type { WindowHandle } from './window-view.tsx'

/** The live line: connected while the page is open and `name` is known (a proposed nickname counts). */
export function useThreadLine(
  threadId: string,
  view: RefObject<WindowHandle | null>,
  name: string | null,
  onPostError: (message: string) => void,
): { live: ThreadLive; link: Link } {
  const [live] = useState(() => {
    // Whichever window is on screen; without one there is nothing to keep in agreement.
    const store: LiveStore = {
      hear: (post, state) => view.current?.store.hear(post, state),
      learn: (state) => view.current?.store.learn(state),
      probe: async () => view.current?.store.probe(),
    }
    return new ThreadLive({ threadId, store, openSocket, onPostError })
  })
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
