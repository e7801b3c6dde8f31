/**
 * `npm run seed`: fills the board with plausible Japanese threads and posts, for development and
 * load tests. Works on the configured database, also while the server runs.
 */
import { BOARD_HELP, BOARD_OPTIONS, configFor, openBoard, type BoardArguments } from '../cli/open-board.ts'
import { readArguments, runProgram, UsageError } from '../cli/program.ts'
import { raiseRevision } from '../db/revisions.ts'
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

type Wanted = Omit<BoardPlan, 'categories'> & { readonly people: boolean; readonly board: BoardArguments }

const MAX = 10_000_000

function readWanted(): Wanted | null {
  const { values } = readArguments({
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

async function run(wanted: Wanted): Promise<void> {
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

/** The one line for an error that the user can correct; null for any other error. */
function explain(error: unknown): string | null {
  if ((error as { code?: string }).code !== '23505') return null
  return 'The board already holds this seed. Take another number with --seed, or another time with --now.'
}

await runProgram({ help: HELP, read: readWanted, run, explain })
