/**
 * Finds banned words in texts. The time for a text does not depend on the number of words
 * (`word-automaton.ts`), and width, kana, spacing and look-alikes do not hide a word
 * (`fold-for-filter.ts`).
 */
import { foldForFilter, foldUnits, type FoldedUnits } from './fold-for-filter.ts'
import { createAutomaton, type Automaton, type AutomatonWord } from './word-automaton.ts'

export interface WordRule {
  /**
   * The banned word as typed by the administrator. A word that folds to nothing (only signs) is
   * ignored.
   */
  readonly word: string
  /**
   * Longer harmless words that contain it: the rule does not match an occurrence inside one of
   * them.
   */
  readonly allow?: readonly string[]
  /** A small non-negative integer: `survey` reports the matches of each group. 0 by default. */
  readonly group?: number
}

/** A span of a text; `start` and `end` are UTF-16 indices, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An occurrence in the raw text. */
export interface WordMatch extends Span {
  /** The word as written in the rule. */
  readonly word: string
}

/** Matches of one group's rules in a text. */
export interface GroupMatch {
  /** The first occurrence; of several at one place, the longest. */
  readonly first: WordMatch
  /** The union of all occurrences, in order; those that touch or overlap are merged. */
  readonly spans: readonly Span[]
}

export interface WordMatcher {
  /** The first occurrence (of several at one place, the longest), or null. */
  readonly find: (rawText: string) => WordMatch | null
  /**
   * Every occurrence, including overlapping ones, by start, longer ones first. Its time grows with
   * their number, unlike that of `survey`.
   */
  readonly findAll: (rawText: string) => WordMatch[]
  /** The matches of each group; null for a group without matches. */
  readonly survey: (rawText: string) => readonly (GroupMatch | null)[]
}

/** An occurrence in the folded text. */
interface Hit extends Span {
  readonly rule: number
}

const byPlace = (a: Hit, b: Hit): number => a.start - b.start || b.end - a.end || a.rule - b.rule

/**
 * A word of the automaton: its class is the rule's group, or the one after all groups for an
 * allowed word.
 */
interface Entry extends AutomatonWord {
  readonly rule: number
  /** The rule has allowed words, so occurrences must be compared with them. */
  readonly isGuarded: boolean
}

/** The places where words end in a text, and the automaton's state there. */
interface Places {
  readonly ends: number[]
  readonly states: number[]
}

export function createWordMatcher(rules: readonly WordRule[]): WordMatcher {
  const groups = rules.reduce((most, { group = 0 }) => Math.max(most, group + 1), 0)
  const { automaton, lengths } = build(rules, groups)

  /** Reads a text once. Returns null for a text without matches, as most are. */
  function read({ units, length }: FoldedUnits): Places | null {
    let places: Places | null = null
    let state = 0
    for (let i = 0; i < length; i += 1) {
      state = automaton.step(state, units[i]!)
      if (automaton.isEnd[state] === 0) continue
      places ??= { ends: [], states: [] }
      places.ends.push(i + 1)
      places.states.push(state)
    }
    return places
  }

  /**
   * Allowed words may end after the word they allow, so all of them are found before any occurrence
   * is checked.
   */
  function findAllowed({ ends, states }: Places): Allowed {
    const allowed = createAllowed()
    for (const [index, state] of states.entries()) {
      const end = ends[index]!
      automaton.search(state, groups, ({ rule, text }) => {
        allowed.add(rule, end - text.length, end)
        return false
      })
    }
    return allowed
  }

  /**
   * For each place, the rule of a group with the longest occurrence that ends there outside of
   * allowed words; -1 for none. Null for a text without any.
   */
  function findLongest({ ends, states }: Places, allowed: Allowed, group: number): Int32Array | null {
    let longest: Int32Array | null = null
    for (const [index, state] of states.entries()) {
      const end = ends[index]!
      automaton.search(state, group, ({ rule, text, isGuarded }) => {
        if (isGuarded && allowed.holds(rule, end - text.length, end)) return false
        longest ??= new Int32Array(ends.at(-1)! + 1).fill(-1)
        longest[end] = rule
        return true
      })
    }
    return longest
  }

  /**
   * The occurrence that begins first, and of those the longest, among the longest ones that end at
   * each place.
   */
  function findFirst(ending: Int32Array): Hit {
    let first: Hit = { rule: -1, start: Infinity, end: 0 }
    for (let end = ending.length - 1; end > 0; end -= 1) {
      const rule = ending[end]!
      if (rule >= 0 && end - lengths[rule]! < first.start) first = { rule, start: end - lengths[rule]!, end }
    }
    return first
  }

  /** The union of these occurrences, last span first. */
  function findSpans(ending: Int32Array): Span[] {
    const spans: { start: number; end: number }[] = []
    // Where the current span begins.
    let begin = Infinity
    for (let end = ending.length - 1; end > 0; end -= 1) {
      const rule = ending[end]!
      if (rule < 0) continue
      const start = end - lengths[rule]!
      // An occurrence that ends at or before the start of the current span starts a new one.
      if (end <= begin) spans.push({ start, end })
      else if (start < begin) spans.at(-1)!.start = start
      begin = Math.min(begin, start)
    }
    return spans
  }

  const toRaw = ({ offsets, ends }: FoldedUnits, { start, end }: Span): Span => ({
    start: offsets[start]!,
    end: ends[end - 1]!,
  })
  const toMatch = (folded: FoldedUnits, hit: Hit): WordMatch => ({ word: rules[hit.rule]!.word, ...toRaw(folded, hit) })

  /** The result of `findLongest` by group. */
  function readGroups(folded: FoldedUnits): (Int32Array | null)[] {
    const places = read(folded)
    if (places === null) return Array.from({ length: groups }, () => null)
    const allowed = findAllowed(places)
    return Array.from({ length: groups }, (_, group) => findLongest(places, allowed, group))
  }

  return {
    find(rawText) {
      const folded = foldUnits(rawText)
      const found = readGroups(folded).filter((longest) => longest !== null)
      const [first] = found.map(findFirst).toSorted(byPlace)
      return first === undefined ? null : toMatch(folded, first)
    },
    findAll(rawText) {
      const folded = foldUnits(rawText)
      const places = read(folded) ?? { ends: [], states: [] }
      const allowed = findAllowed(places)
      const hits: Hit[] = []
      for (const [index, state] of places.states.entries()) {
        const end = places.ends[index]!
        for (let group = 0; group < groups; group += 1) {
          automaton.search(state, group, ({ rule, text }) => {
            const start = end - text.length
            if (!allowed.holds(rule, start, end)) hits.push({ rule, start, end })
            return false
          })
        }
      }
      return hits.toSorted(byPlace).map((hit) => toMatch(folded, hit))
    },
    survey(rawText) {
      const folded = foldUnits(rawText)
      return readGroups(folded).map((longest) => {
        if (longest === null) return null
        const spans = findSpans(longest).toReversed()
        return { first: toMatch(folded, findFirst(longest)), spans: spans.map((span) => toRaw(folded, span)) }
      })
    },
  }
}

/** Occurrences of allowed words, by rule. */
interface Allowed {
  /** Must be called in the order of `end`. */
  add(rule: number, start: number, end: number): void
  /** Whether one of the rule's occurrences contains a span. */
  holds(rule: number, start: number, end: number): boolean
}

function createAllowed(): Allowed {
  /** An occurrence inside another one is dropped, so that starts increase with ends. */
  const byRule = new Map<number, { readonly start: number; readonly end: number }[]>()
  return {
    add(rule, start, end) {
      const spans = byRule.get(rule) ?? []
      if (spans.length === 0) byRule.set(rule, spans)
      if (spans.at(-1)?.end === end) return
      while (spans.length > 0 && spans.at(-1)!.start >= start) spans.pop()
      spans.push({ start, end })
    },
    holds(rule, start, end) {
      const spans = byRule.get(rule)
      if (spans === undefined) return false
      let [low, high] = [0, spans.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (spans[middle]!.end < end) low = middle + 1
        else high = middle
      }
      return low < spans.length && spans[low]!.start <= start
    },
  }
}

/** The automaton of all rules, and the length of each rule's folded word. */
function build(rules: readonly WordRule[], groups: number): { automaton: Automaton<Entry>; lengths: Int32Array } {
  const entries: Entry[] = []
  const lengths = new Int32Array(rules.length)
  for (const [rule, { word, allow = [], group = 0 }] of rules.entries()) {
    const { text } = foldForFilter(word)
    if (text === '') continue
    lengths[rule] = text.length
    // An allowed word that does not contain the banned one can never apply.
    const allowed = allow.map((longer) => foldForFilter(longer).text).filter((longer) => longer.includes(text))
    entries.push({ text, rule, class: group, isGuarded: allowed.length > 0 })
    for (const longer of allowed) entries.push({ text: longer, rule, class: groups, isGuarded: false })
  }
  return { automaton: createAutomaton(entries), lengths }
}
