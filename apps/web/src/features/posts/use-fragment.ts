import { useEffect, useRef, type RefObject } from 'react'
import { useLocation, useNavigate, type Location } from 'react-router'
import { numberOfHash, postPath } from './post-address.ts'
import { postElement, scrollToPost } from './scroll-to-post.ts'

declare global {
  interface Window {
    /** Whether the reader of #12 has moved before the scripts ran (public/thread.js). */
    movedEarly?: boolean
  }
}

/** State of the history entry that a jump makes. */
export const JUMP = { takesFocus: true }

interface FragmentOptions {
  threadId: string
  start: number
  last: number
  newest: number
  follows: boolean
  /** Whether the visitor returned to an earlier position, by Back or a reload. */
  cameBack: RefObject<boolean>
}

function showPost(number: number, newest: number): boolean {
  // Post 1 is shown with the title above it.
  if (number === 1) scrollTo({ top: 0, behavior: 'instant' })
  // The newest post is aligned with the end, because the dock stays at the bottom of the viewport.
  const last = number === newest ? 'end' : 'start'
  return scrollToPost(number, number === 1 ? 'nearest' : last)
}

/** As a link within a page does; a text that is being written keeps the focus. */
function focusPost(number: number): void {
  if (document.activeElement?.matches('[data-dock] :is(input, textarea)') === true) return
  postElement(number)?.focus({ preventScroll: true })
}

/**
 * Handles #12: scrolls to post 12, waits for it when it is being loaded, and else opens its page.
 * The browser's own scrolling misses the post when the posts above are laid out late.
 */
export function useFragment({ threadId, start, last, newest, follows, cameBack }: FragmentOptions): void {
  const { hash, key, state }: Location<typeof JUMP | null> = useLocation()
  const navigate = useNavigate()
  const done = useRef<string | null>(null)
  useEffect(() => {
    const number = numberOfHash(hash)
    const place = `${key}${hash}`
    const hasMoved = window.movedEarly === true
    delete window.movedEarly
    if (number === null || done.current === place) return
    const held = number > start && number <= last
    if (cameBack.current) {
      // The place of then is returned to: it may be on pages that are not loaded yet.
      if (held) done.current = place
    } else if (held) {
      if (!hasMoved && !showPost(number, newest)) return
      done.current = place
      if (state?.takesFocus === true) focusPost(number)
    } else if (number <= newest && !(follows && number > last)) {
      done.current = place
      void navigate(postPath(threadId, number), { replace: true, state })
    }
  }, [hash, key, state, navigate, threadId, start, last, newest, follows, cameBack])
}
