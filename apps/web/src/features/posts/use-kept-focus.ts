import { useEffect, type RefObject } from 'react'

/**
 * A press beside the fields of the dock leaves the focus where it is. The dock changes its height
 * with the focus, and a button would move away before its click is registered.
 */
export function useKeptFocus(dock: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = dock.current
    if (element === null) return
    const onMouseDown = (event: MouseEvent) => {
      if (!(event.target as Element).matches('input, textarea')) event.preventDefault()
    }
    element.addEventListener('mousedown', onMouseDown)
    return () => element.removeEventListener('mousedown', onMouseDown)
  }, [dock])
}
