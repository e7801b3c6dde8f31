/** Files in which an origin says what it allows (robots.txt, tdmrep.json): asked for once a day, and kept as they were understood. */
import { LRUCache } from 'lru-cache'
import { NewsRefusal } from '../news-refusal.ts'

export interface OriginFilesOptions<T extends { readonly size: number }> {
  /** Where the file is on every origin. */
  readonly path: string
  /** Gets its text; null where there is none. */
  readonly ask: (url: URL) => Promise<string | null>
  /** What it says, with about how many bytes that takes to keep. */
  readonly read: (text: string | null, url: URL) => T
  readonly now: () => number
}

const KEPT_MS = 24 * 3_600_000
/** Who could not be asked is asked again after this long; until then nothing of theirs is read. */
const FAILED_KEPT_MS = 5 * 60_000
/** Origins remembered; most files are a few kilobytes. Some are as long as may be, and somebody may have hundreds of such. */
const REMEMBERED = 500
const REMEMBERED_BYTES = 20_000_000
/** What is remembered of an origin besides its file. */
const ENTRY_BYTES = 500

interface Kept<T> {
  readonly file: Promise<T>
  until: number
}

/** Answers what the file of an address's origin says. */
export function createOriginFiles<T extends { readonly size: number }>({
  path,
  ask,
  read,
  now,
}: OriginFilesOptions<T>): (url: URL) => Promise<T> {
  const kept = new LRUCache<string, Kept<T>>({ max: REMEMBERED, maxSize: REMEMBERED_BYTES })

  async function load(url: URL): Promise<T> {
    return read(await ask(url), url)
  }

  return ({ origin }) => {
    const known = kept.get(origin)
    if (known !== undefined && now() < known.until) return known.file
    const fresh: Kept<T> = { file: load(new URL(path, origin)), until: now() + KEPT_MS }
    kept.set(origin, fresh, { size: ENTRY_BYTES })
    fresh.file.then(
      ({ size }) => {
        // Its size is known only now; the cache takes it only with what is new to it. What was asked for again meanwhile stays.
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
