import { useEffect, type RefObject } from 'react'

/** A press that ends without a click, as a drag does, is over after this time. */
const CLICK_WITHIN_MS = 500

interface Row {
  /** Marked as `data-held` during a press, with what has the focus: field or tools. */
  row: RefObject<HTMLElement | null>
  field: RefObject<HTMLElement | null>
  tools: RefObject<HTMLElement | null>
}

/**
 * Keeps the open row of the composer open while something else is pressed. The press takes the
 * focus away: at the end of the page, a row that closes then moves the pressed link from under the
 * pointer, and there is no click.
 */
export function useHeldOpen({ row, field, tools }: Row): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const release = () => {
      clearTimeout(timer)
      row.current?.removeAttribute('data-held')
    }
    const releaseAfter = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(release, ms)
    }
    const onDown = () => {
      release()
      const focused = document.activeElement
      if (focused === field.current) row.current?.setAttribute('data-held', 'field')
      else if (tools.current?.contains(focused) === true) row.current?.setAttribute('data-held', 'tools')
    }
    const onUp = () => releaseAfter(CLICK_WITHIN_MS)
    const onClick = () => releaseAfter(0)
    document.addEventListener('pointerdown', onDown, { capture: true })
    document.addEventListener('pointerup', onUp, { capture: true })
    document.addEventListener('pointercancel', release, { capture: true })
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      release()
      document.removeEventListener('pointerdown', onDown, { capture: true })
      document.removeEventListener('pointerup', onUp, { capture: true })
      document.removeEventListener('pointercancel', release, { capture: true })
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [row, field, tools])
}
