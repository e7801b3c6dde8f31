import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { bottomOfView } from '../../lib/bottom-of-view.ts'
import { rowsBelow } from '../../lib/rows-in-view.ts'
import { Visit, type VisitedThread } from './visit.ts'

/** Frequent enough for a reader who turns back at once. */
const LOOK_EVERY_MS = 100

/**
 * Number of the last of the posts of which half or the end is on screen, above the dock; 0 without
 * one. Another page may have taken their place.
 */
function lastSeen(posts: HTMLElement): number {
  const floor = bottomOfView()
  let seen = 0
  for (const row of rowsBelow(0)) {
    const { top, bottom } = row.getBoundingClientRect()
    if (top >= floor || !posts.contains(row)) break
    if (bottom <= floor || floor - Math.max(top, 0) >= (bottom - top) / 2) seen = Number(row.id)
  }
  return seen
}

interface ReadThroughOptions {
  thread: VisitedThread
  /** Contains the posts, whose ids are their numbers. */
  list: RefObject<HTMLElement | null>
  /** Number of the thread's last post. */
  newest: number
  /** False while another part of the thread is about to be shown. */
  isSettled: boolean
}

/** Records the visit, and the last post that was really on screen while the page was visible. */
export function useReadThrough({ thread, list, newest, isSettled }: ReadThroughOptions): void {
  const { _id, title, categoryId } = thread
  const running = useRef<Visit | null>(null)

  // A layout effect, so that no look sees the rows of the next page, whose ids are no numbers.
  useLayoutEffect(() => {
    const rows = list.current
    if (!isSettled || rows === null) return
    const visit = new Visit({ _id, title, categoryId })
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      if (document.visibilityState !== 'visible') return
      visit.note({ readThrough: lastSeen(rows) })
    }
    const onScroll = () => {
      timer ??= setTimeout(look, LOOK_EVERY_MS)
    }
    const write = () => {
      look()
      visit.flush()
    }
    running.current = visit
    visit.start()
    // Posts that arrive, unfold or become visible change the height, and so does the first layout.
    const observer = new ResizeObserver(onScroll)
    observer.observe(rows)
    addEventListener('scroll', onScroll, { passive: true })
    // A click may lead away at once.
    document.addEventListener('click', look, { capture: true })
    addEventListener('pagehide', write)
    document.addEventListener('visibilitychange', write)
    return () => {
      running.current = null
      clearTimeout(timer)
      observer.disconnect()
      removeEventListener('scroll', onScroll)
      document.removeEventListener('click', look, { capture: true })
      removeEventListener('pagehide', write)
      document.removeEventListener('visibilitychange', write)
      visit.end()
    }
  }, [list, _id, title, categoryId, isSettled])

  useEffect(() => running.current?.note({ postCount: newest }), [newest, isSettled])
}
