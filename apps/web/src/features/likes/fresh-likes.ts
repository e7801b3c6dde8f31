/**
 * Corrects answers that are older than a like: the server updates a thread's counts once a second,
 * and an earlier request may be answered late. Without this, a fresh like would be missing from the
 * count on the next page.
 */
import type { QueryClient } from '@tanstack/react-query'
import { recount, type CountOf } from './replace-likes.ts'

/** The server's second, and a slow connection. */
const FRESH_MS = 10_000

interface FreshLike {
  readonly liked: boolean
  /** The server's count right after the like. */
  readonly likes: number
  readonly at: number
}

export class FreshLikes {
  #byId = new Map<string, FreshLike>()
  #now: () => number
  #stop: () => void

  /** Corrects what the client fetches until `close()`. */
  constructor(client: QueryClient, now: () => number = Date.now) {
    this.#now = now
    this.#stop = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
      if (this.#hasAny()) recount(client, event.query, this.#countOf)
    })
  }

  keep(id: string, liked: boolean, likes: number): void {
    this.#byId.set(id, { liked, likes, at: this.#now() })
  }

  close(): void {
    this.#stop()
  }

  #hasAny(): boolean {
    for (const [id, { at }] of this.#byId) if (Math.abs(this.#now() - at) >= FRESH_MS) this.#byId.delete(id)
    return this.#byId.size > 0
  }

  /** Others may have liked it since: a count that includes the like is kept. */
  #countOf: CountOf = (id, likes) => {
    const fresh = this.#byId.get(id)
    if (fresh === undefined) return likes
    return fresh.liked ? Math.max(likes, fresh.likes) : Math.min(likes, fresh.likes)
  }
}
