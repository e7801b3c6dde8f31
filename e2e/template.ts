/**
 * Run once before the journeys: a board that was started and stopped, whose data folder each board of a test begins as a copy of. Making
 * the embedded database anew takes longer than starting on one that is there.
 */
import { rmSync } from 'node:fs'
import { makeTemplate } from './board.ts'

export default async function setup(): Promise<() => void> {
  const folder = await makeTemplate()
  process.env['E2E_TEMPLATE'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
