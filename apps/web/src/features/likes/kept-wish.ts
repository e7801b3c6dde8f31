/** What somebody pressed before they were logged in, kept over the log-in in this tab. */
import { readStored, writeStored } from '../../lib/storage.ts'
import type { Likeable } from './like-marks.ts'

interface KeptWish {
  readonly of: Likeable
  /** Path and query of the page with its button. */
  readonly place: string
}

const KEY = 'likeWish'
/** Longer than opening an account takes; who comes back later than this has forgotten it themselves. */
const KEPT_MS = 3_600_000

export function keepWish(wish: KeptWish): void {
  writeStored(KEY, JSON.stringify({ ...wish, at: Date.now() }), 'sessionStorage')
}

export const forgetWish = (): void => writeStored(KEY, null, 'sessionStorage')

/** What was wished for at this place a while ago, and never again. */
export function takeWish(place: string): Likeable | null {
  try {
    const wish = JSON.parse(readStored(KEY, 'sessionStorage') ?? 'null') as (KeptWish & { at: number }) | null
    return wish !== null && wish.place === place && Date.now() - wish.at < KEPT_MS ? wish.of : null
  } catch {
    return null
  } finally {
    forgetWish()
  }
}
