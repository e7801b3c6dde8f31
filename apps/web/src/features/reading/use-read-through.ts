import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { bottomOfView } from '../../lib/bottom-of-view.ts'
import { rowsBelow } from '../../lib/rows-in-view.ts'
import { Visit, type VisitedThread } from './visit.ts'

/** Frequent enough for a reader who turns back at once. */
const LOOK_EVERY_MS = 100

/**
 * Number of the last of the posts of which half or the end is on screen, above the dock; 0 without
 * one. Another page may have taken their place. Posts that leave no trace (NG) are passed with the
 * one before them.
 */
function lastSeen(posts: HTMLElement): number {
  const floor = bottomOfView()
  let seen = 0
  for (const row of rowsBelow(0)) {
    const { top, bottom } = row.getBoundingClientRect()
    if (top >= floor || !posts.contains(row)) break
    if (bottom <= floor || floor - Math.max(top, 0) >= (bottom - top) / 2) seen = Number(row.id)
  }
  while (seen > 0 && isTraceless(seen + 1)) seen += 1
  return seen
}

const isTraceless = (number: number): boolean => document.getElementById(String(number))?.closest('li[hidden]') != null

interface ReadThroughOptions {
  thread: VisitedThread
  /** Contains the posts, whose ids are their numbers. */
  list: RefObject<HTMLElement | null>
  /** Number of the thread's last post. */
  newest: number
  /** Number of the last post on the page. */
  last: number
  /** False while another part of the thread is about to be shown. */
  isSettled: boolean
}

/** Records the visit, and the last post that was really on screen while the page was visible. */
export function useReadThrough({ thread, list, newest, last, isSettled }: ReadThroughOptions): void {
  const { _id, title, categoryId } = thread
  const running = useRef<{ visit: Visit; lookSoon: () => void } | null>(null)

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
    const lookSoon = () => {
      timer ??= setTimeout(look, LOOK_EVERY_MS)
    }
    const write = () => {
      look()
      visit.flush()
    }
    running.current = { visit, lookSoon }
    visit.start()
    // Posts that arrive, unfold or become visible change the height, and so does the first layout.
    const observer = new ResizeObserver(lookSoon)
    observer.observe(rows)
    addEventListener('scroll', lookSoon, { passive: true })
    // A click may lead away at once.
    document.addEventListener('click', look, { capture: true })
    addEventListener('pagehide', write)
    document.addEventListener('visibilitychange', write)
    return () => {
      running.current = null
      clearTimeout(timer)
      observer.disconnect()
      removeEventListener('scroll', lookSoon)
      document.removeEventListener('click', look, { capture: true })
      removeEventListener('pagehide', write)
      document.removeEventListener('visibilitychange', write)
      visit.end()
    }
  }, [list, _id, title, categoryId, isSettled])

  useEffect(() => running.current?.visit.note({ postCount: newest }), [newest, isSettled])
  // A post that leaves no trace changes no height.
  useEffect(() => running.current?.lookSoon(), [last, isSettled])
}
