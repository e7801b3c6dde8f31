/** Limits the share of a single source (an address or its network) in the counted tries. */
import { sourceOf, type Visitor } from '../../http/visitor.ts'
import { createLru } from '../../lib/lru.ts'

export type WriteKind = 'post' | 'thread'
/** All tries, or only the admitted ones. */
export type Counting = 'tries' | 'admitted'

export interface Sources {
  /**
   * Counts a try, or an admitted one. False when its source has used up its share of the last
   * minute.
   */
  counts(visitor: Visitor, what: Counting, kind: WriteKind): boolean
}

export interface SourcesOptions {
  readonly now: () => number
  /**
   * Maximum counted tries per source and minute, for each kind. Refused ones thus weigh at most a
   * tenth of it.
   */
  readonly triesPerMinute: (kind: WriteKind) => number
}

/** Sources kept in memory; each takes some 200 bytes. */
const REMEMBERED = 20_000
const MINUTE_MS = 60_000

interface Counted {
  minute: number
  tries: number
  /** Tries of the preceding minute. */
  before: number
}

export function createSources({ now, triesPerMinute }: SourcesOptions): Sources {
  const counted = createLru<string, Counted>(REMEMBERED)

  function recall(key: string, minute: number): Counted {
    const known = counted.get(key)
    if (known?.minute === minute) return known
    const before = known?.minute === minute - 1 ? known.tries : 0
    const fresh = { minute, tries: 0, before }
    counted.set(key, fresh)
    return fresh
  }

  return {
    counts({ origin }, what, kind) {
      const at = now()
      const source = recall(`${what} ${kind} ${sourceOf(origin.address)}`, Math.floor(at / MINUTE_MS))
      // The preceding minute counts in proportion to its overlap with the last 60 seconds, so that
      // the turn of a minute gives no extra share.
      const part = 1 - (at % MINUTE_MS) / MINUTE_MS
      if (source.tries + source.before * part >= triesPerMinute(kind)) return false
      source.tries += 1
      return true
    },
  }
}
