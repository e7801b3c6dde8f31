/**
 * Finds banned words in texts, so that the time for a text does not depend on how many words are banned (`word-automaton.ts`), and
 * neither width, kana, spacing nor look-alikes hide a word (`fold-for-filter.ts`).
 */
import { foldForFilter, foldUnits, type FoldedUnits } from './fold-for-filter.ts'
import { createAutomaton, type Automaton, type AutomatonWord } from './word-automaton.ts'

export interface WordRule {
  /** The banned word as the moderator typed it. One that folds to nothing (only signs) is ignored. */
  readonly word: string
  /** Longer harmless words that contain it: the rule does not fire on an occurrence inside one of them. */
  readonly allow?: readonly string[]
  /** A small number from 0 up: `survey` tells what the rules of each group found. 0 unless given. */
  readonly group?: number
}

/** A span of a text; `start` and `end` are UTF-16 indices, `end` exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An occurrence; where it is in the raw text. */
export interface WordMatch extends Span {
  /** The word as the rule has it. */
  readonly word: string
}

/** What the rules of one group found in a text. */
export interface GroupMatch {
  /** Of the first occurrence, the longest of several at one place. */
  readonly first: WordMatch
  /** What all occurrences cover, in order; those that touch or overlap are one. */
  readonly spans: readonly Span[]
}

export interface WordMatcher {
  /** The first occurrence (of several at one place the longest), or null. */
  readonly find: (rawText: string) => WordMatch | null
  /** Every occurrence, overlapping ones too, by start, longer ones first. Takes as long as there are such: `survey` does not. */
  readonly findAll: (rawText: string) => WordMatch[]
  /** By group, what its rules found; null for nothing. */
  readonly survey: (rawText: string) => readonly (GroupMatch | null)[]
}

/** An occurrence in the folded text. */
interface Hit extends Span {
  readonly rule: number
}

const byPlace = (a: Hit, b: Hit): number => a.start - b.start || b.end - a.end || a.rule - b.rule

/** A word of the automaton: its class is the rule's group, or the one behind all groups for an allowed word. */
interface Entry extends AutomatonWord {
  readonly rule: number
  /** The rule has allowed words, against which an occurrence has to be held. */
  readonly isGuarded: boolean
}

/** Where words end in a text, and in what state the automaton was there. */
interface Places {
  readonly ends: number[]
  readonly states: number[]
}

export function createWordMatcher(rules: readonly WordRule[]): WordMatcher {
  const groups = rules.reduce((most, { group = 0 }) => Math.max(most, group + 1), 0)
  const { automaton, lengths } = build(rules, groups)

  /** Reads a text once. Null when nothing was found, as in most texts. */
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

  /** Allowed words stand to the right of what they allow as well, so all of them are found before any word is judged. */
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

  /** For each place, the rule of a group whose occurrence there is the longest that no allowed word holds; -1 for none. Null for nothing. */
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

  /** Of the longest occurrences that end at each place, the one that begins first, and then the longest. */
  function findFirst(ending: Int32Array): Hit {
    let first: Hit = { rule: -1, start: Infinity, end: 0 }
    for (let end = ending.length - 1; end > 0; end -= 1) {
      const rule = ending[end]!
      if (rule >= 0 && end - lengths[rule]! < first.start) first = { rule, start: end - lengths[rule]!, end }
    }
    return first
  }

  /** What these occurrences cover, the last span first. */
  function findSpans(ending: Int32Array): Span[] {
    const spans: { start: number; end: number }[] = []
    // Where the last of them begins.
    let begin = Infinity
    for (let end = ending.length - 1; end > 0; end -= 1) {
      const rule = ending[end]!
      if (rule < 0) continue
      const start = end - lengths[rule]!
      // What ends where it begins, or before, is a span of its own.
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

  /** By group, what `findLongest` finds. */
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

/** Occurrences of allowed words, by the rule that has them. */
interface Allowed {
  /** Takes them in the order of their ends. */
  add(rule: number, start: number, end: number): void
  /** Whether one of the rule's holds a span. */
  holds(rule: number, start: number, end: number): boolean
}

function createAllowed(): Allowed {
  /** Those that another one holds, which ends where it does or later and begins no later, are left out: so starts rise with ends. */
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
    // An allowed word without the banned one in it can never apply.
    const allowed = allow.map((longer) => foldForFilter(longer).text).filter((longer) => longer.includes(text))
    entries.push({ text, rule, class: group, isGuarded: allowed.length > 0 })
    for (const longer of allowed) entries.push({ text: longer, rule, class: groups, isGuarded: false })
  }
  return { automaton: createAutomaton(entries), lengths }
}
