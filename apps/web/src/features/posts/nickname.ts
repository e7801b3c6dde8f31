/**
 * The name under which an anonymous visitor writes in a thread. Stored for the tab, under the key
 * that visitors' scripts use, and for the whole browser, so that a second tab has it and a
 * dismissed question is not asked again.
 * Subscribable, for useSyncExternalStore.
 */
import { NAMELESS } from '@shinobi/contract/nameless'
import { readStored, writeStored } from '../../lib/storage.ts'

/** A name; NAMELESS for none; null: the question was dismissed; undefined: not asked yet. */
export type ChosenName = string | null | undefined

const KEY = 'threadNames'
/** About 20 kB of local storage; the oldest entries are dropped first. */
const MAX = 300

const tabKey = (threadId: string) => `anonymousNickname-${threadId}`
const listeners = new Set<() => void>()

type Entry = readonly [threadId: string, name: string | null]

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) && typeof entry[0] === 'string' && (typeof entry[1] === 'string' || entry[1] === null)

let known: ReadonlyMap<string, string | null> | null = null

function load(): ReadonlyMap<string, string | null> {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return new Map(Array.isArray(stored) ? stored.filter(isEntry) : [])
  } catch {
    // Unreadable data: the visitor is asked once more.
    return new Map()
  }
}

export function chosenName(threadId: string): ChosenName {
  known ??= load()
  return known.get(threadId) ?? readStored(tabKey(threadId), 'sessionStorage') ?? known.get(threadId)
}

/** Stores a name, or null when the question was dismissed. */
export function chooseName(threadId: string, name: string | null): void {
  // Another tab may have added an entry since.
  const others = [...load()].filter(([id]) => id !== threadId)
  const entries: Entry[] = [...others, [threadId, name] as const].slice(-MAX)
  known = new Map(entries)
  writeStored(KEY, JSON.stringify(entries))
  if (name !== null) writeStored(tabKey(threadId), name, 'sessionStorage')
  for (const listener of listeners) listener()
}

/** Names used in other threads, the latest first. */
export function namesElsewhere(threadId: string, max: number): string[] {
  const names = [...load()].flatMap(([id, name]) =>
    id === threadId || name === null || name === NAMELESS ? [] : [name],
  )
  return [...new Set(names.toReversed())].slice(0, max)
}

export function subscribeNames(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return
    known = null
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
