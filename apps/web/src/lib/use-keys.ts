import { useEffect, useLayoutEffect, useRef } from 'react'

/** By the key as typed, letters in lower case. */
export type KeyMap = Readonly<Record<string, (() => void) | undefined>>

/**
 * Single keys of a screen. Not while something is typed or converted, with another key held, or under a dialog: a decision must never
 * be an accident.
 */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('input, textarea, select, [contenteditable]') != null) return
      if (document.querySelector('dialog[open]') !== null) return
      // Enter on a button or a link is a press of it.
      if (event.key === 'Enter' && target?.closest('button, a, summary') != null) return
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
