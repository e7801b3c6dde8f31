/**
 * Tells components what has changed in local storage (lib/storage.ts): browsers tell the other tabs
 * alone, and no page that waits in the back/forward cache.
 */
import { readStored } from './storage.ts'

type Listener = (isElsewhere: boolean) => void

const listeners = new Map<string, Set<Listener>>()

/**
 * Calls a listener when the value of a key has changed in this tab, by `announceStored`, or
 * elsewhere: in another tab, with all of the storage, or while the page waited for Back.
 */
export function subscribeStored(key: string, listener: Listener): () => void {
  const here = listeners.get(key) ?? new Set()
  listeners.set(key, here.add(listener))
  const follow = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener(true)
  }
  let left: string | null | undefined
  const onHide = () => {
    left = readStored(key)
  }
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && readStored(key) !== left) listener(true)
  }
  addEventListener('storage', follow)
  addEventListener('pagehide', onHide)
  addEventListener('pageshow', onShow)
  return () => {
    here.delete(listener)
    removeEventListener('storage', follow)
    removeEventListener('pagehide', onHide)
    removeEventListener('pageshow', onShow)
  }
}

/** Tells the listeners of this tab that the value of a key has changed. */
export function announceStored(key: string): void {
  for (const listener of [...(listeners.get(key) ?? [])]) listener(false)
}
