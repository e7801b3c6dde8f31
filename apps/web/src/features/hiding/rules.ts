/**
 * What this visitor does not want to see (NG). Rules are kept in this browser only, and hide on the
 * screen: the server neither knows them nor leaves anything out.
 */
import { readStored, writeStored } from '../../lib/storage.ts'

export const RULE_KINDS = ['word', 'pattern', 'name', 'title', 'domain', 'image'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

export interface HidingRule {
  readonly id: string
  readonly kind: RuleKind
  /** A word, an RE2 pattern, a name, a domain, or the hexadecimal SHA-256 of a picture. */
  readonly text: string
  /** The only thread it is for; null for all. */
  readonly threadId: string | null
  /** Whether answers to what it hides are hidden too. */
  readonly chain: boolean
  /** Whether it leaves no line behind. */
  readonly traceless: boolean
  /** Milliseconds; null for ever. */
  readonly endsAt: number | null
  readonly createdAt: number
}

export const RULES_MAX = 500
export const RULE_TEXT_MAX = 200

export const KIND_LABELS: Readonly<Record<RuleKind, string>> = {
  word: '言葉',
  pattern: '正規表現',
  name: '名前',
  title: 'スレッドのタイトル',
  domain: 'リンク先',
  image: '画像',
}

/** What a rule is about, for the line that it leaves and the list of rules. */
export const describeRule = ({ kind, text }: Pick<HidingRule, 'kind' | 'text'>): string =>
  kind === 'image' ? '画像' : `${KIND_LABELS[kind]}「${text}」`

const KEY = 'hiding'
const CHANGED = 'shinobi:hiding'
const NONE: readonly HidingRule[] = []

const isKind = (kind: unknown): kind is RuleKind => RULE_KINDS.some((known) => known === kind)

/** A stored rule; null for anything else, such as what a later version has written. */
function toRule(value: unknown): HidingRule | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, kind, text, threadId, chain, traceless, endsAt, createdAt } = value as Record<string, unknown>
  if (typeof id !== 'string' || !isKind(kind) || typeof text !== 'string' || text === '') return null
  return {
    id,
    kind,
    text: text.slice(0, RULE_TEXT_MAX),
    threadId: typeof threadId === 'string' ? threadId : null,
    chain: chain === true,
    traceless: traceless === true,
    endsAt: typeof endsAt === 'number' ? endsAt : null,
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  }
}

/** The rules among some values. */
export const toRules = (values: readonly unknown[]): readonly HidingRule[] =>
  values
    .slice(0, RULES_MAX)
    .map(toRule)
    .filter((rule) => rule !== null)

export function parseRules(stored: string | null): readonly HidingRule[] {
  try {
    const values: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(values) ? toRules(values) : NONE
  } catch {
    return NONE
  }
}

let read: { readonly stored: string | null; readonly rules: readonly HidingRule[] } = { stored: null, rules: NONE }

/** All rules, in the order of their creation; the same object until they change. */
export function hidingRules(): readonly HidingRule[] {
  const stored = readStored(KEY)
  if (stored !== read.stored) read = { stored, rules: stored === null ? NONE : parseRules(stored) }
  return read.rules
}

export const noHidingRules = (): readonly HidingRule[] => NONE

/** Rules that apply at a moment, in one thread. */
export const rulesFor = (rules: readonly HidingRule[], threadId: string, now: number): readonly HidingRule[] =>
  rules.filter((rule) => (rule.threadId ?? threadId) === threadId && (rule.endsAt ?? Infinity) > now)

function write(rules: readonly HidingRule[]): void {
  writeStored(KEY, rules.length === 0 ? null : JSON.stringify(rules))
  dispatchEvent(new Event(CHANGED))
}

const isEqual = (one: HidingRule, other: HidingRule): boolean =>
  other.kind === one.kind && other.text === one.text && other.threadId === one.threadId

/**
 * Adds a rule; an equal one is replaced. Rules that have ended go, and beyond the limit the oldest.
 */
export function addRule(rule: HidingRule, now: number): void {
  const kept = hidingRules().filter((other) => !isEqual(other, rule) && (other.endsAt ?? Infinity) > now)
  write([...kept, rule].slice(-RULES_MAX))
}

/** Adds those of some rules that have no equal here, and returns how many. */
export function uniteRules(rules: readonly HidingRule[], now: number): number {
  const known = hidingRules()
  const added = rules.filter((rule) => (rule.endsAt ?? Infinity) > now && !known.some((other) => isEqual(other, rule)))
  if (added.length > 0) write([...added, ...known].slice(-RULES_MAX))
  return added.length
}

export const removeRule = (id: string): void => write(hidingRules().filter((rule) => rule.id !== id))

/** Subscribes to changes in this tab and in others. */
export function subscribeRules(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) listener()
  }
  addEventListener(CHANGED, listener)
  addEventListener('storage', follow)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', follow)
  }
}
