/**
 * Marks elements that are near the screen with `data-near`, for styles that change before they
 * are seen. One observer serves all of them.
 */

/** Farther than a reader scrolls before the next frame, on a fast fling, too. */
const NEAR = '150%'

let observer: IntersectionObserver | null = null

function observe(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) target.toggleAttribute('data-near', isIntersecting)
    },
    { rootMargin: `${NEAR} 0px` },
  )
  return observer
}

/** A ref: marks the element while it is near the screen. */
export function markNear(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return
  const near = observe()
  near.observe(element)
  return () => near.unobserve(element)
}
