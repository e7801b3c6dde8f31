/**
 * Every statement of the server tests is recorded in the file that the variable STATEMENTS names,
 * to check that an older PostgreSQL accepts them all (db/statements.test.ts).
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Database } from '../db/client.ts'

const file = process.env['STATEMENTS']
/** One JSON line per text; several processes of the test runner append to the file. */
const recorded = new Set<string>()

export function recordStatements({ activity }: Database): void {
  if (file === undefined) return
  activity.watch(({ text, error }) => {
    if (error !== null || recorded.has(text)) return
    recorded.add(text)
    appendFileSync(file, `${JSON.stringify(text)}\n`)
  })
}

/** The recorded texts; null when none were recorded. */
export function readStatements(): readonly string[] | null {
  if (file === undefined || !existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines)].map((line) => JSON.parse(line) as string)
}
