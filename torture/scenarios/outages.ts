/** A given PostgreSQL and Redis that stop, freeze and fill up under two processes of one board. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startRedis, type RedisServer } from '../../apps/server/src/testing/outside/redis-server.ts'
import { onEnd } from '../../bench/lib/cleanup.ts'
import { descendantsOf } from '../../bench/lib/usage.ts'
import { openGivenPostgres, type GivenPostgres } from '../lib/given-postgres.ts'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'
import { killNow } from '../lib/site.ts'

const TITLE = 'Outages, a given PostgreSQL and Redis, two processes'
const ROUNDS = 2
const LOAD_MS = { least: 600, most: 2_000 }
const AWAY_MS = { least: 1_000, most: 4_000 }

interface Outage {
  readonly name: string
  readonly begin: (trial: Trial) => Promise<void> | void
  readonly end: () => Promise<void> | void
}

function outagesOf({ own }: GivenPostgres, redis: RedisServer | null): Outage[] {
  const outages: Outage[] = []
  if (own !== null) {
    outages.push(
      {
        name: 'PostgreSQL is stopped',
        begin: () => killNow(own.processes()[0]!, 'SIGINT'),
        end: own.restart,
      },
      { name: 'PostgreSQL is killed', begin: () => own.signalAll('SIGKILL'), end: own.restart },
      { name: 'PostgreSQL is frozen', begin: () => own.signalAll('SIGSTOP'), end: () => own.signalAll('SIGCONT') },
    )
  }
  if (redis !== null) {
    outages.push(
      { name: 'Redis is killed', begin: redis.kill, end: redis.start },
      { name: 'Redis is frozen', begin: redis.freeze, end: redis.thaw },
      {
        name: 'Redis is full (maxmemory, noeviction)',
        begin: () => setMaxMemory(redis.url, '1'),
        end: () => setMaxMemory(redis.url, '0'),
      },
    )
  }
  if (own !== null && redis !== null) {
    outages.push({
      name: 'PostgreSQL and Redis are frozen',
      begin() {
        own.signalAll('SIGSTOP')
        redis.freeze()
      },
      end() {
        redis.thaw()
        own.signalAll('SIGCONT')
      },
    })
  }
  outages.push({
    name: 'one of the two processes is killed',
    begin({ site }) {
      const workers = descendantsOf(site.pid)
      killNow(workers[Math.floor(Math.random() * workers.length)]!)
    },
    end() {},
  })
  return outages
}

async function setMaxMemory(url: string, bytes: string): Promise<void> {
  const client = new Redis(url)
  await client.config('SET', 'maxmemory', bytes)
  client.disconnect()
}

async function run(torture: Torture): Promise<Section[]> {
  const { options, random, say } = torture
  const postgres = await openGivenPostgres(options)
  if (postgres === null) return [notTried(TITLE, 'there is no PostgreSQL on this machine')]
  const redis = options.redisUrl === null ? await startRedis().catch(() => null) : null
  if (redis !== null) onEnd(redis.close)
  const redisUrl = options.redisUrl ?? redis?.url
  if (redisUrl === undefined) return [notTried(TITLE, 'there is no Redis on this machine')]
  say(TITLE)
  const trial = await beginTrial(torture, {
    ...{ title: TITLE, databaseUrl: postgres.url },
    settings: { REDIS_URL: redisUrl, WEB_CONCURRENCY: '2' },
  })
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const outage of outagesOf(postgres, redis)) {
      await sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least))
      await outage.begin(trial)
      await sleep(AWAY_MS.least + random() * (AWAY_MS.most - AWAY_MS.least))
      const at = performance.now()
      await outage.end()
      try {
        trial.count(outage.name, await trial.crowd.acknowledgedAfter(at, RECOVERY_MS))
      } catch (error) {
        trial.count(outage.name)
        trial.ledger.report('outage', `${outage.name}: ${(error as Error).message} after its end`)
      }
      await trial.checker.checkTouched()
    }
    say(`outages: round ${round} of ${ROUNDS}, ${trial.ledger.acknowledged.posts} posts acknowledged`)
  }
  return [await trial.end()]
}

export const outages: Scenario = { name: 'outages', run }
