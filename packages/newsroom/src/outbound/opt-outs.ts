/**
 * Ways in which publishers say, outside of the page itself, that something may not be used: X-Robots-Tag and TDM reservations
 * (tdm-reservation, tdmrep.json). Where they contradict each other, the one that says no counts.
 */
import { ROBOT_TOKEN } from './robots.ts'

export type Use = 'page' | 'image'

const OPT_OUTS: Readonly<Record<Use, ReadonlySet<string>>> = {
  page: new Set(['none', 'noindex', 'nosnippet', 'noai', 'max-snippet:0']),
  image: new Set(['none', 'noindex', 'noimageindex', 'noai', 'noimageai', 'max-image-preview:none']),
}

/** Directives that have a value; any other word in front of a colon names who is meant. */
const VALUED: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
])

const OURS: ReadonlySet<string> = new Set(['*', ROBOT_TOKEN.toLowerCase()])

/** Dates name the day of the week in front of a comma, and commas part directives. */
const DAY_OF_WEEK = /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,/gi

/** Whether X-Robots-Tag, of which there may be several, forbids a use to us or to everybody. */
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

/** `noai, googlebot: nofollow, noindex`: whoever is named is meant until another is. */
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

/** Whether the header tdm-reservation reserves the right to mine. */
export const isReservedByHeader = (values: readonly string[]): boolean => values.some((value) => value.trim() === '1')

/** Nothing is read where tdmrep.json is longer: nobody knows what it reserves. */
export const RESERVATIONS_BYTES = 500_000
/** Rules beyond these are not read, nor are patterns longer than this. */
const RULES_MAX = 1_000
const PATTERN_CHARS = 500
/** What a pattern takes besides its text. */
const PATTERN_BYTES = 50
/** Paths are read as those of some origin; which one makes no difference. */
const ANY_ORIGIN = 'https://origin.invalid'

/** What an origin reserves in its tdmrep.json. */
export interface Reservations {
  covers(url: URL): boolean
  /** About how many bytes it takes to keep. */
  readonly size: number
}

/** @param text null where there is no such file: nothing is reserved. So it is where the file is none (a page, mostly). */
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

/** A pattern as addresses are written: with escapes for what is not ASCII, however publishers write it. `*` and `$` stay. */
function asAddress(location: string): string {
  const isOpen = location.startsWith('*')
  const address = URL.parse(`${ANY_ORIGIN}${isOpen || !location.startsWith('/') ? '/' : ''}${location}`)
  const path = inUpperCase(address === null ? location : address.pathname + address.search)
  return isOpen ? path.slice(1) : path
}

/** As in robots.txt: the beginning of a path, `*` for anything, `$` for the end. */
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
