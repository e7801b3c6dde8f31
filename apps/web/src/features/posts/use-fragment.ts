import { useEffect, useRef, type RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { numberOfHash, postPath } from './post-address.ts'
import { scrollToPost } from './scroll-to-post.ts'

interface FragmentOptions {
  threadId: string
  start: number
  last: number
  newest: number
  follows: boolean
  /** Whether the visitor returned to where they were, by Back or a reload. */
  cameBack: RefObject<boolean>
}

/**
 * #12 shows post 12: scrolls to it, waits for it when it is on its way, and else opens the page it stands on. The browser's
 * own way there ends beside it when the posts above are laid out late.
 */
export function useFragment({ threadId, start, last, newest, follows, cameBack }: FragmentOptions): void {
  const { hash, key } = useLocation()
  const navigate = useNavigate()
  const done = useRef<string | null>(null)
  useEffect(() => {
    const number = numberOfHash(hash)
    const place = `${key}${hash}`
    if (number === null || done.current === place) return
    const held = number > start && number <= last
    if (held && cameBack.current) {
      done.current = place
    } else if (held) {
      // The newest one is a way to the end: the dock stays at the foot of the window.
      if (scrollToPost(number, number === newest ? 'end' : 'start')) done.current = place
    } else if (number <= newest && !(follows && number > last)) {
      done.current = place
      void navigate(postPath(threadId, number), { replace: true })
    }
  }, [hash, key, navigate, threadId, start, last, newest, follows, cameBack])
}
