import { useEffect, useRef, type RefObject } from 'react'
import { Visit, type VisitedThread } from './visit.ts'

/** The end of a post that is longer than the screen comes into view between two steps. */
const LOOK_EVERY_MS = 250

/** Number of the row if half of it or its end is on screen, above the dock; else 0. */
function seenNumber(row: HTMLElement, floor: number): number {
  const { top, bottom } = row.getBoundingClientRect()
  const isEndShown = bottom > 0 && bottom <= floor
  const shown = Math.min(bottom, floor) - Math.max(top, 0)
  return isEndShown || shown >= (bottom - top) / 2 ? Number(row.dataset['keep']) : 0
}

interface ReadThroughOptions {
  thread: VisitedThread
  /** Contains the posts, which carry their numbers as `data-keep`. */
  list: RefObject<HTMLElement | null>
  /** Number of the last post in the list. */
  last: number
  /** Number of the thread's last post. */
  newest: number
  /** False while another part of the thread is about to be shown. */
  isSettled: boolean
}

/** Records the visit, and the last post that was really on screen while the page was visible. */
export function useReadThrough({ thread, list, last, newest, isSettled }: ReadThroughOptions): void {
  const { _id, title, categoryId } = thread
  const running = useRef<{ visit: Visit; observer: IntersectionObserver } | null>(null)

  useEffect(() => {
    if (!isSettled) return
    const visit = new Visit({ _id, title, categoryId })
    const near = new Set<HTMLElement>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      if (document.visibilityState !== 'visible') return
      const floor = document.querySelector('[data-dock]')?.getBoundingClientRect().top ?? innerHeight
      for (const row of near) visit.note({ readThrough: seenNumber(row, Math.min(floor, innerHeight)) })
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) near.add(target as HTMLElement)
          else near.delete(target as HTMLElement)
        }
        look()
      },
      { threshold: [0, 0.5, 1] },
    )
    const onScroll = () => {
      timer ??= setTimeout(look, LOOK_EVERY_MS)
    }
    const write = () => {
      look()
      visit.flush()
    }
    running.current = { visit, observer }
    visit.start()
    addEventListener('scroll', onScroll, { passive: true })
    addEventListener('pagehide', write)
    document.addEventListener('visibilitychange', write)
    return () => {
      running.current = null
      clearTimeout(timer)
      observer.disconnect()
      removeEventListener('scroll', onScroll)
      removeEventListener('pagehide', write)
      document.removeEventListener('visibilitychange', write)
      visit.end()
    }
  }, [_id, title, categoryId, isSettled])

  useEffect(() => {
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-keep]') ?? []
    // Rows that are observed already are not observed twice.
    for (const row of rows) running.current?.observer.observe(row)
  }, [list, last, isSettled])

  useEffect(() => running.current?.visit.note({ postCount: newest }), [newest, isSettled])
}
