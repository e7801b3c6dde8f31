import { useLayoutEffect, useRef } from 'react'
import { rootAttribute } from './root-attributes.ts'
import { isImeKey } from './ime-key.ts'

/**
 * Actions by key as typed, letters in lower case. One that returns false has nothing to do: the key
 * is left to others.
 */
export type KeyMap = Readonly<Record<string, (() => unknown) | undefined>>

/**
 * Shortcuts with a single key. Ignored while the visitor types or composes text, holds a modifier
 * or has a dialog open, so that no decision is made by accident, and where the visitor switched
 * them off under 表示 (`data-keys`). `first` is a press from before this was mounted.
 */
export function useKeys(keys: KeyMap, first?: KeyboardEvent): void {
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  // Before the screen shows what the keys are for.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isImeKey(event)) return
      if (rootAttribute('keys') === 'off') return
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      // Signs such as ? need Shift.
      if (event.shiftKey && /^[a-z]$/i.test(event.key)) return
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('input, textarea, select, [contenteditable], [role=dialog]') != null) return
      if (document.querySelector('dialog[open]') !== null) return
      // Enter on a button or a link activates that.
      if (event.key === 'Enter' && target?.closest('button, a, summary') != null) return
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (act !== undefined && act() !== false) event.preventDefault()
    }
    if (first !== undefined) onKeyDown(first)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [first])
}
