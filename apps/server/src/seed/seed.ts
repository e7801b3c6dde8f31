/**
 * `npm run seed`: fills the board with plausible Japanese threads and posts, for development and
 * load tests. Works on the configured database, also while the server runs.
 */
import { parseArgs } from 'node:util'
import {
  BOARD_HELP,
  BOARD_OPTIONS,
  configFor,
  NoBoardError,
  openBoard,
  type BoardArguments,
} from '../cli/open-board.ts'
import { raiseRevision } from '../db/revisions.ts'
import { explainSetup } from '../explain-setup.ts'
import type { BoardPlan } from './board.ts'
import { seedPeople } from './people.ts'
import { buildSearch, writeBoard } from './fill.ts'

const HELP = `usage: npm run seed -- [--threads N] [--posts N] [--seed N] [--now TIME] [--people]

Fills the board with Japanese threads and posts of the last 90 days, in the categories it has.
  --threads N  threads to open (default 200)
  --posts N    posts in all of them, the opening ones included (default 6000)
  --seed N     number the texts grow from (default 1); the same number and time make the same board
  --now TIME   the board's present, such as 2026-11-21T12:00:00Z (default: the current hour)
  --people     also the member kaede and the administrator hanzo (passwords kaede-no-himitsu, hanzo-no-himitsu), to try things out
${BOARD_HELP}

Writes to DATABASE_URL, or without it to the database in DATA_DIR, also while the server runs.`

class UsageError extends Error {}

type Wanted = Omit<BoardPlan, 'categories'> & { readonly people: boolean; readonly board: BoardArguments }

const MAX = 10_000_000

function readWanted(args: readonly string[]): Wanted | null {
  const { values } = readArguments(args)
  if (values.help === true) return null
  const whole = (name: string, text: string, min: number): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > MAX) {
      throw new UsageError(`--${name} takes a whole number from ${min} to ${MAX}, not "${text}".`)
    }
    return value
  }
  const threads = whole('threads', values.threads, 1)
  const posts = whole('posts', values.posts, 1)
  if (posts < threads)
    throw new UsageError(`--posts must be at least --threads (${threads}): every thread has an opening post.`)
  const hour = 3_600_000
  const now = values.now === undefined ? Math.floor(Date.now() / hour) * hour : Date.parse(values.now)
  if (Number.isNaN(now)) throw new UsageError(`--now takes a time such as 2026-11-21T12:00:00Z, not "${values.now}".`)
  return { threads, posts, seed: whole('seed', values.seed, 0), now, people: values.people === true, board: values }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...BOARD_OPTIONS,
        threads: { type: 'string', default: '200' },
        posts: { type: 'string', default: '6000' },
        seed: { type: 'string', default: '1' },
        now: { type: 'string' },
        people: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function seed(wanted: Wanted): Promise<void> {
  const start = performance.now()
  const seconds = (): string => `${((performance.now() - start) / 1_000).toFixed(1)} s`
  const database = await openBoard(configFor(wanted.board), wanted.board, 2)
  try {
    const { db } = database
    const categories = await db.selectFrom('categories').select(['id', 'name']).orderBy('position').execute()
    if (categories.length === 0) throw new UsageError('The board has no categories to open threads in.')
    let told = 0
    await writeBoard(db, { ...wanted, categories }, (posts) => {
      const tenth = Math.floor((posts / wanted.posts) * 10)
      if (tenth > told) console.log(`${posts} of ${wanted.posts} posts written (${seconds()})`)
      told = tenth
    })
    if (wanted.people) await seedPeople(db, new Date(wanted.now))
    console.log('Building the search index …')
    await buildSearch(db, Date.now())
    await raiseRevision(db, 'answers')
    console.log(`${wanted.threads} threads with ${wanted.posts} posts are on the board (${seconds()}).`)
  } finally {
    await database.close()
  }
}

/** Errors that the user can correct are reported in one line. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${HELP}`
  if (error instanceof NoBoardError) return error.message
  const { code } = error as { code?: string }
  if (code === '23505')
    return 'The board already holds this seed. Take another number with --seed, or another time with --now.'
  return explainSetup(error) ?? (error as Error).stack ?? String(error)
}

try {
  const wanted = readWanted(process.argv.slice(2))
  if (wanted === null) console.log(HELP)
  else await seed(wanted)
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
