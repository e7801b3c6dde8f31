import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { holdPost } from './scroll-to-post.ts'

/** 実況: the view follows the newest post until the reader touches the page, and waits then. */
export type Following = 'off' | 'on' | 'paused'

interface FollowingOptions {
  isOn: boolean
  /** Number of the last post in the window. */
  last: number
  /** Makes the window reach the newest post. */
  onStart: () => void
  /** The reader wants to look at something else. */
  onPause: () => void
}

/** Keeps the newest post right above the dock, without animation. */
export function useFollowing({ isOn, last, onStart, onPause }: FollowingOptions): void {
  const start = useEffectEvent(onStart)
  const pause = useEffectEvent(onPause)
  const place = useEffectEvent(() => holdPost(last, 'end'))

  useEffect(() => {
    if (isOn) start()
  }, [isOn])

  useLayoutEffect(() => {
    if (isOn) place()
  }, [isOn, last])

  useEffect(() => {
    if (!isOn) return
    const again = () => void place()
    const onTouch = (event: Event) => {
      if (isReading(event)) pause()
    }
    // The dock grows while a post is written, and a keyboard on the screen makes the page lower.
    const observer = new ResizeObserver(again)
    const dock = document.getElementById('dock')
    if (dock !== null) observer.observe(dock)
    addEventListener('resize', again)
    for (const type of TOUCHES) addEventListener(type, onTouch, { passive: true, capture: true })
    return () => {
      observer.disconnect()
      removeEventListener('resize', again)
      for (const type of TOUCHES) removeEventListener(type, onTouch, { capture: true })
    }
  }, [isOn])
}

/**
 * What a reader scrolls with; a press on the scrollbar is a `pointerdown` as well. The position of
 * the page tells nothing: late layout and another window of posts move it too.
 */
const TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const

/** Whether an event is about the posts: not about writing one, and not in a dialog. */
function isReading(event: Event): boolean {
  const at = event.target instanceof Element ? event.target : document.body
  if (at.closest('dialog') !== null) return false
  if (event.type === 'wheel') return at.closest('textarea') === null
  if (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Shift')) {
    return false
  }
  return at.closest('[data-dock], input, textarea, select') === null
}
