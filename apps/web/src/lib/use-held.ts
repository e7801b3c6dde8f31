import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { askHeld, heldItems, noHeldItems, subscribeHeld, type HeldItem } from './held.ts'
import { useSession } from './use-session.ts'

/** Nobody tells a visitor that a moderator decided, unless the real one appears: asked this often while something waits. */
const ASK_MS = 30_000

/**
 * The own posts, or threads, of a place that wait for a moderator. What `cueOf` answers changes whenever it is worth asking at once;
 * `onApproved`, which stays the same, hears what was let through.
 */
export function useHeld(
  kind: HeldItem['kind'],
  place: string,
  cueOf: (items: readonly HeldItem[]) => unknown,
  onApproved: (items: readonly HeldItem[]) => void,
): readonly HeldItem[] {
  const all = useSyncExternalStore(subscribeHeld, heldItems, noHeldItems)
  const { status, user } = useSession()
  // Whose the others are is not known before the session is.
  const me = status === 'in' ? user._id : null
  const items = useMemo(
    () => all.filter((item) => item.kind === kind && item.place === place && item.owner === me),
    [all, kind, place, me],
  )
  const cue = cueOf(items)
  const waits = items.some(({ status }) => status === 'waiting')
  useEffect(() => {
    if (!waits) return
    const ask = () =>
      void askHeld(items).then((approved) => {
        if (approved.length > 0) onApproved(approved)
      })
    ask()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') ask()
    }, ASK_MS)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [waits, items, cue, onApproved])
  return items
}
