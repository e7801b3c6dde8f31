/**
 * Measures the board against its goals (docs/bench.md shows the last run): `npm run bench`. Ratios to a reference that
 * runs in the same minutes cancel out a noisy machine; what has no reference is given as it is.
 */
import { cleanUp } from './lib/cleanup.ts'
import { openCluster } from './lib/cluster.ts'
import { measureDisturbance } from './lib/disturbance.ts'
import type { Figure } from './lib/figure.ts'
import { readOptions, usage, type Options } from './lib/options.ts'
import { printFigures, writeReport } from './lib/report.ts'
import { endOnSignals } from './lib/signals.ts'
import { ROWS } from './rows/rows.ts'

const NAMES = ROWS.map((row) => row.name)

function optionsOrExit(): Options {
  try {
    const options = readOptions(process.argv.slice(2), NAMES)
    if (options !== 'help') return options
    console.log(usage(NAMES))
    process.exit(0)
  } catch (error) {
    console.error((error as Error).message)
    console.error(usage(NAMES))
    process.exit(2)
  }
}

/** Progress on one line of a terminal; line by line elsewhere. */
function say(progress: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\u001B[K${progress} …` : `${progress} …\n`)
}

async function measure(options: Options): Promise<void> {
  say('starting PostgreSQL and filling the board')
  const cluster = await openCluster()
  const figures: Figure[] = []
  const disturbance: number[] = []
  const failed: string[] = []
  for (const row of ROWS) {
    if (!options.rows.includes(row.name)) continue
    disturbance.push(await measureDisturbance())
    try {
      figures.push(...(await row.measure({ options, cluster, say })))
    } catch (error) {
      if (signals.isStopping) return
      // What the other rows took an hour to measure is worth telling.
      console.error(`\n${row.name} could not be measured:`, error)
      failed.push(row.name)
      process.exitCode = 1
    }
  }
  if (process.stdout.isTTY) process.stdout.write('\r\u001B[K')
  if (figures.length === 0) return
  printFigures(figures)
  writeReport(figures, {
    options,
    isWhole: options.rows.length === NAMES.length && failed.length === 0,
    postgres: cluster.version,
    disturbance,
  })
}

const options = optionsOrExit()
const signals = endOnSignals()
try {
  await measure(options)
} catch (error) {
  // What is stopped on purpose breaks off what was being measured.
  if (!signals.isStopping) console.error(error)
  process.exitCode = 1
} finally {
  if (!signals.isStopping) await cleanUp()
}
