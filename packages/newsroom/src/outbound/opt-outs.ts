/**
 * Opt-outs of publishers outside of the page itself: X-Robots-Tag and TDM reservations
 * (tdm-reservation, tdmrep.json). Where they contradict each other, the stricter one counts.
 */
import { ROBOT_TOKEN } from './robots.ts'

export type Use = 'page' | 'image'

const OPT_OUTS: Readonly<Record<Use, ReadonlySet<string>>> = {
  page: new Set(['none', 'noindex', 'nosnippet', 'noai', 'max-snippet:0']),
  image: new Set(['none', 'noindex', 'noimageindex', 'noai', 'noimageai', 'max-image-preview:none']),
}

/** Directives with a value; any other word before a colon names a robot. */
const VALUED: ReadonlySet<string> = new Set([
  ...['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'],
])

const OURS: ReadonlySet<string> = new Set(['*', ROBOT_TOKEN.toLowerCase()])

/** Dates have a comma after the day of the week, but commas also separate directives. */
const DAY_OF_WEEK = /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,/gi

/** Whether X-Robots-Tag headers forbid a use to this bot or to everybody. */
export function isForbiddenByTag(tags: readonly string[], use: Use, now: number): boolean {
  return tags
    .flatMap(directivesForUs)
    .some(({ name, value }) =>
      name === 'unavailable_after'
        ? Date.parse(value) <= now
        : OPT_OUTS[use].has(value === '' ? name : `${name}:${value}`),
    )
}

interface Directive {
  readonly name: string
  readonly value: string
}

/**
 * `noai, googlebot: nofollow, noindex`: a named robot applies to all directives up to the next
 * name.
 */
function directivesForUs(tag: string): Directive[] {
  let isForUs = true
  const directives: Directive[] = []
  for (const part of tag.replaceAll(DAY_OF_WEEK, '').split(',')) {
    let directive = readDirective(part)
    if (part.includes(':') && !VALUED.has(directive.name)) {
      isForUs = OURS.has(directive.name)
      directive = readDirective(directive.value)
    }
    if (isForUs) directives.push(directive)
  }
  return directives
}

function readDirective(text: string): Directive {
  const [name = '', ...value] = text.split(':')
  return { name: name.trim().toLowerCase(), value: value.join(':').trim() }
}

/** Whether the tdm-reservation header reserves the rights of text and data mining. */
export const isReservedByHeader = (values: readonly string[]): boolean => values.some((value) => value.trim() === '1')

/** A longer tdmrep.json cannot be read in full, so nothing of its origin is read. */
export const RESERVATIONS_BYTES = 500_000
/** Rules and characters of a pattern that are read at most. */
const RULES_MAX = 1_000
const PATTERN_CHARS = 500
/** Memory of a pattern besides its text. */
const PATTERN_BYTES = 50
/** Base for parsing paths; its value makes no difference. */
const ANY_ORIGIN = 'https://origin.invalid'

/** The reservations in the tdmrep.json of an origin. */
export interface Reservations {
  covers(url: URL): boolean
  /** Approximate memory in bytes. */
  readonly size: number
}

/**
 * @param text null where the file does not exist: nothing is reserved. The same holds for a file in
 * another format (mostly an HTML page).
 */
export function readReservations(text: string | null): Reservations {
  const patterns = rulesOf(text).flatMap(reservedPattern)
  return {
    covers: ({ pathname, search }) => patterns.some((pattern) => matches(pattern, inUpperCase(pathname + search))),
    size: patterns.reduce((bytes, pattern) => bytes + pattern.length + PATTERN_BYTES, 0),
  }
}

const inUpperCase = (path: string): string => path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

function rulesOf(text: string | null): unknown[] {
  if (text === null) return []
  try {
    const rules: unknown = JSON.parse(text)
    return Array.isArray(rules) ? rules.slice(0, RULES_MAX) : []
  } catch {
    return []
  }
}

function reservedPattern(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return []
  const { location, 'tdm-reservation': reservation } = rule as Record<string, unknown>
  const isReserved = reservation === 1 || reservation === '1' || reservation === true
  return isReserved && typeof location === 'string' && location.length <= PATTERN_CHARS ? [asAddress(location)] : []
}

/**
 * Normalises a pattern to the form of addresses, with escapes for characters outside ASCII. `*` and
 * `$` stay.
 */
function asAddress(location: string): string {
  const isOpen = location.startsWith('*')
  const address = URL.parse(`${ANY_ORIGIN}${isOpen || !location.startsWith('/') ? '/' : ''}${location}`)
  const path = inUpperCase(address === null ? location : address.pathname + address.search)
  return isOpen ? path.slice(1) : path
}

/** Matches as robots.txt does: the beginning of a path, `*` for anything, `$` for the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isWhole ? pieces.pop() : undefined
  if (isWhole && last === undefined) return path === first
  let at = first.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last))
}
