/**
 * Every statement of the server tests is recorded in the file that the variable STATEMENTS names,
 * with the file that sends it, for the tests that look at all of them (db/statements.test.ts,
 * db/fan-outs.test.ts).
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Database } from '../db/client.ts'
import { isStandIn } from './stand-in-cluster.ts'

const file = process.env['STATEMENTS']
const SOURCES = join(import.meta.dirname, '..')
/** One JSON line per text and sender; several processes of the test runner append to the file. */
const recorded = new Set<string>()

export interface RecordedStatement {
  readonly text: string
  /** The file in `src` that sends it; null for one of the driver. */
  readonly sender: string | null
  /** Whether the board took its database for a cluster (stand-in-cluster.ts). */
  readonly isForCluster: boolean
}

export function recordStatements({ activity }: Database): void {
  if (file === undefined) return
  // From a test to its statement there are some thirty calls.
  Error.stackTraceLimit = 60
  activity.watch(({ text, error }) => {
    if (error !== null) return
    const line = JSON.stringify({ text, sender: findSender(), isForCluster: isStandIn } satisfies RecordedStatement)
    if (recorded.has(line)) return
    recorded.add(line)
    appendFileSync(file, `${line}\n`)
  })
}

/** The innermost call outside of `db` and `lib`, which send statements for others. */
function findSender(): string | null {
  for (const file of filesOfCalls()) {
    const path = relative(SOURCES, file.replace('file://', ''))
    if (!/^(?:\.\.|db\/|lib\/|testing\/statements)/.test(path)) return path
  }
  return null
}

/** The files of the calls under way, innermost first, without the cost of a stack as text. */
function filesOfCalls(): readonly string[] {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, calls) => calls.map((call) => call.getFileName() ?? '')
  const { stack } = new Error()
  Error.prepareStackTrace = prepareStackTrace
  return stack as unknown as readonly string[]
}

/** The recorded statements; null when none were recorded. */
export function readStatements(): readonly RecordedStatement[] | null {
  if (file === undefined || !existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines)].map((line) => JSON.parse(line) as RecordedStatement)
}
