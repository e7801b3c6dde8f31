/**
 * Whether two reports tell of different events, however alike their words are: an aftershock is not
 * its quake, and tomorrow's market is not today's. Facts are compared where both reports lead with
 * them; one that only one report tells says nothing.
 */
import { readNames, type Name } from './names.ts'
import { readNumbers } from './numbers.ts'
import { foldFacts } from './text.ts'
import { readWords } from './words.ts'

export interface Report {
  readonly title: string
  readonly text: string
}

/** Characters of the text that lead: when and where it happened stands there. */
const LEAD = 200
/** Characters in which a fact of the other's lead is looked up. */
const WHOLE = 2_000

/** Values by kind: 13:03 of `clock`, 21 of 日, 4.8 of `scale`. */
type Facts = ReadonlyMap<string, ReadonlySet<string>>

interface ReadReport {
  readonly lead: string
  readonly whole: string
  readonly leadFacts: Facts
  readonly wholeFacts: Facts
}

function readReport({ title, text }: Report): ReadReport {
  const lead = foldFacts(`${title}\n${text.slice(0, LEAD)}`)
  const whole = foldFacts(`${title}\n${text.slice(0, WHOLE)}`)
  return { lead, whole, leadFacts: readFacts(lead), wholeFacts: readFacts(whole) }
}

/** Numbers that measure a quake have no unit. */
const BEFORE_SCALE = /(?:マグニチュード|震度|\bm)$/u

function readFacts(folded: string): Facts {
  const facts = new Map<string, Set<string>>()
  const numbers = readNumbers(folded)
  for (const [index, { values, unit, start, end }] of numbers.entries()) {
    const next = numbers[index + 1]
    const isClock = (unit === '時' || unit === '午前') && next?.unit === '分' && next.start === end
    const isScale = unit === '' && BEFORE_SCALE.test(folded.slice(Math.max(0, start - 8), start))
    const kind = isClock ? 'clock' : isScale ? 'scale' : unit
    const told = isClock ? [`${values[0]}:${next.values[0]}`] : values
    facts.set(kind, (facts.get(kind) ?? new Set()).union(new Set(told)))
  }
  return facts
}

/** Whether both lead with facts of a kind, and neither tells one of the other's. */
function isApart(one: ReadReport, other: ReadReport, kind: string): boolean {
  const [led, otherLed] = [one.leadFacts.get(kind), other.leadFacts.get(kind)]
  if (led === undefined || otherLed === undefined) return false
  return (
    led.isDisjointFrom(other.wholeFacts.get(kind) ?? new Set()) &&
    otherLed.isDisjointFrom(one.wholeFacts.get(kind) ?? new Set())
  )
}

/** Whether they tell of another time, another day, or a quake of another strength. */
export const isOtherTime = (one: Report, other: Report): boolean => isOfOtherTime(readReport(one), readReport(other))

function isOfOtherTime(one: ReadReport, other: ReadReport): boolean {
  if (isApart(one, other, 'clock') || isApart(one, other, '日')) return true
  // The strength of one quake is corrected within minutes, its time is not.
  const isTimed = one.leadFacts.has('clock') && other.leadFacts.has('clock')
  return !isTimed && isApart(one, other, 'scale')
}

/** Units that say too little: those of no kind, and what the clock and the strength tell. */
const LOOSE_UNITS: ReadonlySet<string> = new Set(['', 'つ', '個', '時', '午前', '分', 'clock', 'scale'])
const NAMES: readonly Name['kind'][] = ['人名', '地域', '組織']

/** The same also by other numbers, people, places and organisations. Loads the dictionary. */
export function isOtherEvent(one: Report, other: Report): boolean {
  const [a, b] = [readReport(one), readReport(other)]
  if (isOfOtherTime(a, b)) return true
  const units = [...a.leadFacts.keys()].filter((unit) => !LOOSE_UNITS.has(unit))
  if (units.some((unit) => isApart(a, b, unit))) return true
  const names = new Map([a, b].map((report) => [report, readNames(readWords(report.lead))]))
  /** Whether a report leads with names of a kind, and the other tells none of them. */
  const isUntold = (led: ReadReport, { whole }: ReadReport, kind: Name['kind']): boolean => {
    const ofKind = names.get(led)!.filter((name) => name.kind === kind)
    return ofKind.length > 0 && !ofKind.some(({ text }) => whole.includes(text))
  }
  return NAMES.some((kind) => isUntold(a, b, kind) && isUntold(b, a, kind))
}
