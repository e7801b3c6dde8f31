/**
 * Every statement that the server tests send is kept in the file that the variable STATEMENTS names, so that an older PostgreSQL
 * can be asked whether it takes them all (db/statements.test.ts).
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Database } from '../db/client.ts'

const file = process.env['STATEMENTS']
/** A row for each text, as JSON; several processes of the test runner append to it. */
const recorded = new Set<string>()

export function recordStatements({ activity }: Database): void {
  if (file === undefined) return
  activity.watch(({ text, error }) => {
    if (error !== null || recorded.has(text)) return
    recorded.add(text)
    appendFileSync(file, `${JSON.stringify(text)}\n`)
  })
}

/** The texts that were kept; null when none were. */
export function readStatements(): readonly string[] | null {
  if (file === undefined || !existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines)].map((line) => JSON.parse(line) as string)
}
