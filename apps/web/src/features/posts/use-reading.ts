import { useEffect, useEffectEvent, useState } from 'react'
import { bottomOfView } from '../../lib/bottom-of-view.ts'
import { firstOfOthers } from '../reading/own-posts.ts'
import { postElement } from './scroll-to-post.ts'

/**
 * Pixels of a post that must be above the dock before it counts as seen: its first line, not just
 * its edge.
 */
const FIRST_LINE = 44

export interface Reading {
  /** Newest post when the page was opened: higher numbers arrived since. */
  readonly baseline: number
  /** New posts that were not in view yet, without own ones (of another tab, or sent by itself). */
  readonly unseen: number
  /** Number of the first of them. */
  readonly firstUnseen: number
}

/** The new posts of others after those that were seen. */
export function unseenOf(seen: number, newest: number, own: ReadonlySet<number>): Omit<Reading, 'baseline'> {
  const ownUnseen = [...own].filter((number) => number > seen && number <= newest).length
  return { unseen: Math.max(0, newest - seen - ownUnseen), firstUnseen: firstOfOthers(seen, own) }
}

interface ReadingOptions {
  newest: number
  /** Number before the first post of the window. */
  start: number
  /** Number of its last post. */
  last: number
  own: ReadonlySet<number>
  /** Number of the last post that was seen in any window of the thread; null before the first. */
  lastSeen: number | null
  /** Stable. */
  onSeen: (number: number) => void
}

/** Tracks which of the arrived posts were seen: those whose first line came above the dock. */
export function useReading({ newest, start, last, own, lastSeen, onSeen }: ReadingOptions): Reading {
  const [baseline] = useState(newest)
  const seen = lastSeen ?? baseline
  useEffect(() => onSeen(seen), [onSeen, seen])
  const look = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return
    if (seen >= last) return
    const floor = bottomOfView()
    // Who goes to a later window passes those before it.
    let number = Math.max(seen, start)
    while (number < last) {
      const top = postElement(number + 1)?.getBoundingClientRect().top
      if (top === undefined || top > floor - FIRST_LINE) break
      number += 1
    }
    if (number !== seen) onSeen(number)
  })

  useEffect(() => {
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        look()
      })
    }
    later()
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later, { passive: true })
    document.addEventListener('visibilitychange', later)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
      document.removeEventListener('visibilitychange', later)
    }
  }, [last])

  return { baseline, ...unseenOf(seen, newest, own) }
}
