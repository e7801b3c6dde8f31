/**
 * `npm run import` of logs of full threads, with the search index, on a PostgreSQL that waits for
 * the disk; beside it, what PostgreSQL needs for the same rows alone.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatLine } from '@shinobi/dat/line'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { naturalText } from '../lib/natural-text.ts'
import { NODE, ROOT, temporaryFolder } from '../lib/server.ts'
import { median } from '../lib/stats.ts'
import { random } from '../lib/text.ts'

const run = promisify(execFile)

const IMPORT = join(ROOT, 'apps/server/src/cli/import.ts')
const POSTS = 1_000
/** Seconds between two threads. */
const APART = 3_600

/** Writes logs of full threads, ten years old. @returns the folder */
function writeLogs(threads: number): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'dat'))
  const next = random(7)
  const begin = Math.floor(Date.now() / 1_000) - 10 * 365 * 86_400
  for (let thread = 0; thread < threads; thread += 1) {
    const key = begin + thread * APART
    const lines = Array.from({ length: POSTS }, (_, index) =>
      formatLine({
        ...{ name: '名無しさん', trip: null, staff: false, mail: next() < 0.5 ? 'sage' : '', posterId: 'abCD/12+0' },
        at: new Date((key + index * 3) * 1_000),
        body: naturalText(next, 8 + Math.floor(next() ** 3 * 100)),
        title: index === 0 ? naturalText(next, 20) : '',
      }),
    )
    writeFileSync(join(folder, `dat/${key}.dat`), Buffer.concat(lines))
  }
  return folder
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const threads = options.quick ? 60 : 300
  const folder = writeLogs(threads)
  const rates: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`import: round ${round + 1} of ${options.rounds}`)
    const databaseUrl = await cluster.copyBoard(`board_import_${round}`)
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, DATABASE_URL: databaseUrl }
    const begun = performance.now()
    const { stdout } = await run(NODE, [IMPORT, 'dat', '--category', 'general'], { cwd: folder, env })
    const seconds = (performance.now() - begun) / 1_000
    if (!stdout.startsWith(`Imported ${threads * POSTS} posts in ${threads} new threads`)) throw new Error(stdout)
    rates.push((threads * POSTS) / seconds)
    await cluster.untilQuiet(databaseUrl)
    ratios.push((await bareSeconds(databaseUrl, cluster.programs, folder)) / seconds)
  }
  const detail = `${say(threads * POSTS)} posts in ${say(threads)} files; from the start of the program to its end; ${say(median(ratios))} × PostgreSQL alone: COPY of the same rows, and their index at once`
  return [toFigure('import of logs, search index included', 'posts/s', rates, atLeast(20_000), detail)]
}

/**
 * Seconds that PostgreSQL needs for the same rows alone: COPY into tables like those of the board,
 * and the index of the search at once.
 */
async function bareSeconds(databaseUrl: string, programs: string, folder: string): Promise<number> {
  const psql = (command: string) =>
    run(join(programs, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', databaseUrl, '-c', command])
  const ofLogs = `"threadId" in (select id from threads where "createdAt" < now() - interval '1 year')`
  for (const [table, copy] of COPIES) {
    await psql(`\\copy (select * from ${table} where ${ofLogs}) to '${folder}/${copy.replaceAll('"', '')}'`)
    await psql(`create table ${copy} (like ${table} including all)`)
  }
  await psql('drop index "copiedTexts_grams_idx"')
  const begun = performance.now()
  for (const [, copy] of COPIES) await psql(`\\copy ${copy} from '${folder}/${copy.replaceAll('"', '')}'`)
  await psql(`set maintenance_work_mem = '256MB'; create index on "copiedTexts" using gin (grams)`)
  return (performance.now() - begun) / 1_000
}

const COPIES = [
  ['posts', '"copiedPosts"'],
  ['"searchDocuments"', '"copiedTexts"'],
] as const

export const importRow: Row = { name: 'import', measure }
