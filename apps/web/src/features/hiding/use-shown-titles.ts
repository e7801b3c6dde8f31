import { useEffect, useState } from 'react'
import { useNow } from '../../lib/clock.tsx'
import { hasSessionHint } from '../../lib/session-renewal.ts'
import { readStored } from '../../lib/storage.ts'

interface Titled {
  readonly title: string
}

const isShown = (): boolean => true

/**
 * A filter of threads by the titles that the visitor hides. Its script is loaded only where there
 * are rules, or where those of a member may come from another device.
 */
export function useShownTitles(): (thread: Titled) => boolean {
  const [filter, setFilter] = useState(() => isShown as (thread: Titled) => boolean)
  // Rules end while a list is open.
  const now = useNow()
  useEffect(() => {
    if (readStored('hiding') === null && !hasSessionHint()) return
    const list = new AbortController()
    import('./shown-titles.ts').then(
      ({ followTitles }) => followTitles((found) => setFilter(() => found), list.signal),
      // The list stays whole.
      () => {},
    )
    return () => list.abort()
  }, [now])
  return filter
}
