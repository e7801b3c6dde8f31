import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the rows to measure. */
  readonly rows: readonly string[]
  readonly rounds: number
  /** Seconds that one measurement under load takes. */
  readonly seconds: number
  /** A short look; its figures are not for the page. */
  readonly quick: boolean
}

/** @throws Error with one line for the terminal */
export function readOptions(args: readonly string[], known: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const rows = values.only?.split(',').map((name) => name.trim()) ?? known
  const stranger = rows.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`There is no row "${stranger}"; there are ${known.join(', ')}.`)
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3))
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1.')
  return { rows, rounds, seconds: values.quick ? 2 : 5, quick: values.quick }
}

export const usage = (
  known: readonly string[],
): string => `usage: npm run bench -- [--only row,…] [--rounds n] [--quick]
  --only    ${known.join(', ')}
  --rounds  how often everything is measured, interleaved with its reference (default 3; the median counts)
  --quick   one short round of everything, for a look; docs/bench.md stays as it is`
