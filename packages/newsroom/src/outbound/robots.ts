/**
 * Reads what robots.txt allows (RFC 9309), and what it says of AI: content signals (Content-Signal,
 * contentsignals.org), Content-Usage (IETF AIPREF), and licences of RSL.
 */
import robotsParser from 'robots-parser'

/**
 * The name by which publishers address this software in robots.txt and X-Robots-Tag; the User-Agent
 * begins with it.
 */
export const ROBOT_TOKEN = 'ShinobiItaBot'

/** The rest of a longer file is ignored: the standard requires this much. */
export const ROBOTS_BYTES = 500_000

export interface Robots {
  allows(url: URL): boolean
  /**
   * False where content may not be given to a language model (ai-input=no, Content-Usage), and so
   * not be summarised, or where a licence sets terms.
   */
  readonly allowsSummaries: boolean
  /** The requested delay between two requests; 0 without one. */
  readonly delayMs: number
  /** Approximate memory in bytes. */
  readonly size: number
}

/** Longest delay between two requests that is kept. */
const DELAY_MAX_S = 60
/**
 * Maximum rules for us, and characters of those with wildcards: the time to match one grows with
 * its length times that of the path.
 */
const RULES_MAX = 5_000
const WILDCARD_CHARS = 20_000
/** Memory of a rule besides its text. */
const RULE_BYTES = 100

/** Its types describe an ES module, but the function is the default export itself. */
const parse = robotsParser as unknown as typeof robotsParser.default

/** @param text null where the file does not exist: all is allowed */
export function readRobots(text: string | null, url: URL): Robots {
  const lines = linesForUs(text ?? '')
  return { ...readRules(lines, url), allowsSummaries: !lines.some(refusesBy) }
}

/**
 * What the rules of an origin allow, as `key:value`. Hostile ones may be too expensive to match.
 * Real ones stay far below the limits; those above them allow nothing, because their meaning is
 * unknown.
 */
export function readRules(lines: readonly string[], url: URL): Omit<Robots, 'allowsSummaries'> {
  const thin = lines.map((line) => line.replaceAll(/\*{2,}/g, '*'))
  const kept = isTooMuch(thin) ? ['disallow:/'] : thin
  const rules = parse(url.href, ['user-agent:*', ...kept].join('\n'))
  const seconds = rules.getCrawlDelay(ROBOT_TOKEN) ?? 0
  return {
    allows: ({ href }) => rules.isAllowed(href, ROBOT_TOKEN) !== false,
    delayMs: Math.min(Math.max(seconds, 0), DELAY_MAX_S) * 1_000,
    size: kept.reduce((bytes, line) => bytes + line.length + RULE_BYTES, 0),
  }
}

function isTooMuch(lines: readonly string[]): boolean {
  // Measured in the escaped form in which they are matched.
  const wildcards = lines.filter((line) => line.includes('*')).map((line) => encodeURI(line.toWellFormed()).length)
  return lines.length > RULES_MAX || wildcards.reduce((sum, chars) => sum + chars, 0) > WILDCARD_CHARS
}

/** A key and its value, without a comment; with what the library treats as white space. */
const LINE = /^\s*([\w-]+)\s*:([^#]*)/
/** They hold for all robots where they stand before the groups. */
const GLOBAL = ['content-signal', 'content-usage', 'license']
const KEPT: ReadonlySet<string> = new Set(['allow', 'disallow', 'crawl-delay', ...GLOBAL])

/**
 * The lines of the groups that name us, else of those for all robots, as `key:value`. The library
 * gets only these, because it stores each rule once for every robot of its group, and a file may
 * have thousands of both.
 */
export function linesForUs(text: string): readonly string[] {
  const beforeGroups: string[] = []
  const groups: { readonly names: Set<string>; readonly lines: string[] }[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, written, value = ''] = LINE.exec(line) ?? []
    if (written === undefined) continue
    const key = written.toLowerCase()
    if (key === 'user-agent') {
      if (!isNaming) groups.push({ names: new Set(), lines: [] })
      groups.at(-1)?.names.add(value.toLowerCase().split('/', 1)[0]!.trim())
    } else if (groups.length === 0 ? GLOBAL.includes(key) : KEPT.has(key)) {
      const lines = groups.at(-1)?.lines ?? beforeGroups
      lines.push(`${key}:${value.trim()}`)
    }
    isNaming = key === 'user-agent'
  }
  const linesFor = (name: string) => groups.filter(({ names }) => names.has(name)).flatMap(({ lines }) => lines)
  const ours = linesFor(ROBOT_TOKEN.toLowerCase())
  return [...beforeGroups, ...(ours.length > 0 ? ours : linesFor('*'))]
}

/** Whether a line refuses the use by AI; one that names a path applies to all paths. */
function refusesBy(line: string): boolean {
  const [key = '', ...rest] = line.split(':')
  const value = rest.join(':')
  if (key === 'license') return value !== ''
  return key === 'content-usage'
    ? refusesUsage(value)
    : key === 'content-signal' && answersOf(value).includes('ai-input=no')
}

/** The answers of `search=yes, ai-input = no`, as `key=answer`. */
const answersOf = (value: string): string[] =>
  value
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' =', '=')
    .replaceAll('= ', '=')
    .split(/[ ,;]+/)

/**
 * Whether a Content-Usage refuses a use like ours: `train-ai=n, search=y`. A model reads the
 * article here, so any refusal but that of search engines counts: the names are not settled, and
 * the stricter reading costs one thread.
 */
export const refusesUsage = (value: string): boolean =>
  answersOf(value).some((answer) => answer.endsWith('=n') && answer !== 'search=n')
