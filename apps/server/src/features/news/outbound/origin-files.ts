/** Files in which an origin says what it allows (robots.txt, tdmrep.json): asked for once a day, and kept as they were understood. */
import { LRUCache } from 'lru-cache'
import { NewsRefusal } from '../news.refusal.ts'

export interface OriginFilesOptions<T> {
  /** Where the file is on every origin. */
  readonly path: string
  /** Gets its text; null where there is none. */
  readonly ask: (url: URL) => Promise<string | null>
  readonly read: (text: string | null, url: URL) => T
  readonly now: () => number
}

const KEPT_MS = 24 * 3_600_000
/** Who could not be asked is asked again after this long; until then nothing of theirs is read. */
const FAILED_KEPT_MS = 5 * 60_000
/** Origins remembered; most files are a few kilobytes. */
const REMEMBERED = 500

interface Kept<T> {
  readonly file: Promise<T>
  until: number
}

/** Answers what the file of an address's origin says. */
export function createOriginFiles<T>({ path, ask, read, now }: OriginFilesOptions<T>): (url: URL) => Promise<T> {
  const kept = new LRUCache<string, Kept<T>>({ max: REMEMBERED })

  async function load(url: URL): Promise<T> {
    return read(await ask(url), url)
  }

  return ({ origin }) => {
    const known = kept.get(origin)
    if (known !== undefined && now() < known.until) return known.file
    const fresh: Kept<T> = { file: load(new URL(path, origin)), until: now() + KEPT_MS }
    kept.set(origin, fresh)
    fresh.file.catch((error: unknown) => {
      const wait = error instanceof NewsRefusal ? (error.retryAfterMs ?? 0) : 0
      fresh.until = now() + Math.max(wait, FAILED_KEPT_MS)
    })
    return fresh.file
  }
}
