/** Input and output of a scenario. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, temporaryFolder } from '../../bench/lib/server.ts'
import { createChecker, type Checker } from './check.ts'
import { openCrowd, type Crowd } from './crowd.ts'
import { Ledger, type Problem, type ProblemKind, PROBLEMS } from './ledger.ts'
import type { Options } from './options.ts'
import { openSite, type Site, type SiteOptions } from './site.ts'
import { openSql, type Sql } from './sql.ts'

export interface Torture {
  readonly options: Options
  /** Seeded random number between 0 and 1. */
  readonly random: () => number
  readonly say: (line: string) => void
}

export interface Scenario {
  readonly name: string
  /** Not part of a usual run, because it needs an option. */
  readonly isApart?: boolean
  readonly run: (torture: Torture) => Promise<readonly Section[]>
}

/** A section of the report: faults of one board, and their results. */
export interface Section {
  readonly title: string
  /** Number of faults by name. Empty for what could not be tried here. */
  readonly faults: ReadonlyMap<string, number>
  readonly acknowledged: Ledger['acknowledged']
  readonly resends: number
  readonly counts: Readonly<Record<ProblemKind, number>>
  readonly problems: readonly Problem[]
  /**
   * Milliseconds from each fault to the first acknowledgement of a post sent after it, by the
   * fault's name.
   */
  readonly recoveries: ReadonlyMap<string, readonly number[]>
  /** Further remarks. */
  readonly notes: readonly string[]
}

/** A board under load, with its ledger and checker. */
export interface Trial {
  readonly site: Site
  readonly ledger: Ledger
  readonly sql: Sql
  readonly crowd: Crowd
  readonly checker: Checker
  /** Counts a fault, with its time to recover. */
  count(fault: string, recoveryMs?: number): void
  note(line: string): void
  /** Waits for all acknowledgements, checks everything, and stops the board. */
  end(): Promise<Section>
}

/** Upper bound of a successful recovery. */
export const RECOVERY_MS = 60_000
const STOP_MS = 15_000

export interface TrialOptions extends Partial<Omit<SiteOptions, 'onUnexpectedEnd'>> {
  readonly title: string
  readonly pauseMs?: number
  readonly threads?: number
  /** Whether totals equal their rows at every moment (default true). */
  readonly hasExactTotals?: boolean
}

/** Starts a board and its load. */
export async function beginTrial(torture: Torture, options: TrialOptions): Promise<Trial> {
  const { title, pauseMs, threads, hasExactTotals = true, ...site } = options
  const ledger = new Ledger(torture.say)
  const folder = temporaryFolder('torture')
  const dataDir = site.dataDir ?? join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const place = await openSite({
    ...{ databaseUrl: null, logFile: join(folder, 'server.log'), ...site, dataDir },
    onUnexpectedEnd: (how) => ledger.report('outage', how),
  })
  await place.start()
  const sql = openSql(place.databaseUrl)
  const crowd = await openCrowd({
    ...{ url: place.url, ledger, random: torture.random },
    ...(pauseMs === undefined ? {} : { pauseMs }),
    ...(threads === undefined ? {} : { threads }),
  })
  const checker = createChecker({ url: place.url, sql, ledger, hasExactTotals })
  const faults = new Map<string, number>()
  const recoveries = new Map<string, number[]>()
  const notes: string[] = []
  return {
    ...{ site: place, ledger, sql, crowd, checker },
    count(fault, recoveryMs) {
      faults.set(fault, (faults.get(fault) ?? 0) + 1)
      if (recoveryMs === undefined) return
      const times = recoveries.get(fault)
      if (times === undefined) recoveries.set(fault, [recoveryMs])
      else times.push(recoveryMs)
    },
    note: (line) => void notes.push(line),
    async end() {
      torture.say(`${title}: everything is read and counted once more`)
      const left = await crowd.settle(RECOVERY_MS)
      if (left > 0) ledger.report('outage', `${left} sendings were not acknowledged within a minute at the end`)
      await checker.checkAll()
      crowd.close()
      await sql.close()
      await stopInTime(place, ledger)
      if (ledger.problems.length > 0) notes.push(`The server's log: ${keepLog(place, title)}`)
      const refusals = [...crowd.refusals].map(([what, times]) => `${what} ${times} times`)
      if (refusals.length > 0) notes.push(`Heard instead of an acknowledgement: ${refusals.join(', ')}.`)
      const counts = Object.fromEntries(
        Object.keys(PROBLEMS).map((kind) => [kind, ledger.countOf(kind as ProblemKind)]),
      )
      return {
        ...{ title, faults, recoveries, notes, resends: ledger.resends, problems: ledger.problems },
        acknowledged: ledger.acknowledged,
        counts: counts as Record<ProblemKind, number>,
      }
    },
  }
}

/** Keeps the server's log, which may explain a problem. @returns its path */
function keepLog({ logFile }: Site, title: string): string {
  const folder = join(ROOT, 'torture/.output')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.log`)
  copyFileSync(logFile, path)
  return path.slice(ROOT.length + 1)
}

/** A section for a scenario that this machine does not support. */
export const notTried = (title: string, why: string): Section => ({
  ...{ title, faults: new Map(), recoveries: new Map(), resends: 0, problems: [] },
  acknowledged: { posts: 0, threads: 0, pictures: 0, likes: 0 },
  counts: Object.fromEntries(Object.keys(PROBLEMS).map((kind) => [kind, 0])) as Record<ProblemKind, number>,
  notes: [`Not tried here: ${why}.`],
})

/** After SIGTERM the server must end within its 10 seconds. */
async function stopInTime(site: Site, ledger: Ledger): Promise<void> {
  const how = await Promise.race([site.stop(), sleep(STOP_MS, null, { ref: false })])
  if (how === null) {
    ledger.report('outage', 'SIGTERM did not stop the server')
    await site.kill()
  } else if (how.code !== 0)
    ledger.report('outage', `SIGTERM ended the server with ${how.signal ?? `code ${how.code}`}`)
}
