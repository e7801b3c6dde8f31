/**
 * Finds banned words in texts: an Aho–Corasick automaton over folded text, so that the time for a text does not depend on
 * how many words are banned, and neither width, kana, spacing nor look-alikes hide a word (`fold-for-filter.ts`).
 */
import { foldForFilter, type FilterFold } from './fold-for-filter.ts'

export interface WordRule {
  /** The banned word as the moderator typed it. One that folds to nothing (only signs) is ignored. */
  readonly word: string
  /** Longer harmless words that contain it: the rule does not fire on an occurrence inside one of them. */
  readonly allow?: readonly string[]
}

/** An occurrence; `start` and `end` are UTF-16 indices into the raw text, `end` exclusive. */
export interface WordMatch {
  /** The word as the rule has it. */
  readonly word: string
  readonly start: number
  readonly end: number
}

export interface WordMatcher {
  /** The first occurrence (of several at one place the longest), or null. */
  readonly find: (rawText: string) => WordMatch | null
  /** Every occurrence, overlapping ones too, by start, longer ones first. */
  readonly findAll: (rawText: string) => WordMatch[]
}

/** What ends at a node: a rule's word, or one of its allowed words. */
interface Entry {
  readonly rule: number
  readonly length: number
  readonly allowed: boolean
}

interface Node {
  readonly next: Map<number, Node>
  /** Node of the longest proper suffix of this path; the root for the root itself. */
  fallback: Node
  /** Nearest node along the fallbacks at which something ends, or null. */
  shorter: Node | null
  readonly entries: Entry[]
}

const ROOT_FALLBACK = null as unknown as Node
const newNode = (fallback: Node): Node => ({ next: new Map(), fallback, shorter: null, entries: [] })

function newRoot(): Node {
  const root = newNode(ROOT_FALLBACK)
  root.fallback = root
  return root
}

function add(root: Node, word: string, entry: Entry): void {
  let node = root
  for (let i = 0; i < word.length; i += 1) {
    const unit = word.charCodeAt(i)
    let child = node.next.get(unit)
    if (child === undefined) {
      child = newNode(root)
      node.next.set(unit, child)
    }
    node = child
  }
  node.entries.push(entry)
}

function step(root: Node, from: Node, unit: number): Node {
  let node = from
  for (;;) {
    const child = node.next.get(unit)
    if (child !== undefined) return child
    if (node === root) return root
    node = node.fallback
  }
}

/** Sets the fallbacks level by level, each from those of the level above. */
function linkSuffixes(root: Node): void {
  let level = [...root.next.values()]
  while (level.length > 0) {
    const below: Node[] = []
    for (const node of level) {
      node.shorter = node.fallback.entries.length > 0 ? node.fallback : node.fallback.shorter
      for (const [unit, child] of node.next) {
        child.fallback = step(root, node.fallback, unit)
        below.push(child)
      }
    }
    level = below
  }
}

/** A span of the folded text. */
interface Span {
  readonly rule: number
  readonly start: number
  readonly end: number
}

const byPlace = (a: Span, b: Span): number => a.start - b.start || b.end - a.end || a.rule - b.rule

/** The hits that lie in no allowed word of their own rule. Both lists come sorted by place. */
function dropAllowed(hits: Span[], allowed: readonly Span[]): Span[] {
  if (allowed.length === 0) return hits
  const reach = new Map<number, number>()
  let next = 0
  return hits.filter((hit) => {
    for (let span = allowed[next]; span !== undefined && span.start <= hit.start; span = allowed[next]) {
      reach.set(span.rule, Math.max(reach.get(span.rule) ?? 0, span.end))
      next += 1
    }
    return (reach.get(hit.rule) ?? 0) < hit.end
  })
}

function scan(root: Node, text: string): Span[] {
  const hits: Span[] = []
  const allowed: Span[] = []
  let node = root
  for (let i = 0; i < text.length; i += 1) {
    node = step(root, node, text.charCodeAt(i))
    for (let at: Node | null = node; at !== null; at = at.shorter) {
      for (const entry of at.entries) {
        const span = { rule: entry.rule, start: i + 1 - entry.length, end: i + 1 }
        if (entry.allowed) allowed.push(span)
        else hits.push(span)
      }
    }
  }
  return dropAllowed(hits.toSorted(byPlace), allowed.toSorted(byPlace))
}

export function createWordMatcher(rules: readonly WordRule[]): WordMatcher {
  const root = newRoot()
  for (const [rule, { word, allow = [] }] of rules.entries()) {
    const folded = foldForFilter(word).text
    if (folded === '') continue
    add(root, folded, { rule, length: folded.length, allowed: false })
    for (const longer of allow) {
      const text = foldForFilter(longer).text
      // An allowed word without the banned one in it can never apply.
      if (text.includes(folded)) add(root, text, { rule, length: text.length, allowed: true })
    }
  }
  linkSuffixes(root)

  const toMatch = (fold: FilterFold, { rule, start, end }: Span): WordMatch => ({
    word: rules[rule]!.word,
    start: fold.offsets[start]!,
    end: fold.ends[end - 1]!,
  })

  const findAll = (rawText: string): WordMatch[] => {
    const fold = foldForFilter(rawText)
    return scan(root, fold.text).map((span) => toMatch(fold, span))
  }
  const find = (rawText: string): WordMatch | null => {
    const fold = foldForFilter(rawText)
    const [first] = scan(root, fold.text)
    return first === undefined ? null : toMatch(fold, first)
  }
  return { find, findAll }
}
