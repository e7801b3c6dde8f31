/**
 * A Citus cluster whose workers are killed, hang and are cut off, whose shards move, and whose
 * coordinator is killed, under one board. What needs only the other workers goes on meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { onEnd } from '../../bench/lib/cleanup.ts'
import { endPrepared, moveShards, openCitus, placesOf, whyNoCluster } from '../lib/citus.ts'
import type { Citus, LocalServers, LocalWorker, Worker } from '../lib/citus.ts'
import { call } from '../lib/http.ts'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'
import { beginWatch, sayHeard, type Ask, type Heard } from '../lib/watch.ts'

const TITLE = 'Faults of a Citus cluster'
const ROUNDS = 2
const LOAD_MS = { least: 1_000, most: 3_000 }
/** Longer than the three seconds in which the board notices that a worker is away. */
const AWAY_MS = { least: 6_000, most: 12_000 }
/** Slower than elsewhere, because all servers of the cluster may share this machine. */
const PAUSE_MS = 200
/** Enough that each of a few workers has some of them. */
const THREADS = 16

interface Fault {
  readonly name: string
  /** Threads that are read and written during the fault; none: the whole board is away. */
  readonly watched: 'all' | 'of other workers' | 'none'
  readonly begin: (trial: Trial, worker: Worker) => Promise<void> | void
  readonly end: (trial: Trial, worker: Worker) => Promise<void> | void
}

const ANYWHERE: readonly Fault[] = [
  {
    name: 'a worker is emptied, and filled again',
    watched: 'all',
    async begin({ sql }, worker) {
      await moveShards(sql, worker, 'others')
      await moveShards(sql, worker, 'all')
    },
    end() {},
  },
  {
    name: 'the server of the board is killed',
    watched: 'none',
    begin: ({ site }) => site.kill(),
    end: ({ site }) => site.start(),
  },
]

function faultsOf(local: LocalServers | null): readonly Fault[] {
  if (local === null) return ANYWHERE
  const { coordinator, workers } = local
  const ofWorker = (
    name: string,
    begin: (worker: LocalWorker) => void,
    end: (worker: LocalWorker) => Promise<void> | void,
  ): Fault => ({
    ...{ name, watched: 'of other workers' },
    begin: (_, { id }) => begin(workers.get(id)!),
    end: (_, { id }) => end(workers.get(id)!),
  })
  return [
    ofWorker(
      'a worker is killed',
      ({ server }) => server.signalAll('SIGKILL'),
      ({ server }) => server.restart(),
    ),
    ofWorker(
      'a worker hangs',
      ({ server }) => server.signalAll('SIGSTOP'),
      ({ server }) => server.signalAll('SIGCONT'),
    ),
    ofWorker(
      'a worker is cut off without an answer',
      ({ line }) => line.cut('silent'),
      ({ line }) => line.mend(),
    ),
    ofWorker(
      'a worker is cut off by resets',
      ({ line }) => line.cut('reset'),
      ({ line }) => line.mend(),
    ),
    {
      name: 'the coordinator is killed',
      watched: 'none',
      begin: () => coordinator.signalAll('SIGKILL'),
      end: coordinator.restart,
    },
    ...ANYWHERE,
  ]
}

const shuffle = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((one) => ({ one, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)

interface Target {
  readonly worker: Worker
  readonly itsThreads: readonly string[]
  readonly otherThreads: readonly string[]
}

/** Draws a worker that holds open threads, which others do, too. */
async function drawTarget({ workers }: Citus, { sql, ledger }: Trial, random: () => number): Promise<Target> {
  const open = [...ledger.threads.values()].filter(({ isFull }) => !isFull).map(({ id }) => id)
  const places = await placesOf(sql, open)
  const worker = shuffle(workers, random).find(({ id }) => places.values().some((place) => place === id))
  const itsThreads = open.filter((id) => places.get(id) === worker?.id)
  const otherThreads = open.filter((id) => places.get(id) !== worker?.id)
  if (worker === undefined || otherThreads.length === 0) throw new Error('all threads are on one worker')
  return { worker, itsThreads, otherThreads }
}

function questionsOf(
  { site, crowd }: Trial,
  watched: Fault['watched'],
  { itsThreads, otherThreads }: Target,
): ReadonlyMap<string, Ask> {
  if (watched === 'none') return new Map()
  const threadIds = watched === 'all' ? [...itsThreads, ...otherThreads] : otherThreads
  const threads = watched === 'all' ? 'threads' : `threads ${watched}`
  const pick = (): string => threadIds[Math.floor(Math.random() * threadIds.length)]!
  const get =
    (pathOf: () => string): Ask =>
    async (hear) => {
      const start = performance.now()
      const { status } = await call(site.url + pathOf())
      hear(status === 200, performance.now() - start)
    }
  return new Map([
    [`${threads} read`, get(() => `/api/threads/${pick()}/posts?limit=20`)],
    [`${threads} written`, (hear) => crowd.postInto(pick(), hear)],
    ['/', get(() => '/')],
    ['/readyz', get(() => '/readyz')],
  ])
}

/**
 * @param heard gets what visitors notice meanwhile
 * @returns how many transactions the fault left between their two phases
 */
async function strike(
  { random }: Torture,
  trial: Trial,
  citus: Citus,
  fault: Fault,
  heard: Map<string, Heard>,
): Promise<number> {
  const { site, sql, crowd, checker } = trial
  const target = await drawTarget(citus, trial, random)
  const { worker, itsThreads } = target
  // While a worker is away, a page is served as it was made before.
  const { status } = await call(`${site.url}/`)
  if (status !== 200) throw new Error(`the front page was answered with ${status} before the fault`)
  const watch = beginWatch(questionsOf(trial, fault.watched, target), heard)
  // An interrupted run leaves all servers of the cluster running.
  const forget = ANYWHERE.includes(fault) ? () => {} : onEnd(() => fault.end(trial, worker))
  let answered: Promise<void>
  try {
    await fault.begin(trial, worker)
    await sleep(AWAY_MS.least + random() * (AWAY_MS.most - AWAY_MS.least))
  } finally {
    answered = watch.end()
  }
  const at = performance.now()
  await fault.end(trial, worker)
  forget()
  const into = fault.watched === 'of other workers' ? new Set(itsThreads) : undefined
  trial.count(fault.name, await crowd.acknowledgedAfter(at, RECOVERY_MS, into))
  await answered
  const left = await endPrepared(sql)
  await checker.checkTouched()
  return left
}

/** Threads of other workers, the front page and /readyz do not need the worker that is away. */
function judge({ ledger, note }: Trial, { name }: Fault, heard: ReadonlyMap<string, Heard>): void {
  if (heard.size === 0) return
  note(`While ${name}: ${sayHeard(heard)}.`)
  for (const [question, { good, times }] of heard) {
    const isBad = question.startsWith('/') ? good < times.length : good === 0
    if (isBad) ledger.report('outage', `while ${name}: ${question}, good answers ${good} of ${times.length}`)
  }
}

async function run(torture: Torture): Promise<Section[]> {
  const { options, random, say } = torture
  const url = options.citusUrl!
  const why = await whyNoCluster(url)
  if (why !== null) return [notTried(TITLE, why)]
  say(TITLE)
  const citus = await openCitus(url)
  const faults = faultsOf(citus.local)
  // Drawn before the load begins, which takes random numbers at its own pace.
  const rounds = Array.from({ length: ROUNDS }, () => shuffle(faults, random))
  const trial = await beginTrial(torture, {
    ...{ title: TITLE, databaseUrl: url, pauseMs: PAUSE_MS, threads: THREADS },
    // A total follows its rows a quarter of a second later, and up to 90 minutes after a crash.
    hasExactTotals: false,
  })
  const heard = new Map(faults.map((fault) => [fault, new Map<string, Heard>()]))
  let left = 0
  for (const [index, round] of rounds.entries()) {
    for (const fault of round) {
      await sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least))
      say(fault.name)
      try {
        left += await strike(torture, trial, citus, fault, heard.get(fault)!)
      } catch (error) {
        trial.count(fault.name)
        trial.ledger.report('outage', `${fault.name}: ${(error as Error).message}`)
      }
    }
    say(`cluster: round ${index + 1} of ${ROUNDS}, ${trial.ledger.acknowledged.posts} posts acknowledged`)
  }
  for (const fault of faults) judge(trial, fault, heard.get(fault)!)
  if (citus.local === null)
    trial.note('Servers of the cluster are on other machines, or of other users: none was killed, stopped or cut off.')
  trial.note(`Faults left ${left} transactions between their two phases.`)
  trial.note('Totals were not compared with their rows, because those of a cluster lag (docs/scaling.md).')
  return [await trial.end()]
}

export const cluster: Scenario = { name: 'cluster', isApart: true, run }
