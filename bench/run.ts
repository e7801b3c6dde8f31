/**
 * Measures the board against its goals: `npm run bench`. docs/bench.md shows the last run. Ratios
 * to a reference that runs at the same time cancel out a noisy machine; figures without a reference
 * are absolute.
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
/** Measured without being named. */
const USUAL = ROWS.filter((row) => row.isApart !== true).map((row) => row.name)

function optionsOrExit(): Options {
  try {
    const options = readOptions(process.argv.slice(2), { known: NAMES, usual: USUAL })
    if (options !== 'help') return options
    console.log(usage(NAMES))
    process.exit(0)
  } catch (error) {
    console.error((error as Error).message)
    console.error(usage(NAMES))
    process.exit(2)
  }
}

/** Progress: one updated line on a terminal, single lines elsewhere. */
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
      // The other rows may have taken an hour: report them anyway.
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
    isWhole: USUAL.every((name) => options.rows.includes(name)) && failed.length === 0,
    postgres: cluster.version,
    disturbance,
  })
}

const options = optionsOrExit()
const signals = endOnSignals()
try {
  await measure(options)
} catch (error) {
  // A stop aborts the measurement under way, whose error is expected.
  if (!signals.isStopping) console.error(error)
  process.exitCode = 1
} finally {
  if (!signals.isStopping) await cleanUp()
}
