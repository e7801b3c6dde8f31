/**
 * Finds the rule that hides a post or a thread. Patterns are RE2: they take linear time, whatever
 * they and the text are. That library is loaded for the first pattern.
 */
import { foldForSearch } from '@shinobi/text/fold'
import type { RE2JS } from 're2js'
import type { HidingRule } from './rules.ts'

/** What rules are compared with. */
export interface Subject {
  /** The writer's name as it is shown; null for a title. */
  readonly name: string | null
  /** The ID of the writer; null for a title, and where none is shown or known. */
  readonly id: string | null
  readonly content: string
  /** Hosts of the links in the text. */
  readonly hosts: readonly string[]
  /** SHA-256 of the picture; null without one, or when it is unknown. */
  readonly picture: string | null
}

export type Match = (subject: Subject) => HidingRule | null

type Test = (subject: Subject) => boolean

/** Compiles a pattern. @throws Error when it is none */
export async function compilePattern(pattern: string): Promise<RE2JS> {
  const { RE2JS: Pattern } = await import('re2js')
  return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE)
}

/** Whether a host is a domain or below it. */
export const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** A domain as visitors type it: with an address around it, www. or a dot in front. */
export const toDomain = (typed: string): string =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//u, '')
    .replace(/[/?#:].*$/u, '')
    .replace(/^(?:www\.|\.)+/u, '')

const never: Test = () => false

async function toTest({ kind, text }: HidingRule): Promise<Test> {
  if (kind === 'domain') return ({ hosts }) => hosts.some((host) => isWithin(host, text))
  if (kind === 'id') return ({ id }) => id === text
  if (kind === 'image') return ({ picture }) => picture === text
  if (kind === 'pattern') {
    // A pattern that an earlier version accepted and this one does not hides nothing.
    const pattern = await compilePattern(text).catch(() => null)
    return pattern === null ? never : ({ content }) => pattern.matcher(content).find()
  }
  const folded = foldForSearch(text)
  if (folded === '') return never
  if (kind === 'name') return ({ name }) => name !== null && foldForSearch(name) === folded
  return ({ content }) => foldForSearch(content).includes(folded)
}

/** @param rules those that apply, see `rulesFor` */
export async function createMatch(rules: readonly HidingRule[]): Promise<Match> {
  const tests = await Promise.all(rules.map(async (rule) => [rule, await toTest(rule)] as const))
  return (subject) => tests.find(([, test]) => test(subject))?.[0] ?? null
}

/** A hidden post: the rule, and the hidden post that it answers, if that is the reason. */
export interface Hidden {
  readonly rule: HidingRule
  readonly answers: number | null
}

/** A post, with the numbers that it answers. */
export interface Numbered {
  readonly number: number
  readonly answered: readonly number[]
  readonly subject: Subject
}

/** The hidden ones of some posts, which are in ascending order. */
export function findHidden(posts: readonly Numbered[], match: Match): ReadonlyMap<number, Hidden> {
  const hidden = new Map<number, Hidden>()
  for (const { number, answered, subject } of posts) {
    const rule = match(subject)
    if (rule !== null) {
      hidden.set(number, { rule, answers: null })
      continue
    }
    const cause = answered.find((earlier) => hidden.get(earlier)?.rule.chain === true)
    if (cause !== undefined) hidden.set(number, { rule: hidden.get(cause)!.rule, answers: cause })
  }
  return hidden
}
