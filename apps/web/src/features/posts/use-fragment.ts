import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { numberOfHash, postPath } from './post-address.ts'
import { scrollToPost } from './scroll-to-post.ts'

interface FragmentOptions {
  threadId: string
  start: number
  last: number
  newest: number
  follows: boolean
}

/** #12 shows post 12: scrolls to it, waits for it when it is on its way, and else opens the page it stands on. */
export function useFragment({ threadId, start, last, newest, follows }: FragmentOptions): void {
  const { hash, key } = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const done = useRef<string | null>(null)
  useEffect(() => {
    const number = numberOfHash(hash)
    const place = `${key}${hash}`
    if (number === null || done.current === place) return
    const held = number > start && number <= last
    // Back and reload return to where the reader was; the browser itself went to the fragment of a fresh page.
    if (held && type === 'POP') {
      done.current = place
    } else if (held) {
      // The newest one is a way to the end: the dock stays at the foot of the window.
      if (scrollToPost(number, number === newest ? 'end' : 'start')) done.current = place
    } else if (number <= newest && !(follows && number > last)) {
      done.current = place
      void navigate(postPath(threadId, number), { replace: true })
    }
  }, [hash, key, type, navigate, threadId, start, last, newest, follows])
}
