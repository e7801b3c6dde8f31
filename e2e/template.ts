/**
 * Runs once before the journeys: starts and stops a board whose data folder the boards of tests are
 * copied from. Creating an embedded database takes longer than starting a copy.
 */
import { rmSync } from 'node:fs'
import { makeTemplate } from './board.ts'

export default async function setup(): Promise<() => void> {
  const folder = await makeTemplate()
  process.env['E2E_TEMPLATE'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
