import { useEffect, useState } from 'react'
import { readStored } from '../../lib/storage.ts'

interface Titled {
  readonly title: string
}

const isShown = (): boolean => true

/**
 * A filter of threads by the titles that the visitor hides. Its script is loaded only where there
 * are rules.
 */
export function useShownTitles(): (thread: Titled) => boolean {
  const [filter, setFilter] = useState(() => isShown as (thread: Titled) => boolean)
  useEffect(() => {
    if (readStored('hiding') === null) return
    import('./shown-titles.ts')
      .then(({ createTitleFilter }) => createTitleFilter())
      .then(
        (found) => setFilter(() => found),
        // The list stays whole.
        () => {},
      )
  }, [])
  return filter
}
