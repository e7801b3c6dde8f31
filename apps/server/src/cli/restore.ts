/**
 * `npm run restore`: restores a board from an archive into an empty database, or only checks an
 * archive.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Head, Manifest } from '../backup/manifest.ts'
import { createProgress, type Progress } from '../backup/progress.ts'
import { BackupRefusal } from '../backup/refusal.ts'
import { checkArchive, restore } from '../backup/restore.ts'
import { createSecretKeeper } from '../backup/secret-keeper.ts'
import { explainBackup, withBoard } from './backup-setup.ts'
import { configFor, ENV_FILE_HELP, ENV_FILE_OPTION, nameBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run restore -- FILE              makes the board of an archive
       npm run restore -- --check FILE      verifies an archive and touches nothing

${ENV_FILE_HELP}

Takes what npm run backup wrote; - reads it from a pipe. The database (DATABASE_URL, or without it the one in DATA_DIR) has to be
empty, and no server may run on it. The archive is verified before anything counts: a restore that fails leaves the database as it
was. Pictures go into DATA_DIR or the bucket of S3_…, the secret into DATA_DIR. docs/backup.md tells more.`

interface Wanted extends BoardArguments {
  readonly file: string
  readonly check?: boolean | undefined
}

/** Null for the help. */
function readWanted(): Wanted | null {
  const flags = { help: { type: 'boolean', short: 'h' }, check: { type: 'boolean' } } as const
  const { values, positionals } = readArguments({ allowPositionals: true, options: { ...ENV_FILE_OPTION, ...flags } })
  const [file, ...more] = positionals
  if (values.help === true) return null
  if (file === undefined || more.length > 0) throw new UsageError('The command takes one file.')
  return { ...values, file }
}

interface Source {
  readonly input: Readable
  /** Share that has been read, from 0 to 1; null for a pipe. */
  share(): number | null
}

async function openSource(file: string): Promise<Source> {
  if (file === '-') return { input: process.stdin, share: () => null }
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile()) throw new BackupRefusal(`There is no archive ${file}.`)
  const input = createReadStream(file, { highWaterMark: 256 * 1024 })
  return { input, share: () => Math.min(1, input.bytesRead / Math.max(1, found.size)) }
}

const showing =
  (progress: Progress, { share }: Source) =>
  (what: string): void =>
    progress.show(what, share())

async function checkOnly({ file }: Wanted): Promise<string> {
  const source = await openSource(file)
  const progress = createProgress(process.stderr)
  const whole = await checkArchive(source.input, showing(progress, source)).finally(progress.end)
  return `The archive is whole: ${describe(whole)}.`
}

async function restoreBoard({ file, ...values }: Wanted): Promise<string> {
  const source = await openSource(file)
  const config = configFor(values)
  nameBoard(config)
  return withBoard(config, async ({ databaseUrl, pictures }) => {
    const progress = createProgress(process.stderr)
    const target = { databaseUrl, pictures, secret: createSecretKeeper(config) }
    const restored = await restore(source.input, target, showing(progress, source)).finally(progress.end)
    const { leftOut } = restored
    const rest = leftOut.length === 0 ? '' : ` Left out, as no tables of the board: ${leftOut.join(', ')}.`
    return `Restored: ${describe(restored)}.${rest}`
  })
}

function describe({ head, manifest }: { readonly head: Head; readonly manifest: Manifest }): string {
  const rows = (table: string): number => manifest.tables[table]?.rows ?? 0
  const counts = `${rows('threads')} threads, ${rows('posts')} posts, ${rows('users')} members`
  const origin = `of ${head.createdAt}, version ${head.version}, schema ${head.schema}`
  return `${counts}, ${manifest.pictures.files} files of pictures (${origin})`
}

const run = (wanted: Wanted): Promise<string> => (wanted.check === true ? checkOnly : restoreBoard)(wanted)

await runProgram({ help: HELP, read: readWanted, run, explain: explainBackup })
