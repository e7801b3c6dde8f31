/** `npm run import`: imports logs of threads, while the board runs. */
import { THREAD_POSTS } from '@shinobi/contract/limits'
import { createProgress } from '../backup/progress.ts'
import type { Db } from '../db/client.ts'
import { selectUserByName } from '../features/accounts/users.queries.ts'
import { selectCategory } from '../features/categories/categories.queries.ts'
import { selectSettings } from '../features/settings/settings.queries.ts'
import { importLogs, ImportRefusal } from '../logs/import-logs.ts'
import { openSource, SourceError } from '../logs/sources.ts'
import { BOARD_HELP, BOARD_OPTIONS, configFor, openBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run import -- FOLDER|FILE|ARCHIVE.tar[.gz] --category NAME

  --category NAME             where the threads come
  --closed, --open            as past logs, or as threads that take posts; without either a log of JSON is what it was,
                              and a dat is a past log
  --owner NAME                a member who looks after the threads as their opener (スレ主)
  --dry-run                   reads everything, writes nothing
${BOARD_HELP}

Takes KEY.dat, KEY.dat.gz and the JSON of npm run export, in folders of any depth, with subject.txt where there is one. Run
again, it adds what is missing and nothing twice. It ends with 0 when all files were imported, and with 3 when some were left
out. docs/logs.md tells more.`

/** Two that write, and one that enters texts into the search index. */
const CONNECTIONS = 3
/** The exit code when some files were left out. */
const SOME_LEFT_OUT = 3

interface Wanted extends BoardArguments {
  readonly path: string
  readonly category: string
  readonly closed: boolean | undefined
  readonly owner: string | undefined
  readonly dryRun: boolean
}

const OPTIONS = {
  ...BOARD_OPTIONS,
  category: { type: 'string' },
  closed: { type: 'boolean' },
  open: { type: 'boolean' },
  owner: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Null for the help. @throws UsageError */
function readWanted(): Wanted | null {
  const { values, positionals } = readArguments({ allowPositionals: true, options: OPTIONS })
  const { category, closed, open, owner, help, 'dry-run': dryRun = false, ...board } = values
  if (help === true) return null
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('The command takes one folder, file or archive.')
  if (category === undefined) throw new UsageError('Name the category: --category NAME.')
  if (closed === true && open === true) throw new UsageError('Name one of --closed and --open.')
  return { ...board, path, category, owner, dryRun, closed: closed === true ? true : open === true ? false : undefined }
}

async function optionsOf(db: Db, { category: name, owner: ownerName, closed, dryRun }: Wanted) {
  const category = await selectCategory(db, name)
  if (category === undefined) throw new ImportRefusal(`There is no category ${name}.`)
  const owner = ownerName === undefined ? null : await selectUserByName(db, ownerName)
  if (owner === undefined) throw new ImportRefusal(`There is no member ${ownerName}.`)
  const { change } = await selectSettings(db)
  const postLimit = category.postLimit ?? change.postLimit ?? THREAD_POSTS
  return { categoryId: category.id, closed, postLimit, ownerId: owner?.id ?? null, now: Date.now(), dryRun }
}

async function run(wanted: Wanted): Promise<void> {
  const source = await openSource(wanted.path)
  const database = await openBoard(configFor(wanted), wanted, CONNECTIONS)
  const progress = createProgress(process.stderr)
  const begunAt = performance.now()
  try {
    const options = await optionsOf(database.db, wanted)
    const report = await importLogs(database.db, source, { ...options, show: progress.show })
    progress.end()
    const seconds = (performance.now() - begunAt) / 1_000
    const rate = wanted.dryRun ? '' : ` in ${seconds.toFixed(1)} s, ${Math.round(report.newPosts / seconds)} posts/s`
    const what = wanted.dryRun ? 'Would import' : 'Imported'
    console.log(`${what} ${report.newPosts} posts in ${report.newThreads} new threads${rate}.`)
    if (report.unchanged > 0) console.log(`${report.unchanged} threads had all posts of their logs.`)
    for (const line of report.describe()) console.log(line)
    if (report.leftOut > 0) process.exitCode = SOME_LEFT_OUT
  } finally {
    progress.end()
    await database.close()
  }
}

await runProgram({ help: HELP, read: readWanted, run, refusals: [ImportRefusal, SourceError] })
