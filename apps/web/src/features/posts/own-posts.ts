/**
 * Which anonymous posts this browser wrote. Nobody else knows: the server ties no anonymous post to another (DESIGN §4).
 * Subscribable, for useSyncExternalStore; empty on the server and while hydrating.
 */
import { readStored, writeStored } from '../../lib/storage.ts'

const KEY = 'ownPosts'
/** About 20 kB of local storage; older marks go first. */
const MAX = 500

const listeners = new Set<() => void>()
const NONE: ReadonlySet<string> = new Set()
let known: ReadonlySet<string> | null = null

function load(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    if (Array.isArray(stored)) return new Set(stored.filter((id) => typeof id === 'string'))
  } catch {
    // Broken: nothing is marked.
  }
  return NONE
}

export function ownPosts(): ReadonlySet<string> {
  known ??= load()
  return known
}

export const noOwnPosts = (): ReadonlySet<string> => NONE

export function rememberOwnPost(id: string): void {
  // Another tab may have added its own since.
  const next = [...load(), id].slice(-MAX)
  known = new Set(next)
  writeStored(KEY, JSON.stringify(next))
  for (const listener of listeners) listener()
}

export function subscribeOwnPosts(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY) return
    known = null
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
