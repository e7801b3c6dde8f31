import type { ThreadItem } from '@shinobi/contract/threads'
import { useCallback, useEffect, useState } from 'react'

type Counts = ReadonlyMap<string, number>

const NONE: Counts = new Map()

/**
 * 未読順: puts threads with the most unread posts first, and leaves the others in their order. Each
 * thread is looked up once, so that no row moves while somebody reads the list.
 */
export function useUnreadFirst(
  wanted: boolean,
  threads: readonly ThreadItem[] | undefined,
): (items: readonly ThreadItem[]) => readonly ThreadItem[] {
  const [counts, setCounts] = useState(NONE)
  useEffect(() => {
    const unknown = wanted ? threads?.filter(({ _id }) => !counts.has(_id)) : []
    if (unknown === undefined || unknown.length === 0) return
    let left = false
    import('./count-unread.ts')
      .then(({ countUnread }) => countUnread(unknown))
      .then(
        (found) => left || setCounts(new Map([...counts, ...found])),
        // The list stays in the order of the last posts.
        () => {},
      )
    return () => {
      left = true
    }
  }, [wanted, threads, counts])
  return useCallback(
    (items) => (wanted ? items.toSorted((a, b) => (counts.get(b._id) ?? 0) - (counts.get(a._id) ?? 0)) : items),
    [wanted, counts],
  )
}
