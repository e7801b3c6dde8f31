import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A data folder for processes of a test's own, with an empty, migrated embedded database. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-data-'))
  cpSync(inject('templateFolder'), folder, { recursive: true })
  return folder
}

/** The same without a database. */
export const makeEmptyFolder = (): string => mkdtempSync(join(tmpdir(), 'shinobi-data-'))
