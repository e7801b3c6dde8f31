/**
 * An Aho–Corasick automaton in flat arrays: for every unit of a text it finds the longest words
 * that end there. The time depends neither on the number of words nor on how many of them end at
 * one place.
 */

/**
 * A word of the automaton. Words have classes; for each class, a search returns the longest word
 * that ends at a place first.
 */
export interface AutomatonWord {
  readonly text: string
  /** A small non-negative integer. */
  readonly class: number
}

export interface Automaton<W extends AutomatonWord> {
  /** The state after a unit. State 0 is the start. */
  step(state: number, unit: number): number
  /** 1 where a word ends; 0 at most states, which need no search. */
  readonly isEnd: Uint8Array
  /**
   * Calls `visit` for the words of a class that end at a state, longest first, until it returns
   * true.
   */
  search(state: number, wanted: number, visit: (word: W) => boolean): void
}

export function createAutomaton<W extends AutomatonWord>(words: readonly W[]): Automaton<W> {
  const classes = words.reduce((most, word) => Math.max(most, word.class + 1), 0)
  const { states, parents, units, heads, ending, childOf } = createTrie(words)

  /** State of the longest proper suffix of each state. */
  const fallbacks = new Int32Array(states)
  function step(from: number, unit: number): number {
    for (let state = from; state !== 0; state = fallbacks[state]!) {
      const child = childOf(state, unit)
      if (child !== 0) return child
    }
    return heads[unit]!
  }

  const isEnd = new Uint8Array(states)
  /**
   * For each class and state, the nearest state along the fallbacks, including itself, at which a
   * word of the class ends; 0 for none.
   */
  const nearest = Array.from({ length: classes }, () => new Int32Array(states))
  for (const state of inLevels(parents, states)) {
    const parent = parents[state]!
    const fallback = parent === 0 ? 0 : step(fallbacks[parent]!, units[state]!)
    fallbacks[state] = fallback
    isEnd[state] = isEnd[fallback]!
    for (const column of nearest) column[state] = column[fallback]!
    for (const word of ending[state] ?? []) {
      nearest[word.class]![state] = state
      isEnd[state] = 1
    }
  }

  return {
    step,
    isEnd,
    search(from, wanted, visit) {
      const column = nearest[wanted]
      if (column === undefined) return
      for (let state = column[from]!; state !== 0; state = column[fallbacks[state]!]!) {
        for (const word of ending[state]!) if (word.class === wanted && visit(word)) return
      }
    },
  }
}

interface Trie<W> {
  readonly states: number
  readonly parents: Int32Array
  /** The unit of the edge from its parent to each state. */
  readonly units: Uint16Array
  /** Children of state 0 by unit; most units of a text are read there. */
  readonly heads: Int32Array
  /** Words by the state at which they end, in the given order. */
  readonly ending: readonly (readonly W[] | undefined)[]
  /** The child of a state; 0 for none. */
  childOf(state: number, unit: number): number
}

function createTrie<W extends AutomatonWord>(words: readonly W[]): Trie<W> {
  let parents = new Int32Array(1_024)
  let units = new Uint16Array(1_024)
  /**
   * Children by parent and unit: a hash table with open addressing, half empty. 0 marks a free
   * slot, because no edge leads to state 0.
   */
  let children = new Int32Array(4 * parents.length)
  const heads = new Int32Array(0x10000)
  const ending: W[][] = []
  let states = 1

  /** The slot of a state's child in the table, or the free slot for it. */
  function placeOf(state: number, unit: number): number {
    const mask = children.length - 1
    let place = (Math.imul(state, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7
    for (;;) {
      place &= mask
      const child = children[place]!
      if (child === 0 || (parents[child] === state && units[child] === unit)) return place
      place += 1
    }
  }

  function grow(): void {
    const [before, led] = [parents, units]
    parents = new Int32Array(2 * before.length)
    units = new Uint16Array(2 * before.length)
    parents.set(before)
    units.set(led)
    children = new Int32Array(4 * parents.length)
    for (let state = 1; state < states; state += 1) children[placeOf(parents[state]!, units[state]!)] = state
  }

  function makeChild(parent: number, unit: number): number {
    if (states === parents.length) grow()
    parents[states] = parent
    units[states] = unit
    children[placeOf(parent, unit)] = states
    if (parent === 0) heads[unit] = states
    states += 1
    return states - 1
  }

  const childOf = (state: number, unit: number): number => children[placeOf(state, unit)]!
  for (const word of words) {
    let state = 0
    for (let i = 0; i < word.text.length; i += 1) {
      const unit = word.text.charCodeAt(i)
      state = childOf(state, unit) || makeChild(state, unit)
    }
    ;(ending[state] ??= []).push(word)
  }
  return { states, parents, units, heads, ending, childOf }
}

/** All states but 0, shorter ones first, because a fallback is shorter than its state. */
function inLevels(parents: Int32Array, states: number): Int32Array {
  const depths = new Int32Array(states)
  const perDepth: number[] = [0]
  // A state is created after its parent.
  for (let state = 1; state < states; state += 1) {
    const depth = depths[parents[state]!]! + 1
    depths[state] = depth
    perDepth[depth] = (perDepth[depth] ?? 0) + 1
  }
  const next: number[] = []
  let before = 0
  for (const [depth, count] of perDepth.entries()) {
    next[depth] = before
    before += count
  }
  const ordered = new Int32Array(states - 1)
  for (let state = 1; state < states; state += 1) {
    ordered[next[depths[state]!]!] = state
    next[depths[state]!]! += 1
  }
  return ordered
}
