import { useEffect, type RefObject } from 'react'

/** Below this much, the visual viewport shrank for a toolbar or a zoom, not for a keyboard. */
const KEYBOARD_MIN = 120

/**
 * Tells the posts how high the dock is, so that what gets the focus, or is scrolled to, does not end up behind it (as scroll
 * margins of theirs: a scroll padding of the page would make each key pressed in the docked field scroll the page), and lifts the dock over a virtual keyboard
 * where the page is not resized for it (iOS). Written as properties, never as style attributes: the page's policy.
 */
export function useDockRoom(dock: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = dock.current
    if (element === null) return
    const root = document.documentElement
    const room = new ResizeObserver(() => {
      root.style.setProperty('--dock-room', `${element.offsetHeight + 8}px`)
    })
    room.observe(element)
    const viewport = visualViewport
    const lift = () => {
      if (viewport === null) return
      const hidden = Math.round(innerHeight - viewport.height - viewport.offsetTop)
      element.style.bottom = hidden > KEYBOARD_MIN && viewport.scale === 1 ? `${hidden}px` : ''
      element.toggleAttribute('data-low', hidden > KEYBOARD_MIN && viewport.scale === 1)
    }
    viewport?.addEventListener('resize', lift)
    viewport?.addEventListener('scroll', lift)
    return () => {
      room.disconnect()
      root.style.removeProperty('--dock-room')
      viewport?.removeEventListener('resize', lift)
      viewport?.removeEventListener('scroll', lift)
    }
  }, [dock])
}
