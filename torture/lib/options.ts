import { parseArgs } from 'node:util'

export interface Options {
  /** Names of the scenarios to run. */
  readonly scenarios: readonly string[]
  readonly kills: number
  readonly powerCuts: number
  /** After this many minutes no further kill or power cut begins; null: no limit. */
  readonly minutes: number | null
  readonly seed: number
  /** A quick pass over everything that takes a minute; part of `npm test`. */
  readonly isShort: boolean
  /** The operator's PostgreSQL for the scenarios with a given one; null: one of this run. */
  readonly postgresUrl: string | null
  readonly redisUrl: string | null
  /** An empty database of a Citus coordinator for the scenario cluster; null: it is not run. */
  readonly citusUrl: string | null
  /** File of the report; null: docs/reliability.md, and only after a complete run. */
  readonly report: string | null
}

const KILLS = 100
const POWER_CUTS = 5
const SHORT_KILLS = 8
const IN_SHORT = ['kills', 'abuse']

/** @throws Error with one line for the terminal */
export function readOptions(
  args: readonly string[],
  { known, usual }: { readonly known: readonly string[]; readonly usual: readonly string[] },
): Options | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      kills: { type: 'string' },
      'power-cuts': { type: 'string' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      short: { type: 'boolean', default: false },
      'postgres-url': { type: 'string' },
      'redis-url': { type: 'string' },
      'citus-url': { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  const named = [...positionals, ...(values.only?.split(',').map((name) => name.trim()) ?? [])]
  const citusUrl = values['citus-url'] ?? null
  const all = citusUrl === null ? usual : known
  const scenarios = named.length > 0 ? named : values.short ? IN_SHORT : all
  const stranger = scenarios.find((name) => !known.includes(name))
  if (stranger !== undefined) throw new Error(`There is no scenario "${stranger}"; there are ${known.join(', ')}.`)
  if (scenarios.includes('cluster') && citusUrl === null) throw new Error('The scenario cluster needs --citus-url.')
  const whole = (name: 'kills' | 'power-cuts' | 'minutes' | 'seed', usual: number): number => {
    const value = Number(values[name] ?? usual)
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number.`)
    return value
  }
  for (const [name, protocol] of [
    ['postgres-url', 'postgres'],
    ['redis-url', 'redis'],
    ['citus-url', 'postgres'],
  ] as const) {
    const url = values[name]
    if (url !== undefined && !(URL.canParse(url) && url.startsWith(protocol)))
      throw new Error(`--${name} takes an address such as ${protocol}://127.0.0.1/0.`)
  }
  return {
    scenarios,
    kills: whole('kills', values.short ? SHORT_KILLS : KILLS),
    powerCuts: whole('power-cuts', POWER_CUTS),
    minutes: values.minutes === undefined ? null : whole('minutes', 0),
    // The short form runs in `npm test`, where every run must be the same.
    seed: whole('seed', values.short ? 1 : Date.now() % 1_000_000),
    isShort: values.short,
    postgresUrl: values['postgres-url'] ?? null,
    redisUrl: values['redis-url'] ?? null,
    citusUrl,
    report: values.report ?? null,
  }
}

export const usage = (known: readonly string[]): string => `usage: npm run torture -- [option …] [scenario …]
  Scenarios: ${known.join(', ')}; all of them when none is named (cluster only with --citus-url)
  --only NAMES        the same, comma-separated
  --kills N           kills in all (default ${KILLS}); docs/reliability.md is of 1,000
  --power-cuts N      power cuts (default ${POWER_CUTS}; root only); docs/reliability.md is of 20
  --minutes N         no further kill or power cut begins after so many minutes of a scenario
  --seed N            the same choice and moments of faults as in an earlier run
  --short             ${SHORT_KILLS} kills on the embedded database and a moment of each attack, as in \`npm test\`
  --postgres-url URL  a PostgreSQL database of yours for what is tried on a given one; it must be empty, and is filled
  --redis-url URL     a Redis of yours
  --citus-url URL     a database of a Citus coordinator that knows its workers, for the scenario cluster; it must be empty, and
                      is filled; its servers are killed, stopped and cut off when they run on this machine
  --report FILE       writes the report there; without it a whole run writes docs/reliability.md`
