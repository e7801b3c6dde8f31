import { useEffect, useRef, useState, type RefObject } from 'react'
import { isHolding } from '../../lib/hold-in-place.ts'
import type { StoreView } from './post-store.ts'

/**
 * Pages are fetched this far before their end comes into view: farther than browsers lay out posts
 * (content-visibility), which would lay out many of a new page at once.
 */
const AHEAD = '250%'

interface EndlessOptions {
  view: StoreView
  /** The posts on the screen: a change means others. */
  shown: object
  /** Posts that are loaded are not on the screen yet. */
  isBehind: boolean
  /** Number before the first post. */
  start: number
  loadOlder: () => void
  loadNewer: () => void
}

interface Endless {
  readonly top: RefObject<HTMLDivElement | null>
  readonly bottom: RefObject<HTMLDivElement | null>
}

/**
 * Loads more posts at both ends. Upwards only after the reader scrolled up: a page opened in the
 * middle must not grow at once.
 */
export function useEndless({ view, shown, isBehind, start, loadOlder, loadNewer }: EndlessOptions): Endless {
  const top = useRef<HTMLDivElement>(null)
  const bottom = useRef<HTMLDivElement>(null)
  const [movedUp, setMovedUp] = useState(false)

  useEffect(() => {
    let before = scrollY
    const onScroll = () => {
      if (scrollY < before - 4 && !isHolding()) setMovedUp(true)
      before = scrollY
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])

  const { older, newer } = view
  useEffect(() => {
    const [above, below] = [top.current, bottom.current]
    if (isBehind || above === null || below === null) return
    // Observers report once when they start, so an end that is still in view after a page arrived
    // requests the next one.
    const near = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue
          if (target === below && newer !== 'failed') loadNewer()
          if (target === above && older !== 'failed' && movedUp && start > 0) loadOlder()
        }
      },
      { rootMargin: `${AHEAD} 0px` },
    )
    near.observe(above)
    near.observe(below)
    return () => near.disconnect()
  }, [shown, isBehind, start, older, newer, movedUp, loadOlder, loadNewer])

  return { top, bottom }
}
