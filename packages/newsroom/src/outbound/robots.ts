/** What robots.txt allows (RFC 9309), and what it says about the use of what is read (Content-Signal, contentsignals.org). */
import robotsParser from 'robots-parser'

/** By this name publishers speak to this software in robots.txt and X-Robots-Tag; it begins the User-Agent. */
export const ROBOT_TOKEN = 'ShinobiItaBot'

/** More of the file is not read: the standard asks for as much. */
export const ROBOTS_BYTES = 500_000

export interface Robots {
  allows(url: URL): boolean
  /** False where nothing may be put into a language model (ai-input=no), and so no summary be made. */
  readonly allowsSummaries: boolean
  /** The time between two requests that is asked for; 0 when none is. */
  readonly delayMs: number
  /** About how many bytes it takes to keep. */
  readonly size: number
}

/** Nobody is waited for longer than this between two requests. */
const DELAY_MAX_S = 60
/** Rules for us, and characters of those with wildcards: comparing these with a path takes the length of one times that of the other. */
const RULES_MAX = 5_000
const WILDCARD_CHARS = 20_000
/** What a rule takes besides its text. */
const RULE_BYTES = 100

/** Its types describe a module of the other kind: the function comes as the default itself. */
const parse = robotsParser as unknown as typeof robotsParser.default

/**
 * A file may be made to be more than can be compared. Real ones stay far below; whoever has more rules or wildcards allows nothing here,
 * as nobody knows what.
 * @param text null where there is no such file: all is allowed
 */
export function readRobots(text: string | null, url: URL): Robots {
  const lines = linesForUs(text ?? '')
  const kept = isTooMuch(lines) ? ['disallow:/'] : lines
  const rules = parse(url.href, ['user-agent:*', ...kept].join('\n'))
  const seconds = rules.getCrawlDelay(ROBOT_TOKEN) ?? 0
  return {
    allows: ({ href }) => rules.isAllowed(href, ROBOT_TOKEN) !== false,
    allowsSummaries: !lines.flatMap(signalsOf).includes('ai-input=no'),
    delayMs: Math.min(Math.max(seconds, 0), DELAY_MAX_S) * 1_000,
    size: kept.reduce((bytes, line) => bytes + line.length + RULE_BYTES, 0),
  }
}

function isTooMuch(lines: readonly string[]): boolean {
  // As long as they are once they are compared: in the form that addresses have.
  const wildcards = lines.filter((line) => line.includes('*')).map((line) => encodeURI(line.toWellFormed()).length)
  return lines.length > RULES_MAX || wildcards.reduce((sum, chars) => sum + chars, 0) > WILDCARD_CHARS
}

const US = ROBOT_TOKEN.toLowerCase()
const EVERYBODY = '*'
/** A key and its value, without a comment; with the white space that the library takes for such. */
const LINE = /^\s*([\w-]+)\s*:([^#]*)/
const KEPT: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay', 'content-signal'])

/**
 * The lines of the groups that name us, else of those for everybody, as `key:value`. The library gets nothing else: it keeps each rule
 * once for every robot of its group, and a file may be made with thousands of both.
 */
export function linesForUs(text: string): readonly string[] {
  let ours: string[] | null = null
  // A signal in front of all groups is meant for everybody.
  const everybodys: string[] = []
  const named = new Set([EVERYBODY])
  let isNaming = false
  let isInGroup = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, written, value = ''] = LINE.exec(line) ?? []
    if (written === undefined) continue
    const key = written.toLowerCase()
    if (key === 'user-agent') {
      if (!isNaming) named.clear()
      const name = value.toLowerCase().split('/', 1)[0]!.trim()
      if (name === US || name === EVERYBODY) named.add(name)
      isInGroup = true
    } else if (KEPT.has(key) && (isInGroup || key === 'content-signal')) {
      const kept = `${key}:${value.trim().replaceAll(/\*{2,}/g, '*')}`
      if (named.has(US)) (ours ??= []).push(kept)
      if (named.has(EVERYBODY)) everybodys.push(kept)
    }
    isNaming = key === 'user-agent'
  }
  return ours ?? everybodys
}

/** `search=yes, ai-input=no` in a line of signals; one that names a path counts for all of them. */
function signalsOf(line: string): string[] {
  const [key, value = ''] = line.split(':', 2)
  if (key !== 'content-signal') return []
  return value
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' =', '=')
    .replaceAll('= ', '=')
    .split(/[ ,;]+/)
}
