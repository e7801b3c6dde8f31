/**
 * Tells components what has changed in local storage (lib/storage.ts): browsers tell the other tabs
 * alone.
 */
type Listener = (isElsewhere: boolean) => void

const listeners = new Map<string, Set<Listener>>()

/**
 * Calls a listener when the value of a key has changed in this tab, by `announceStored`, or
 * elsewhere: in another tab, or with all of the storage.
 */
export function subscribeStored(key: string, listener: Listener): () => void {
  const here = listeners.get(key) ?? new Set()
  listeners.set(key, here.add(listener))
  const follow = (event: StorageEvent) => {
    if (event.key === key || event.key === null) listener(true)
  }
  addEventListener('storage', follow)
  return () => {
    here.delete(listener)
    removeEventListener('storage', follow)
  }
}

/** Tells the listeners of this tab that the value of a key has changed. */
export function announceStored(key: string): void {
  for (const listener of [...(listeners.get(key) ?? [])]) listener(false)
}
