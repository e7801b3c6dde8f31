import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { askHeld, heldItems, noHeldItems, subscribeHeld, type ApprovedItem, type HeldItem } from './held.ts'
import { useSession } from '../accounts/use-session.ts'

/** The server sends no event for a decision: polled this often while something waits. */
const ASK_MS = 30_000

/**
 * The visitor's own held posts, or threads, of a place; without one, of all. A changed result of
 * `cueOf` causes a poll at once; `onApproved`, which must be stable, receives approved items.
 */
export function useHeld(
  kind: HeldItem['kind'],
  place: string | null,
  cueOf: (items: readonly HeldItem[]) => unknown,
  onApproved: (items: readonly ApprovedItem[]) => void,
): readonly HeldItem[] {
  const all = useSyncExternalStore(subscribeHeld, heldItems, noHeldItems)
  const { status, user } = useSession()
  // Items of members are hidden until the session is known.
  const me = status === 'in' ? user._id : null
  const items = useMemo(
    () => all.filter((item) => item.kind === kind && (place === null || item.place === place) && item.owner === me),
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
