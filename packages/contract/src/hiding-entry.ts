/**
 * What a reader does not want to see (NG), as the devices of a member tell each other, and how what
 * two of them know becomes one. Free of zod, because the browser loads it.
 */
import { HIDING_TEXT } from './limits.ts'

export const RULE_KINDS = ['word', 'pattern', 'id', 'name', 'title', 'domain', 'image'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

/** What a rule is about. Two rules about the same are one rule. */
export interface HidingTarget {
  readonly kind: RuleKind
  /** A word, an RE2 pattern, an ID, a name, a domain, or the hexadecimal SHA-256 of a picture. */
  readonly text: string
  /** The only thread it is for; null for all. */
  readonly threadId: string | null
}

export interface HidingTraits {
  /** Whether answers to what it hides are hidden too. */
  readonly chain: boolean
  /** Whether no line is shown in place of what it hides. */
  readonly traceless: boolean
  /** Milliseconds since 1970; null for a rule without an end. */
  readonly endsAt: number | null
}

/** A rule, or that there is none any more: then it has no traits. */
export interface HidingEntry extends HidingTarget {
  readonly traits: HidingTraits | null
  /** When it was made or removed, in milliseconds since 1970. */
  readonly changedAt: number
}

/** The same text for the same target. */
export const targetKey = ({ kind, text, threadId }: HidingTarget): string => JSON.stringify([kind, text, threadId])

const traitsKey = ({ traits }: HidingEntry): string =>
  traits === null ? 'removed' : JSON.stringify([traits.chain, traits.traceless, traits.endsAt])

export const isSameEntry = (one: HidingEntry, other: HidingEntry): boolean =>
  targetKey(one) === targetKey(other) && one.changedAt === other.changedAt && traitsKey(one) === traitsKey(other)

/**
 * The newer one of two entries about the same. Of two of one moment a removal counts, then what is
 * later in an order that all devices share.
 */
export function laterEntry<Entry extends HidingEntry>(one: Entry, other: Entry): Entry {
  if (one.changedAt !== other.changedAt) return one.changedAt > other.changedAt ? one : other
  return traitsKey(one) >= traitsKey(other) ? one : other
}

/** What two devices know together, in either order: of each target the newest change. */
export function mergeHiding(one: readonly HidingEntry[], other: readonly HidingEntry[]): readonly HidingEntry[] {
  const merged = new Map<string, HidingEntry>()
  for (const entry of [...one, ...other]) {
    const key = targetKey(entry)
    const before = merged.get(key)
    merged.set(key, before === undefined ? entry : laterEntry(before, entry))
  }
  return [...merged.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}

/** The entry at a moment: a rule that has ended is removed. */
export const asOf = (entry: HidingEntry, now: number): HidingEntry =>
  (entry.traits?.endsAt ?? Infinity) > now ? entry : { ...entry, traits: null }

/** NUL and halves of surrogate pairs cannot be stored by PostgreSQL. */
const UNSTORABLE = /[\0\p{Surrogate}]/u
const utf8 = new TextEncoder()

/** Whether the server can store a text of a rule. */
export const isStorableText = (text: string): boolean =>
  text !== '' && utf8.encode(text).length <= HIDING_TEXT.maxBytes && !UNSTORABLE.test(text)
