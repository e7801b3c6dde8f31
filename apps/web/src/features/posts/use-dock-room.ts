import { useEffect, type RefObject } from 'react'

/**
 * Below this difference, the visual viewport shrank for a toolbar or a zoom, not for a keyboard.
 */
const KEYBOARD_MIN = 120

/**
 * Sets the dock's height as a property, so that focused posts and scroll targets do not end up
 * behind it. Posts use it as scroll margin: with a scroll padding of the page, each key pressed in
 * the docked field would scroll the page. It also lifts the dock over a virtual keyboard where the
 * page is not resized for it (iOS). Properties are set by script, never as style attributes, which
 * the page's policy (CSP) forbids.
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
