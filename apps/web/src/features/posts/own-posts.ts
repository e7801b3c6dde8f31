/**
 * Which anonymous posts this browser wrote, and which threads it opened, by their ids. Nobody else knows: the server ties no anonymous post to another.
 * Subscribable, for useSyncExternalStore; empty on the server and while hydrating.
 */
import type { Post } from '@shinobi/contract/posts'
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

/** An id of a post, or of a thread, whose post 1 is the own one then. */
export function rememberOwn(id: string): void {
  // Another tab may have added its own since.
  const next = [...load(), id].slice(-MAX)
  known = new Set(next)
  writeStored(KEY, JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Whether a post is this browser's, or the member's who is logged in (`me`). */
export const isOwnPost = (own: ReadonlySet<string>, me: string | undefined, post: Post): boolean =>
  own.has(post._id) || (post.number === 1 && own.has(post.threadId)) || (me !== undefined && post.userId === me)

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
