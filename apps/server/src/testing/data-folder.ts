import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A data folder for a process of a test's own, in which the embedded database (if that is tested) is there and migrated. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-data-'))
  const template = inject('templateFolder')
  if (template !== null) cpSync(template, join(folder, 'database'), { recursive: true })
  return folder
}
