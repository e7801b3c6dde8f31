/** kill -9 of the server, of its database, of both, of everything, at random moments under load. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../../bench/lib/usage.ts'
import { countOrphans } from '../lib/check.ts'
import { beginTrial, RECOVERY_MS, type Scenario, type Section, type Torture, type Trial } from '../lib/scenario.ts'
import { killNow, postmasterOf } from '../lib/site.ts'

/** Of load between the end of a recovery and the next kill. */
const LOAD_MS = { least: 200, most: 1_500 }
const SAY_EVERY = 25

interface Fault {
  readonly name: string
  /** How often it is drawn, beside the others. */
  readonly weight: number
  /** Kills, and starts again what does not start by itself. */
  readonly strike: (trial: Trial) => Promise<void>
}

const dataOf = ({ site }: Trial): string => join(site.dataDir, 'postgres')

const EMBEDDED: readonly Fault[] = [
  {
    name: 'the server',
    weight: 4,
    async strike({ site }) {
      await site.kill()
      await site.start()
    },
  },
  { name: 'the database', weight: 2, strike: async (trial) => killNow(postmasterOf(dataOf(trial))) },
  { name: 'a process of the database', weight: 1, strike: async (trial) => killOneOf(postmasterOf(dataOf(trial))) },
  {
    name: 'server and database',
    weight: 2,
    async strike(trial) {
      killNow(postmasterOf(dataOf(trial)))
      await trial.site.kill()
      await trial.site.start()
    },
  },
  {
    name: 'everything: the server and all that it started',
    weight: 2,
    async strike({ site }) {
      site.killAll()
      await site.kill()
      await site.start()
    },
  },
]

/** The server while it starts, as well: an impatient operator, or a machine that keeps killing it. */
const WHILE_STARTING = 0.08
const STARTS_WITHIN_MS = 900

function killOneOf(postmaster: number): void {
  const pids = descendantsOf(postmaster)
  const pid = pids[Math.floor(Math.random() * pids.length)]
  if (pid !== undefined) killNow(pid)
}

function draw(faults: readonly Fault[], random: () => number): Fault {
  let left = random() * faults.reduce((sum, { weight }) => sum + weight, 0)
  return faults.find(({ weight }) => (left -= weight) < 0) ?? faults[0]!
}

async function killAgainAndAgain(
  torture: Torture,
  trial: Trial,
  faults: readonly Fault[],
  kills: number,
): Promise<void> {
  const { random, say, options } = torture
  const start = performance.now()
  for (let done = 0; done < kills;) {
    if (options.minutes !== null && performance.now() - start > options.minutes * 60_000) break
    await Promise.all([sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least)), trial.checker.checkTouched()])
    const fault = draw(faults, random)
    const at = performance.now()
    try {
      if (random() < WHILE_STARTING) {
        await trial.site.kill()
        trial.site.start().catch(() => {})
        await sleep(random() * STARTS_WITHIN_MS)
        trial.count('the server while it starts')
        done += 1
      }
      await fault.strike(trial)
      trial.count(fault.name, await trial.crowd.acknowledgedAfter(at, RECOVERY_MS))
    } catch (error) {
      trial.count(fault.name)
      trial.ledger.report('outage', `after a kill of ${fault.name} (kill ${done + 1}): ${(error as Error).message}`)
      // What the next kills find is worth as much.
      await trial.site.kill()
      await trial.site.start()
    }
    done += 1
    if (done % SAY_EVERY === 0) say(`${done} of ${kills} kills, ${trial.ledger.acknowledged.posts} posts acknowledged`)
  }
}

async function run(torture: Torture): Promise<Section[]> {
  const { options, say } = torture
  say('kills on the embedded database')
  const trial = await beginTrial(torture, { title: 'Kills, embedded database' })
  await killAgainAndAgain(torture, trial, EMBEDDED, options.kills)
  trial.note(`Pictures in the folder that belong to no post: ${await countOrphans(trial.site.dataDir, trial.sql)}.`)
  return [await trial.end()]
}

export const kills: Scenario = { name: 'kills', run }
