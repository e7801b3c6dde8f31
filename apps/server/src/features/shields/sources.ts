/**
 * Limits the share of a single source (an address or its network) in the counted tries, and finds
 * the sources whose newcomers write more than that.
 */
import { isLoopback, sourceOf, type Visitor } from '../../http/visitor.ts'
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
  /** Counts an admitted text of a newcomer, however many there were. */
  noteNewcomer(visitor: Visitor, kind: WriteKind): void
  /** The step at which raid mode treats the newcomers of a source, wherever they write. */
  stepOf(visitor: Visitor, kind: WriteKind): SourceStep
}

/** 0, or the step of a proof, or the one at which texts are held. */
export type SourceStep = 0 | 2 | 3

export interface SourcesOptions {
  readonly now: () => number
  /**
   * Maximum counted tries per source and minute, for each kind. Refused ones thus weigh at most a
   * tenth of it.
   */
  readonly triesPerMinute: (kind: WriteKind) => number
}

/**
 * Shares after which texts of a source's newcomers are held: as many in a minute as raise the first
 * step of a whole category. One share asks for a proof, which visitors do not notice.
 */
const SHARES_HELD = 2

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

  const find = ({ origin }: Visitor, what: Counting | 'newcomers', kind: WriteKind): Counted =>
    recall(`${what} ${kind} ${sourceOf(origin.address)}`, Math.floor(now() / MINUTE_MS))

  /**
   * The preceding minute counts in proportion to its overlap with the last 60 seconds, so that the
   * turn of a minute gives no extra share.
   */
  const sharesOf = ({ tries, before }: Counted, kind: WriteKind): number =>
    (tries + before * (1 - (now() % MINUTE_MS) / MINUTE_MS)) / triesPerMinute(kind)

  return {
    counts(visitor, what, kind) {
      const source = find(visitor, what, kind)
      if (sharesOf(source, kind) >= 1) return false
      source.tries += 1
      return true
    },
    noteNewcomer(visitor, kind) {
      find(visitor, 'newcomers', kind).tries += 1
    },
    stepOf(visitor, kind) {
      // Loopback is the operator, or everybody behind a proxy that TRUST_PROXY does not name.
      if (isLoopback(visitor.origin.address)) return 0
      const shares = sharesOf(find(visitor, 'newcomers', kind), kind)
      if (shares >= SHARES_HELD) return 3
      return shares >= 1 ? 2 : 0
    },
  }
}
