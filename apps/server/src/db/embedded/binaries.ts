/** The PostgreSQL programs, which npm packages contain for each platform. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { locate } from '../../lib/locate.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Major version of the packages; data folders of another one cannot be opened. */
export const POSTGRES_MAJOR = '18'

/** Paths of the programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/**
 * Finds the programs for this machine.
 * @throws EmbeddedPostgresError when npm has not installed them: another platform, or
 * `--omit=optional`
 */
export function findBinaries(): Binaries {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  let entry: string
  try {
    entry = locate(name)
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine: the package ${name} is not installed. ` +
        'Run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  const native = join(dirname(dirname(entry)), 'native')
  linkLibraries(native)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (file: string) => join(native, 'bin', `${file}${suffix}`)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/**
 * npm packages cannot contain symbolic links, so the package lists those its libraries need, and
 * its install script creates them. This creates missing ones where install scripts do not run (`npm
 * ci --ignore-scripts`).
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // Another process created it at the same moment.
      if (code === 'EEXIST') continue
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL lacks a link to its library, which cannot be made (${message}). ` +
          'Run `npm rebuild` as the user who installed the packages.',
      )
    }
  }
}
