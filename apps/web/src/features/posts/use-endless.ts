import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PostStore, StoreView } from './post-store.ts'

/** Pages are fetched this far before their end comes into view. */
const AHEAD = '1200px'

interface Endless {
  readonly top: RefObject<HTMLDivElement | null>
  readonly bottom: RefObject<HTMLDivElement | null>
}

/**
 * Loads more posts at both ends. Upwards only after the reader scrolled up: a page opened in the
 * middle must not grow at once.
 */
export function useEndless(
  store: PostStore,
  view: StoreView,
  start: number,
  count: number,
  loadOlder: () => void,
): Endless {
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  const [movedUp, setMovedUp] = useState(false)

  useEffect(() => {
    let before = scrollY
    const onScroll = () => {
      if (scrollY < before - 4) setMovedUp(true)
      before = scrollY
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])

  const { older, newer } = view
  useEffect(() => {
    const [above, below] = [top.current, bottom.current]
    if (above === null || below === null) return
    // Observers report once when they start, so an end that is still in view after a page arrived
    // requests the next one.
    const near = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue
          if (target === below && newer !== 'failed') void store.loadNewer()
          if (target === above && older !== 'failed' && movedUp && start > 0) loadOlder()
        }
      },
      { rootMargin: `${AHEAD} 0px` },
    )
    near.observe(above)
    near.observe(below)
    return () => near.disconnect()
  }, [store, start, count, older, newer, movedUp, loadOlder])

  return { top, bottom }
}
