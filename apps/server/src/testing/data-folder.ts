import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { temporary } from '../../../../scripts/temporary.mjs'

/** A data folder for processes of one test, with an empty, migrated embedded database. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(temporary, 'shinobi-data-'))
  cpSync(inject('templateFolder'), folder, { recursive: true })
  return folder
}

/** The same without a database. */
export const makeEmptyFolder = (): string => mkdtempSync(join(temporary, 'shinobi-data-'))
