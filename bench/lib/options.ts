import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the rows to measure. */
  readonly rows: readonly string[]
  readonly rounds: number
  /** Seconds of one measurement under load. */
  readonly seconds: number
  /** A short run, whose figures are not published. */
  readonly quick: boolean
  /** Posts of the large board; the small one beside it has a hundredth. */
  readonly posts: number
  /**
   * Address of a database with the large board, which is filled there when it is empty, and kept;
   * null for one of this run.
   */
  readonly largeUrl: string | null
  /**
   * Addresses of the two databases that the row `cluster` compares, filled when they are empty, and
   * kept: one of the coordinator of a Citus cluster, one of a PostgreSQL on the same machine.
   */
  readonly citusUrl: string | null
  readonly plainUrl: string | null
}

/** Posts of the large board, with a tenth as many threads. */
export const POSTS = 10_000_000
const QUICK_POSTS = 1_000_000
/** The step makes the small board have whole threads, and a list of some pages. */
const POSTS_STEP = 500_000

/** @throws Error with one line for the terminal */
export function readOptions(
  args: readonly string[],
  { known, usual }: { readonly known: readonly string[]; readonly usual: readonly string[] },
): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      posts: { type: 'string' },
      'large-url': { type: 'string' },
      'citus-url': { type: 'string' },
      'plain-url': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const rows = values.only?.split(',').map((name) => name.trim()) ?? usual
  const stranger = rows.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`There is no row "${stranger}"; there are ${known.join(', ')}.`)
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1.')
  const posts = Number(values.posts ?? (values.quick ? QUICK_POSTS : POSTS))
  if (!Number.isInteger(posts / POSTS_STEP) || posts <= 0)
    throw new Error(`--posts takes a multiple of ${POSTS_STEP.toLocaleString('en-US')}.`)
  const addressOf = (name: 'large-url' | 'citus-url' | 'plain-url'): string | null => {
    const url = values[name] ?? null
    if (url !== null && !URL.canParse(url)) throw new Error(`--${name} takes the address of a PostgreSQL database.`)
    return url
  }
  const [largeUrl, citusUrl, plainUrl] = [addressOf('large-url'), addressOf('citus-url'), addressOf('plain-url')]
  if (rows.includes('cluster') && (citusUrl === null || plainUrl === null))
    throw new Error('The row cluster needs --citus-url and --plain-url.')
  return { rows, rounds, seconds: values.quick ? 2 : 5, quick: values.quick, posts, largeUrl, citusUrl, plainUrl }
}

export const usage = (
  known: readonly string[],
): string => `usage: npm run bench -- [--only row,…] [--rounds n] [--quick] [--posts n] [--large-url url]
  --only    ${known.join(', ')}
            (cluster only when it is named)
  --rounds  how often everything is measured, interleaved with its reference (default 3; the median counts)
  --quick   one short round of everything, for a look; docs/bench.md stays as it is
  --posts   posts of the large board (rows scale and search; default ${POSTS.toLocaleString('en-US')}, quick ${QUICK_POSTS.toLocaleString('en-US')})
  --large-url  keeps the large board: a PostgreSQL database that is filled when it is empty and used as it is by later runs
            (for instance in "node scripts/postgres.mjs --durable"; ten million posts take some 20 minutes; their size is in docs/performance.md)
  --citus-url, --plain-url  what the row cluster compares: a database of a coordinator that knows its workers, and one of a PostgreSQL
            beside it; empty ones are filled, and kept`
