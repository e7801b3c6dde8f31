/**
 * What this visitor does not want to see (NG). Rules are kept in this browser, and the browser
 * applies them: the server sends everything. What a member changes while logged in waits for the
 * account too (waiting.ts), from where it follows to other devices.
 */
import {
  isStorableText,
  laterEntry,
  RULE_KINDS,
  targetKey,
  type HidingEntry,
  type HidingTarget,
  type HidingTraits,
  type RuleKind,
} from '@shinobi/contract/hiding-entry'
import { HIDING_RULES_MAX, HIDING_TEXT } from '@shinobi/contract/limits'
import { followedMember } from '../../lib/followed-member.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceRules, RULES_KEY } from './rules-changed.ts'
import { nextChange, noteChange, queueEntry, waitingAbout } from './waiting.ts'

export interface HidingRule extends HidingTarget, HidingTraits {
  readonly id: string
  readonly createdAt: number
}

export const KIND_LABELS: Readonly<Record<RuleKind, string>> = {
  word: '言葉',
  pattern: '正規表現',
  id: 'ID',
  name: '名前',
  title: 'スレッドのタイトル',
  domain: 'リンク先',
  image: '画像',
}

/** What a rule hides, for the line in place of a hidden post and for the list of rules. */
export const describeRule = ({ kind, text }: Pick<HidingRule, 'kind' | 'text'>): string =>
  kind === 'image' ? '画像' : `${KIND_LABELS[kind]}「${text}」`

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
    text: text.slice(0, HIDING_TEXT.maxBytes),
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
    .slice(0, HIDING_RULES_MAX)
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
  const stored = readStored(RULES_KEY)
  if (stored !== read.stored) read = { stored, rules: stored === null ? NONE : parseRules(stored) }
  return read.rules
}

export const noHidingRules = (): readonly HidingRule[] => NONE

/** Rules that apply at a moment, in one thread. */
export const rulesFor = (rules: readonly HidingRule[], threadId: string, now: number): readonly HidingRule[] =>
  rules.filter((rule) => (rule.threadId ?? threadId) === threadId && (rule.endsAt ?? Infinity) > now)

function write(rules: readonly HidingRule[]): void {
  writeStored(RULES_KEY, rules.length === 0 ? null : JSON.stringify(rules))
  announceRules()
}

const isEqual = (one: HidingTarget, other: HidingTarget): boolean =>
  other.kind === one.kind && other.text === one.text && other.threadId === one.threadId

const toEntry = ({ kind, text, threadId, chain, traceless, endsAt }: HidingRule, changedAt: number): HidingEntry => ({
  kind,
  text,
  threadId,
  traits: { chain, traceless, endsAt },
  changedAt,
})

const toRemoval = (rule: HidingRule, changedAt: number): HidingEntry => ({ ...toEntry(rule, changedAt), traits: null })

const THREAD_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the server can store it: a file may bring others. */
const isStorable = ({ text, threadId, traits }: HidingEntry): boolean =>
  isStorableText(text) &&
  (threadId === null || THREAD_ID.test(threadId)) &&
  (traits === null || traits.endsAt === null || (Number.isSafeInteger(traits.endsAt) && traits.endsAt >= 0))

/** Lets changes wait for the other devices of a member; null for nobody's. */
function queue(memberId: string | null, changes: readonly HidingEntry[]): void {
  if (memberId !== null) for (const entry of changes.filter(isStorable)) queueEntry(memberId, entry)
}

/**
 * Adds a rule; an equal one is replaced. Rules that have ended go, and beyond the limit the oldest.
 */
export function addRule(rule: HidingRule, now: number): void {
  const createdAt = nextChange(now)
  const kept = hidingRules().filter((other) => !isEqual(other, rule) && (other.endsAt ?? Infinity) > now)
  const next = [...kept, { ...rule, createdAt }]
  const dropped = next.slice(0, -HIDING_RULES_MAX)
  // Before the rules: who is told that they have changed finds what is to be sent.
  queue(followedMember(), [...dropped.map((other) => toRemoval(other, createdAt)), toEntry(rule, createdAt)])
  write(next.slice(-HIDING_RULES_MAX))
}

/**
 * Adds the rules that are not here yet. They are not sent to a member's account, because they may
 * be somebody else's.
 * @returns how many were added
 */
export function uniteRules(rules: readonly HidingRule[], now: number): number {
  const known = hidingRules()
  const added = rules.filter((rule) => (rule.endsAt ?? Infinity) > now && !known.some((other) => isEqual(other, rule)))
  if (added.length > 0) write([...added, ...known].slice(-HIDING_RULES_MAX))
  return added.length
}

export function removeRule(id: string, now: number): void {
  const rules = hidingRules()
  const changedAt = nextChange(now)
  const removed = rules.filter((rule) => rule.id === id)
  queue(
    followedMember(),
    removed.map((rule) => toRemoval(rule, changedAt)),
  )
  write(rules.filter((rule) => !removed.includes(rule)))
}

/** Lets all rules wait for a member's account, as if they were made now. */
export function queueAllRules(memberId: string, now: number): void {
  const changedAt = nextChange(now)
  const going = hidingRules().filter(({ endsAt }) => (endsAt ?? Infinity) > now)
  queue(
    memberId,
    going.map((rule) => toEntry(rule, changedAt)),
  )
}

/**
 * Merges what a member's account has told: the newest change counts, also against what waits to be
 * sent. Rules of this browser stay beyond the limit.
 */
export function adoptEntries(memberId: string, told: readonly HidingEntry[], now: number): void {
  const before = hidingRules()
  const rules = new Map(before.map((rule) => [targetKey(rule), rule]))
  const added = new Map<string, HidingRule>()
  for (const entry of told) {
    noteChange(entry.changedAt)
    const key = targetKey(entry)
    const known = rules.get(key)
    const here = waitingAbout(memberId, entry) ?? (known && toEntry(known, known.createdAt))
    if (here !== undefined && laterEntry(entry, here) === here) continue
    rules.delete(key)
    const { kind, text, threadId, traits, changedAt } = entry
    if (traits === null || (traits.endsAt ?? Infinity) <= now) continue
    const rule = { id: known?.id ?? key, kind, text, threadId, ...traits, createdAt: changedAt }
    if (known === undefined) added.set(key, rule)
    else rules.set(key, rule)
  }
  const room = Math.max(0, HIDING_RULES_MAX - rules.size)
  const next = [...rules.values(), ...(room === 0 ? [] : [...added.values()].slice(-room))]
  if (JSON.stringify(next) !== JSON.stringify(before)) write(next.toSorted((a, b) => a.createdAt - b.createdAt))
}

/** Gives rules the time that the server took for theirs, because the clock here is ahead. */
export function settleTimes(sent: readonly HidingEntry[], at: number): void {
  const ahead = new Set(sent.filter(({ changedAt }) => changedAt > at).map(targetKey))
  if (ahead.size === 0) return
  const settle = (rule: HidingRule) =>
    ahead.has(targetKey(rule)) ? { ...rule, createdAt: Math.min(rule.createdAt, at) } : rule
  write(hidingRules().map(settle))
}
