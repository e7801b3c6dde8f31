/** kill -9 of the server, its database, both, or everything, at random moments under load. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../../bench/lib/usage.ts'
import { countOrphans } from '../lib/check.ts'
import { openGivenPostgres, type GivenPostgres } from '../lib/given-postgres.ts'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'
import { killNow, postmasterOf } from '../lib/site.ts'

/** Milliseconds of load between the end of a recovery and the next kill. */
const LOAD_MS = { least: 200, most: 1_500 }
const SAY_EVERY = 25
/**
 * Share of the kills on a given PostgreSQL; the others are on the embedded one, which is the
 * default.
 */
const ON_GIVEN = 0.3
/**
 * Share of kills during the start: an impatient operator, or a machine that keeps killing the
 * server.
 */
const WHILE_STARTING = 0.08
const STARTS_WITHIN_MS = 900

interface Fault {
  readonly name: string
  /** Relative frequency. */
  readonly weight: number
  /** Kills, and restarts what does not restart by itself. */
  readonly strike: (trial: Trial) => Promise<void>
}

const theServer: Fault = {
  name: 'the server',
  weight: 4,
  async strike({ site }) {
    await site.kill()
    await site.start()
  },
}

const embeddedPostmaster = ({ site }: Trial): number => postmasterOf(join(site.dataDir, 'postgres'))

/** With a database that the server restarts by itself. */
const EMBEDDED: readonly Fault[] = [
  theServer,
  { name: 'the database', weight: 2, strike: async (trial) => killNow(embeddedPostmaster(trial)) },
  {
    name: 'a process of the database',
    weight: 1,
    strike: async (trial) => killOne(descendantsOf(embeddedPostmaster(trial))),
  },
  {
    name: 'server and database',
    weight: 2,
    async strike(trial) {
      killNow(embeddedPostmaster(trial))
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

/** With a database that is restarted by others. */
function faultsOnGiven({ own }: GivenPostgres): readonly Fault[] {
  if (own === null) {
    const terminate =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    const strike = async ({ sql }: Trial): Promise<void> => void (await sql.rows(terminate))
    return [theServer, { name: 'all connections to the database', weight: 2, strike }]
  }
  return [
    theServer,
    {
      name: 'the database',
      weight: 2,
      async strike() {
        own.signalAll('SIGKILL')
        await own.restart()
      },
    },
    { name: 'a process of the database', weight: 1, strike: async () => killOne(own.processes().slice(1)) },
    {
      name: 'server and database',
      weight: 2,
      async strike({ site }) {
        own.signalAll('SIGKILL')
        await site.kill()
        await own.restart()
        await site.start()
      },
    },
  ]
}

function killOne(pids: readonly number[]): void {
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
  const { site, ledger, crowd, checker } = trial
  const start = performance.now()
  for (let done = 0; done < kills;) {
    if (options.minutes !== null && performance.now() - start > options.minutes * 60_000) break
    await Promise.all([sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least)), checker.checkTouched()])
    const fault = draw(faults, random)
    const at = performance.now()
    try {
      if (random() < WHILE_STARTING) {
        await site.kill()
        site.start().catch(() => {})
        await sleep(random() * STARTS_WITHIN_MS)
        await theServer.strike(trial)
        trial.count('the server, and again while it starts', await crowd.acknowledgedAfter(at, RECOVERY_MS))
        done += 2
      } else {
        await fault.strike(trial)
        trial.count(fault.name, await crowd.acknowledgedAfter(at, RECOVERY_MS))
        done += 1
      }
    } catch (error) {
      trial.count(fault.name)
      ledger.report('outage', `after a kill of ${fault.name} (kill ${done + 1}): ${(error as Error).message}`)
      // End this server, so that the next kills find a running one.
      await site.kill()
      await site.start()
      done += 1
    }
    if (done % SAY_EVERY < 1) say(`${done} of ${kills} kills, ${ledger.acknowledged.posts} posts acknowledged`)
  }
}

async function onEmbedded(torture: Torture, kills: number): Promise<Section> {
  const title = 'Kills, embedded database'
  torture.say(title)
  const trial = await beginTrial(torture, { title })
  await killAgainAndAgain(torture, trial, EMBEDDED, kills)
  trial.note(`Pictures in the folder that belong to no post: ${await countOrphans(trial.site.dataDir, trial.sql)}.`)
  return trial.end()
}

async function onGiven(torture: Torture, kills: number): Promise<Section> {
  const title = 'Kills, a given PostgreSQL'
  const postgres = await openGivenPostgres(torture.options)
  if (postgres === null) return notTried(title, 'there is no PostgreSQL on this machine')
  torture.say(title)
  const trial = await beginTrial(torture, { title, databaseUrl: postgres.url })
  await killAgainAndAgain(torture, trial, faultsOnGiven(postgres), kills)
  if (postgres.own === null) trial.note('The PostgreSQL was given, and was not killed itself.')
  return trial.end()
}

async function run(torture: Torture): Promise<Section[]> {
  const { kills, isShort } = torture.options
  const given = isShort ? 0 : Math.round(kills * ON_GIVEN)
  const sections: Section[] = []
  if (kills > given) sections.push(await onEmbedded(torture, kills - given))
  if (given > 0) sections.push(await onGiven(torture, given))
  return sections
}

export const kills: Scenario = { name: 'kills', run }
