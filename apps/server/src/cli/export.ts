/** `npm run export`: writes threads as files, while the board runs. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError } from '../lib/api-error.ts'
import { UUID } from '../lib/uuid.ts'
import { createProgress } from '../backup/progress.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { selectCategories, type CategoryRow } from '../features/categories/categories.queries.ts'
import { subjectLine } from '../features/gateway/dat-lines.ts'
import { selectLoggedThread, selectLoggedThreads, type LoggedThread } from '../features/gateway/dats.queries.ts'
import { LOG_FORMS, writeLog, type FileForm } from '../features/gateway/thread-logs.ts'
import { selectThreadKeys } from '../features/threads/thread-keys.queries.ts'
import { configFor, ENV_FILE_HELP, ENV_FILE_OPTION, openBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run export -- --thread ID|--category NAME|--all [--format json|dat|txt|html] [--out FOLDER]

  --format FORM               json (the default), dat, txt or html; docs/logs.md describes them
  --out FOLDER                where the files are written; ./export without it
${ENV_FILE_HELP}

Writes one file for each thread, FOLDER/<category>/<key>.<form>, and for dat the subject.txt of each category. Removed
threads are left out, and of removed posts all but the number. The board may run meanwhile. A file that is there is replaced.`

interface Wanted extends BoardArguments {
  readonly of: { readonly thread: string } | { readonly category: string } | 'all'
  readonly form: FileForm
  readonly out: string
}

const OPTIONS = {
  ...ENV_FILE_OPTION,
  thread: { type: 'string' },
  category: { type: 'string' },
  all: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Null for the help. @throws UsageError */
function readWanted(): Wanted | null {
  const {
    thread,
    category,
    all,
    format = 'json',
    out = 'export',
    help,
    ...values
  } = readArguments({ options: OPTIONS }).values
  if (help === true) return null
  const chosen = [thread, category, all].filter((option) => option !== undefined)
  if (chosen.length !== 1) throw new UsageError('Name one of --thread, --category and --all.')
  if (!Object.hasOwn(LOG_FORMS, format)) throw new UsageError(`There is no format ${format}.`)
  if (thread !== undefined && !UUID.test(thread))
    throw new UsageError('The id of a thread is in its address: /thread/ID.')
  const of = thread !== undefined ? { thread } : category !== undefined ? { category } : 'all'
  return { ...values, of, out, form: format as FileForm }
}

/** What the user named does not exist, or cannot be written. */
class ExportRefusal extends Error {}

/** Threads read at a time. */
const PAGE = 100

async function run({ of, form, out, ...values }: Wanted): Promise<string> {
  const config = configFor(values)
  const database = await openBoard(config, values, 2)
  const progress = createProgress(process.stderr)
  const exporter = { db: database.db, config, form, out, progress, written: 0 }
  try {
    if (of !== 'all' && 'thread' in of) await exportOne(exporter, of.thread)
    else for (const category of await categoriesOf(database.db, of)) await exportCategory(exporter, category)
  } finally {
    progress.end()
    await database.close()
  }
  return `Exported ${exporter.written} ${exporter.written === 1 ? 'thread' : 'threads'} to ${out}.`
}

interface Exporter {
  readonly db: Db
  readonly config: Config
  readonly form: FileForm
  readonly out: string
  readonly progress: ReturnType<typeof createProgress>
  written: number
}

async function categoriesOf(db: Db, of: { readonly category: string } | 'all'): Promise<CategoryRow[]> {
  const categories = await selectCategories(db)
  if (of === 'all') return categories
  const category = categories.find(({ id, name }) => name === of.category || id === of.category)
  if (category === undefined) throw new ExportRefusal(`There is no category ${of.category}.`)
  return [category]
}

/** The folder of a category: a name that is no folder anywhere is escaped. */
const folderOf = (category: string): string => encodeURIComponent(category).replaceAll(/^\.+$/g, '_')

async function exportCategory(exporter: Exporter, category: CategoryRow): Promise<void> {
  const { db, form, out } = exporter
  const subjects: Buffer[] = []
  for (let after: string | null = null; ;) {
    const threads = await selectLoggedThreads(db, { categoryId: category.id, after, limit: PAGE })
    const ids = threads.map(({ id }) => id)
    const keys = await selectThreadKeys(db, ids, category.id)
    for (const thread of threads) {
      const key = keys.get(thread.id) ?? null
      const isThere = await exportThread(exporter, thread, key)
      if (isThere && key !== null) subjects.push(subjectLine(thread, key))
    }
    if (threads.length < PAGE) break
    after = ids.at(-1)!
  }
  if (form === 'dat') await writeWhole(join(out, folderOf(category.name), 'subject.txt'), subjects)
}

async function exportOne(exporter: Exporter, threadId: string): Promise<void> {
  const { db } = exporter
  const refusal = new ExportRefusal(`There is no thread ${threadId}.`)
  const thread = await selectLoggedThread(db, threadId)
  if (thread === undefined) throw refusal
  const keys = await selectThreadKeys(db, [threadId], thread.categoryId)
  if (!(await exportThread(exporter, thread, keys.get(threadId) ?? null))) throw refusal
}

/** @returns false for a thread that was removed meanwhile */
async function exportThread(exporter: Exporter, thread: LoggedThread, key: number | null): Promise<boolean> {
  const { db, config, form, out, progress } = exporter
  const parts: Buffer[] = []
  try {
    const log = { source: db, thread, form, context: { key, publicUrl: config.publicUrl } }
    for await (const part of writeLog(log)) parts.push(part)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
  await writeWhole(join(out, folderOf(thread.category), `${key ?? thread.id}.${form}`), parts)
  exporter.written += 1
  progress.show(`${exporter.written} threads`, null)
  return true
}

/** A file is there as a whole or as it was. */
async function writeWhole(file: string, parts: readonly Buffer[]): Promise<void> {
  const partial = `${file}.partial`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(partial, parts)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw new ExportRefusal(
      `The file ${file} cannot be written (${(error as Error).message}). Name another folder with --out.`,
    )
  }
}

await runProgram({ help: HELP, read: readWanted, run, refusals: [ExportRefusal] })
