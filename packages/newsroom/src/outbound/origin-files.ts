/**
 * Files in which an origin states what it allows (robots.txt, tdmrep.json): requested once a day,
 * and cached in parsed form.
 */
import { LRUCache } from 'lru-cache'
import { NewsRefusal } from '../news-refusal.ts'

export interface OriginFilesOptions<T extends { readonly size: number }> {
  /** Path of the file on every origin. */
  readonly path: string
  /** Fetches its text; null where it does not exist. */
  readonly ask: (url: URL) => Promise<string | null>
  /** Parses it; `size` is the approximate memory of the result in bytes. */
  readonly read: (text: string | null, url: URL) => T
  readonly now: () => number
}

const KEPT_MS = 24 * 3_600_000
/** A failed request is repeated after this long; until then nothing of the origin is read. */
const FAILED_KEPT_MS = 5 * 60_000
/**
 * Cached origins. Most files are a few kilobytes, but somebody may own hundreds of origins with
 * files of maximum size.
 */
const REMEMBERED = 500
const REMEMBERED_BYTES = 20_000_000
/** Memory of an entry besides its file. */
const ENTRY_BYTES = 500

interface Kept<T> {
  readonly file: Promise<T>
  until: number
}

/** Returns the parsed file of an address's origin. */
export function createOriginFiles<T extends { readonly size: number }>({
  path,
  ask,
  read,
  now,
}: OriginFilesOptions<T>): (url: URL) => Promise<T> {
  const kept = new LRUCache<string, Kept<T>>({ max: REMEMBERED, maxSize: REMEMBERED_BYTES })

  return ({ origin }) => {
    const known = kept.get(origin)
    if (known !== undefined && now() < known.until) return known.file
    const url = new URL(path, origin)
    const fresh: Kept<T> = { file: ask(url).then((text) => read(text, url)), until: now() + KEPT_MS }
    kept.set(origin, fresh, { size: ENTRY_BYTES })
    fresh.file.then(
      ({ size }) => {
        // The size is known only now, and the cache accepts it only with a new entry. An entry that
        // was requested again meanwhile stays.
        if (kept.peek(origin) !== fresh) return
        kept.delete(origin)
        kept.set(origin, fresh, { size: ENTRY_BYTES + size })
      },
      (error: unknown) => {
        const wait = error instanceof NewsRefusal ? (error.retryAfterMs ?? 0) : 0
        fresh.until = now() + Math.max(wait, FAILED_KEPT_MS)
      },
    )
    return fresh.file
  }
}
