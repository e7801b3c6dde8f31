import { useCallback, useLayoutEffect, useRef } from 'react'
import { postElement } from './scroll-to-post.ts'

/**
 * Prepended posts must not move the text being read. Browsers anchor scrolling themselves, but not
 * at the very top of a page, and Safari not at all: the first post is measured before and its
 * position restored after.
 */
export function useAnchorKeeping(start: number): () => void {
  const kept = useRef<{ element: HTMLElement; top: number } | null>(null)
  useLayoutEffect(() => {
    const anchor = kept.current
    kept.current = null
    if (anchor === null || !anchor.element.isConnected) return
    const moved = anchor.element.getBoundingClientRect().top - anchor.top
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' })
  }, [start])
  /** Call it right before posts are prepended to the window. */
  return useCallback(() => {
    const element = postElement(start + 1)
    if (element !== null) kept.current = { element, top: element.getBoundingClientRect().top }
  }, [start])
}
