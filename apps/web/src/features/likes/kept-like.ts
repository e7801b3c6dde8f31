/** A like that a visitor gave before logging in, stored in this tab until after the log-in. */
import { readStored, writeStored } from '../../lib/storage.ts'
import type { Likeable } from './like-marks.ts'

interface KeptLike {
  readonly of: Likeable
  /** Path and query of the page with its button. */
  readonly place: string
}

const KEY = 'likeWish'
/** Longer than it takes to register; an older like is no longer expected. */
const KEPT_MS = 3_600_000

export function keepLike(like: KeptLike): void {
  writeStored(KEY, JSON.stringify({ ...like, at: Date.now() }), 'sessionStorage')
}

export const forgetLike = (): void => writeStored(KEY, null, 'sessionStorage')

/** Returns the stored like of this page once, and removes it. */
export function takeLike(place: string): Likeable | null {
  try {
    const like = JSON.parse(readStored(KEY, 'sessionStorage') ?? 'null') as (KeptLike & { at: number }) | null
    return like !== null && like.place === place && Date.now() - like.at < KEPT_MS ? like.of : null
  } catch {
    return null
  } finally {
    forgetLike()
  }
}
