/** What robots.txt allows (RFC 9309). */
import robotsParser from 'robots-parser'

/** By this name publishers speak to this software in robots.txt and X-Robots-Tag; it begins the User-Agent. */
export const ROBOT_TOKEN = 'ShinobiItaBot'

/** More of the file is not read: the standard asks for as much. */
export const ROBOTS_BYTES = 500_000

export interface Robots {
  allows(url: URL): boolean
  /** The time between two requests that is asked for; 0 when none is. */
  readonly delayMs: number
}

/** Nobody is waited for longer than this between two requests. */
const DELAY_MAX_S = 60
/**
 * Comparing a path with wildcards takes its length times theirs, and a file may be made for that. Real ones have far fewer characters of
 * such rules; whoever has more allows nothing here, as nobody knows what.
 */
const WILDCARD_CHARS = 20_000
const WILDCARD_RULE = /^[\t ]*(?:dis)?allow[\t ]*:.*\*.*$/gim

/** Its types describe a module of the other kind: the function comes as the default itself. */
const parse = robotsParser as unknown as typeof robotsParser.default

/** @param text null where there is no such file: all is allowed */
export function readRobots(text: string | null, url: URL): Robots {
  const plain = (text ?? '').replaceAll(/\*{2,}/g, '*')
  const wildcards = plain.match(WILDCARD_RULE)?.join('').length ?? 0
  const rules = parse(url.href, wildcards > WILDCARD_CHARS ? 'User-agent: *\nDisallow: /' : plain)
  const seconds = rules.getCrawlDelay(ROBOT_TOKEN) ?? 0
  return {
    allows: ({ href }) => rules.isAllowed(href, ROBOT_TOKEN) !== false,
    delayMs: Math.min(Math.max(seconds, 0), DELAY_MAX_S) * 1_000,
  }
}
