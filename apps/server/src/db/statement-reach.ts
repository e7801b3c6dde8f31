/**
 * Which servers of a cluster a statement needs. It is read from the statement's text, so that
 * features need not say it; a text that names no thread in a known form counts as one for all
 * workers.
 */
import { distribution, type Placement } from './distribution.ts'
import type { Reach } from './workers.ts'

/** A `Reach` with the numbers, from 1, of parameters that are a thread's id or an array of ids. */
type Plan = 'coordinator' | 'all' | readonly number[]

const tablesWith = (isMeant: (placement: Placement) => boolean): string =>
  Object.entries(distribution)
    .filter(([, placement]) => isMeant(placement))
    .map(([table]) => table)
    .join('|')

const SPREAD = tablesWith((placement) => typeof placement === 'object')
const COPIED = tablesWith((placement) => placement === 'copied')

const USES_SPREAD = new RegExp(String.raw`\b(?:from|join|update|into|using)\s+\(?"?(${SPREAD})"?(?![\w"])`, 'g')
/** A copied table is read on the coordinator, and written on every server. */
const WRITES_COPIED = new RegExp(String.raw`\b(?:insert into|update|delete from)\s+"?(?:${COPIED})"?(?![\w"])`)

const NAMES_THREAD = [
  /"threadId"\s*=\s*(?:any\()?\$(\d+)/g,
  /\$(\d+)(?:::uuid)?\s+as\s+"threadId"/g,
  // The alias of threads is `t` in all statements.
  /(?:\bt|"t"|\bthreads|"threads")\."?id"?\s*=\s*(?:any\()?\$(\d+)/g,
  /from\s+"?threads"?\s+where\s+"?id"?\s*=\s*\$(\d+)/g,
]
/** In a statement that uses no other distributed table. */
const NAMES_THREAD_BY_ID = /(?<![\w".])"?id"?\s*=\s*(?:any\()?\$(\d+)/g
const INSERTS = new RegExp(String.raw`\binsert into\s+"?(${SPREAD})"?\s*\(([^)]*)\)\s*(?:values\s*\(|select\s)([^;]*)`)

/** Plans by text; there are few texts, because values are parameters. */
const plans = new Map<string, Plan>()
const PLANS_MAX = 1_000

export function reachOf(text: string, values: readonly unknown[]): Reach {
  let plan = plans.get(text)
  if (plan === undefined) {
    plan = planOf(text)
    if (plans.size < PLANS_MAX) plans.set(text, plan)
  }
  return typeof plan === 'string'
    ? plan
    : { threadIds: plan.flatMap((number) => values[number - 1] as string | string[]) }
}

function planOf(text: string): Plan {
  if (WRITES_COPIED.test(text)) return 'all'
  const tables = new Set(matchesOf(text, USES_SPREAD))
  if (tables.size === 0) return 'coordinator'
  const forms = tables.size === 1 && tables.has('threads') ? [...NAMES_THREAD, NAMES_THREAD_BY_ID] : NAMES_THREAD
  const numbers = new Set([...forms.flatMap((form) => matchesOf(text, form)).map(Number), ...insertedThreads(text)])
  return numbers.size === 0 ? 'all' : [...numbers]
}

const matchesOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!)

/** The parameters that an insert puts into the column of the thread, in any of its rows. */
function insertedThreads(text: string): number[] {
  const [, table, columns, rows] = INSERTS.exec(text) ?? []
  if (columns === undefined) return []
  const column = columns
    .split(',')
    .findIndex((name) => /\w+/.exec(name)?.[0] === (table === 'threads' ? 'id' : 'threadId'))
  return rows!.split(/\),\s*\(/).flatMap((row) => {
    const number = /^\s*\$(\d+)/.exec(row.split(',')[column] ?? '')?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}
