/**
 * The data folder of the embedded database, called a cluster by PostgreSQL: its creation, and which
 * formats can be opened.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from '../../lib/sync-path.ts'
import { authenticationOf, USER } from './address.ts'
import { POSTGRES_MAJOR, type Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Launcher } from './launch.ts'

/** Paths of the embedded database in DATA_DIR. */
export const foldersOf = (dataDir: string) => ({ data: join(dataDir, 'postgres'), run: join(dataDir, 'run') })

/** Whether the folder contains an embedded database. */
export const holdsEmbedded = (dataDir: string): boolean => existsSync(join(foldersOf(dataDir).data, 'PG_VERSION'))

/**
 * @throws EmbeddedPostgresError for a data folder of another version of the board, or of PostgreSQL
 */
export function refuseOlderFormats(dataDir: string): void {
  const { data } = foldersOf(dataDir)
  if (holdsEmbedded(dataDir)) {
    const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
    if (version === POSTGRES_MAJOR) return
    throw new EmbeddedPostgresError(
      `The database in ${data} is of PostgreSQL ${version}; this version of the board brings PostgreSQL ` +
        `${POSTGRES_MAJOR}. docs/upgrading.md says how to move it.`,
    )
  }
  const old = join(dataDir, 'database')
  if (existsSync(join(old, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `The folder ${old} holds the embedded database of version 0.1, which this version cannot open. ` +
        'docs/upgrading.md says how to move it. To begin a new board, rename that folder.',
    )
  }
}

/**
 * @throws EmbeddedPostgresError for a data folder of another user, which PostgreSQL does not open
 */
export function refuseForeignFolder(data: string, { uid }: Launcher): void {
  const owner = statSync(data, { throwIfNoEntry: false })?.uid
  if (uid === null || owner === undefined || owner === uid) return
  throw new EmbeddedPostgresError(
    `The database in ${data} belongs to another user (number ${owner}). Run this as that user, for example by sudo -u.`,
  )
}

/**
 * Creates the data folder under another name and renames it, so that an interrupted start leaves no
 * incomplete one.
 * @throws EmbeddedPostgresError when initdb fails
 */
export async function createCluster(dataDir: string, { initdb }: Binaries, launcher: Launcher): Promise<void> {
  const { data, run } = foldersOf(dataDir)
  const next = `${data}.new`
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { mode: 0o700 })
  launcher.own(next)
  const made = launcher.run(initdb, [
    ...['-D', next, '--username', USER, ...authenticationOf(run), '--encoding', 'UTF8', '--data-checksums'],
    // Sorts by code point on every system; the board sorts nothing by language.
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--no-instructions'],
  ])
  if (made.status !== 0) {
    rmSync(next, { recursive: true, force: true })
    const lines = made.stderr?.trim().split('\n') ?? []
    // The last line only says how initdb cleans up.
    const why = lines.find((line) => /FATAL|error:/.test(line)) ?? lines.at(-1) ?? made.error?.message
    throw new EmbeddedPostgresError(`The embedded database in ${data} could not be made: ${why}.`)
  }
  renameSync(next, data)
  await syncPath(dirname(data))
}
