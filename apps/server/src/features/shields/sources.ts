/** Where tries to write come from: no single place counts for more than its share. */
import { sourceOf, type Visitor } from '../../http/visitor.ts'
import type { Counting, WriteKind } from './write-counts.ts'
import { createLru } from '../../lib/lru.ts'

export interface Sources {
  /** Counts a try, or an admitted one. False when its source has had its share of this minute. */
  counts(visitor: Visitor, what: Counting, kind: WriteKind): boolean
}

export interface SourcesOptions {
  readonly now: () => number
  /** Tries of one source that count within a minute; so many that are refused are a tenth of its share. */
  readonly triesPerMinute: (kind: WriteKind) => number
}

/** Sources remembered; one is some 200 bytes. */
const REMEMBERED = 20_000
const MINUTE_MS = 60_000

interface Counted {
  minute: number
  tries: number
  /** Tries of the minute before. */
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
      // What is left of the minute before counts in part, so that nothing is gained around the turn of a minute.
      const part = 1 - (at % MINUTE_MS) / MINUTE_MS
      if (source.tries + source.before * part >= triesPerMinute(kind)) return false
      source.tries += 1
      return true
    },
  }
}
