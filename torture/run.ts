/**
 * Kills the board under load and takes its disk, files and database away, and checks that no
 * acknowledged data is ever lost: `npm run torture`. docs/reliability.md shows the last complete
 * run.
 */
import { cleanUp } from '../bench/lib/cleanup.ts'
import { endOnSignals } from '../bench/lib/signals.ts'
import { random } from '../bench/lib/text.ts'
import { readOptions, usage, type Options } from './lib/options.ts'
import { printSections, writeReport } from './lib/report.ts'
import type { Section } from './lib/scenario.ts'
import { SCENARIOS } from './scenarios/scenarios.ts'

const NAMES = SCENARIOS.map(({ name }) => name)
const USUAL = SCENARIOS.filter(({ isApart }) => isApart !== true).map(({ name }) => name)
const start = performance.now()

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

function say(line: string): void {
  const seconds = Math.round((performance.now() - start) / 1_000)
  console.log(`${String(Math.floor(seconds / 60)).padStart(3)}:${String(seconds % 60).padStart(2, '0')}  ${line}`)
}

async function torture(options: Options): Promise<void> {
  say(`seed ${options.seed}`)
  const sections: Section[] = []
  const failed: string[] = []
  for (const scenario of SCENARIOS) {
    if (!options.scenarios.includes(scenario.name)) continue
    try {
      sections.push(...(await scenario.run({ options, random: random(options.seed), say })))
    } catch (error) {
      if (signals.isStopping) return
      console.error(`\n${scenario.name} could not be finished:`, error)
      failed.push(scenario.name)
    }
    // Boards of one scenario must not disturb the next.
    if (!signals.isStopping) await cleanUp()
  }
  printSections(sections)
  for (const name of failed) console.log(`${name} could not be finished; the reason stands above.`)
  const isWhole = USUAL.every((name) => options.scenarios.includes(name)) && failed.length === 0
  writeReport(sections, { options, isWhole, minutes: (performance.now() - start) / 60_000 })
  if (failed.length > 0 || sections.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

const options = optionsOrExit()
const signals = endOnSignals()
try {
  await torture(options)
} catch (error) {
  // A stop aborts the scenario under way, whose error is expected.
  if (!signals.isStopping) console.error(error)
  process.exitCode = 1
} finally {
  if (!signals.isStopping) await cleanUp()
}
