/**
 * Opt-outs of publishers outside of the page itself: X-Robots-Tag, TDM reservations
 * (tdm-reservation, tdmrep.json), and licences in the format of RSL (Really Simple Licensing).
 * Where they contradict each other, the stricter one counts.
 */
import { QUOTE_MAX } from '../claims/quotes.ts'
import { readRules, refusesUsage, ROBOT_TOKEN } from './robots.ts'

export type Use = 'page' | 'image'

/**
 * What refuses a use in the headers of an answer or in the metas of a page; null where nothing
 * does.
 * @param tags X-Robots-Tag, or robots metas
 */
export function findOptOut(
  tags: readonly string[],
  values: (name: string) => readonly string[],
  use: Use,
  now: number,
): string | null {
  if (isForbiddenByTag(tags, use, now)) return `robots: ${tags.join().slice(0, 100)}`
  if (values('tdm-reservation').some((value) => value.trim() === '1')) return 'tdm-reservation'
  return values('content-usage').some(refusesUsage) ? 'content-usage' : null
}

/** Directives by which robots tags refuse a use. */
const OPT_OUTS: Readonly<Record<Use, ReadonlySet<string>>> = {
  page: new Set(['none', 'noindex', 'nosnippet', 'noai']),
  image: new Set(['none', 'noindex', 'noimageindex', 'noai', 'noimageai', 'max-image-preview:none']),
}

/** Directives with a value; any other word before a colon names a robot. */
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

const OURS = new Set(['*', ROBOT_TOKEN.toLowerCase()])

/** Dates have a comma after the day of the week, but commas also separate directives. */
const DAY_OF_WEEK = /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,/gi

/** Whether X-Robots-Tag headers or robots metas forbid a use to this bot or to everybody. */
export function isForbiddenByTag(tags: readonly string[], use: Use, now: number): boolean {
  return tags
    .flatMap(directivesForUs)
    .some(({ name, value }) =>
      name === 'unavailable_after'
        ? Date.parse(value) <= now
        : (use === 'page' && name === 'max-snippet' && isShort(value)) ||
          OPT_OUTS[use].has(value === '' ? name : `${name}:${value}`),
    )
}

/** A snippet shorter than our longest passage; -1 is no limit. */
const isShort = (value: string): boolean => /^\d{1,9}$/u.test(value) && Number(value) < QUOTE_MAX

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
  for (const part of partsOf(tag)) {
    let directive = readDirective(part)
    if (part.includes(':') && !VALUED.has(directive.name)) {
      isForUs = OURS.has(directive.name)
      directive = readDirective(directive.value)
    }
    if (isForUs) directives.push(directive)
  }
  return directives
}

/** Metas also have semicolons and spaces between directives; a date keeps its spaces. */
const partsOf = (tag: string): string[] =>
  tag
    .replaceAll(DAY_OF_WEEK, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' :', ':')
    .replaceAll(': ', ':')
    .split(/[,;]/)
    .flatMap((part) => (/unavailable_after/i.test(part) ? [part] : part.trim().split(' ')))

function readDirective(text: string): Directive {
  const [name = '', ...value] = text.split(':')
  return { name: name.trim().toLowerCase(), value: value.join(':').trim() }
}

/** A longer tdmrep.json cannot be read in full, so nothing of its origin is read. */
export const RESERVATIONS_BYTES = 500_000

/** The reservations in the tdmrep.json of an origin. */
export interface Reservations {
  covers(url: URL): boolean
  /** Approximate memory in bytes. */
  readonly size: number
}

/**
 * Patterns match as in robots.txt: the beginning of a path, `*` for anything, `$` for the end.
 * @param text null where the file does not exist: nothing is reserved. The same holds for a file in
 * another format (mostly an HTML page).
 */
export function readReservations(text: string | null, url: URL): Reservations {
  const { allows, size } = readRules(rulesOf(text).flatMap(toRule), url)
  return { covers: (address) => !allows(address), size }
}

function rulesOf(text: string | null): unknown[] {
  try {
    const rules: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(rules) ? rules : []
  } catch {
    return []
  }
}

function toRule(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return []
  const { location, 'tdm-reservation': reservation } = rule as Record<string, unknown>
  const isReserved = reservation === 1 || reservation === '1' || reservation === true
  // A line end would begin another rule.
  if (!isReserved || typeof location !== 'string' || /[\r\n]/.test(location)) return []
  return [`disallow:${/^[/*]/.test(location) ? '' : '/'}${location}`]
}

/**
 * Whether a Link header names terms in the format of RSL. They are not read: a publisher who sets
 * terms is asked, not summarised.
 */
export const namesLicence = (links: readonly string[]): boolean =>
  links.some((link) =>
    link
      .split(/,(?=\s*<)/u)
      .some((one) => /;\s*rel="?[^";]*\blicense\b/iu.test(one) && /application\/rsl\+xml/iu.test(one)),
  )
