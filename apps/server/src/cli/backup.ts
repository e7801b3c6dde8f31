/** `npm run backup`: writes an archive of the board while it runs. */
import { backUp } from '../backup/backup.ts'
import { compressionOf } from '../backup/compression.ts'
import { openFile, openPipe, type Output } from '../backup/output.ts'
import { createProgress, describeBytes } from '../backup/progress.ts'
import { BackupRefusal } from '../backup/refusal.ts'
import type { Config } from '../config.ts'
import { holdsEmbedded } from '../db/embedded/cluster.ts'
import { readSecret } from '../secret.ts'
import { VERSION } from '../version.ts'
import { explainBackup, withBoard } from './backup-setup.ts'
import { configFor, ENV_FILE_HELP, ENV_FILE_OPTION, nameBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run backup -- FILE.tar.zst       (or FILE.tar.gz)
       npm run --silent backup -- - | …     writes .tar.zst into a pipe

${ENV_FILE_HELP}

Writes one archive of the board: database, pictures and secret. The board may run meanwhile; its database is taken as of
one moment. The file appears when it is complete, readable by its owner only, and replaces one of its name. It holds all that
the board knows, and the key to its sessions: keep it as safe as the board itself. docs/backup.md tells more.`

interface Wanted extends BoardArguments {
  readonly file: string
}

/** Null for the help. */
function readWanted(): Wanted | null {
  const options = { ...ENV_FILE_OPTION, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = readArguments({ allowPositionals: true, options })
  const [file, ...more] = positionals
  if (values.help === true) return null
  if (file === undefined || more.length > 0) throw new UsageError('The command takes one file.')
  return { ...values, file }
}

function refuseSpoiledPipe(): void {
  if (process.stdout.isTTY) throw new BackupRefusal('A terminal cannot show an archive: name a file or a pipe.')
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = process.env
  if (script !== undefined && level !== 'silent') {
    throw new BackupRefusal('npm has written its own lines into the pipe. Run: npm run --silent backup -- -')
  }
}

/** @throws BackupRefusal where the settings name no board, so that none is created by accident */
function requireBoard(config: Config): { readonly secret: string } {
  const { databaseUrl, dataDir } = config
  const secret = readSecret(config)
  if (secret !== null && (databaseUrl !== null || holdsEmbedded(dataDir))) return { secret }
  const what = secret === null ? 'session-secret' : 'database'
  throw new BackupRefusal(
    `${dataDir} holds no ${what}, so no board was started there. Name the server's settings with --env-file FILE.`,
  )
}

async function run({ file, ...values }: Wanted): Promise<void> {
  if (file === '-') refuseSpoiledPipe()
  const compression = compressionOf(file)
  const config = configFor(values)
  nameBoard(config)
  const { secret } = requireBoard(config)
  await withBoard(config, async ({ databaseUrl, pictures }) => {
    const output = file === '-' ? openPipe(process.stdout) : await openFile(file)
    discardOnSignal(output)
    const source = { databaseUrl, secret, pictures, version: VERSION }
    const { tables, ...manifest } = await backUp(source, output, compression, createProgress(process.stderr))
    const bytes = Object.values(tables).reduce((sum, table) => sum + table.bytes, manifest.pictures.bytes)
    const counts = `${tables['posts']?.rows ?? 0} posts, ${manifest.pictures.files} files of pictures`
    // Standard output may be the archive.
    console.error(`Backed up to ${file}: ${counts}, ${describeBytes(bytes)} before compression.`)
  })
}

function discardOnSignal(output: Output): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      output.discard()
      process.kill(process.pid, signal)
    })
  }
}

await runProgram({ help: HELP, read: readWanted, run, explain: explainBackup })
