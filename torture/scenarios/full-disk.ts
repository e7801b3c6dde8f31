/**
 * The disk of the embedded database fills up under load and is freed: reading works, writing is
 * refused, nothing is lost.
 */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../bench/lib/server.ts'
import { makeDisk, whyNoDisks } from '../lib/disk.ts'
import { call } from '../lib/http.ts'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'

const DISK_MEGABYTES = 600
const ROUNDS = 3
/**
 * With the board watching its disk, and without: then the database itself runs out of space, and it
 * cannot run without space for its WAL, so reads may get 503 until there is space.
 */
const TRIALS = [
  { title: 'Full disk, embedded database', minFreeMegabytes: 60, readers: [200] },
  { title: 'Full disk, embedded database, MIN_FREE_MB=0', minFreeMegabytes: 0, readers: [200, 503] },
] as const
const LOAD_MS = 2_000
const FULL_MS = 6_000
const READ_EVERY_MS = 40
/** First in large steps, then in the smallest possible ones. */
const STEPS = [4_194_304, 65_536, 4_096]

/** Writes until the disk is full. */
function fill(path: string): void {
  writeFileSync(path, '')
  for (const step of STEPS) {
    const bytes = Buffer.alloc(step, 1)
    try {
      for (;;) appendFileSync(path, bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

/** Reads threads and pages for a while. @returns the number of answers by status */
async function read({ site, ledger }: Trial, forMs: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (const end = performance.now() + forMs; performance.now() < end; await sleep(READ_EVERY_MS)) {
    const ids = [...ledger.threads.keys()]
    const id = ids[Math.floor(Math.random() * ids.length)]
    // Random parameters, so that no cache has the answer.
    const paths = [`/api/threads/${id}/posts?limit=20&after=${Math.floor(Math.random() * 200)}`, `/thread/${id}`]
    for (const path of paths) {
      const { status } = await call(site.url + path)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  return statuses
}

const list = (statuses: ReadonlyMap<number | string, number>): string =>
  [...statuses].map(([status, times]) => `${status} ${times} times`).join(', ') || 'none'

async function run(torture: Torture): Promise<Section[]> {
  const why = await whyNoDisks()
  if (why !== null) return [notTried(TRIALS[0].title, why)]
  const sections: Section[] = []
  for (const trial of TRIALS) sections.push(await fillAndFree(torture, trial))
  return sections
}

async function fillAndFree(
  torture: Torture,
  { title, minFreeMegabytes, readers }: (typeof TRIALS)[number],
): Promise<Section> {
  torture.say(title)
  const disk = await makeDisk(temporaryFolder('torture'), 'small', DISK_MEGABYTES)
  const settings = { MIN_FREE_MB: String(minFreeMegabytes) }
  const trial = await beginTrial(torture, { title, settings, dataDir: join(disk.folder, 'data') })
  const { site, ledger, crowd, checker } = trial
  const filler = join(disk.folder, 'filler')
  for (let round = 1; round <= ROUNDS; round += 1) {
    await sleep(LOAD_MS)
    const before = new Map(crowd.refusals)
    fill(filler)
    const statuses = await read(trial, FULL_MS)
    const refused = new Map([...crowd.refusals].map(([what, times]) => [what, times - (before.get(what) ?? 0)]))
    const wrong = [...statuses.keys()].filter((status) => !readers.some((one) => one === status))
    if (wrong.length > 0) ledger.report('answer', `reading while the disk is full: ${list(statuses)}`)
    trial.note(`Full ${round}: reading was answered with ${list(statuses)}; writing with ${list(refused)}.`)
    torture.say(`full ${round} of ${ROUNDS}: read ${list(statuses)}; refused ${list(refused)}`)
    const isLast = round === ROUNDS
    if (isLast) await stopWhileFull(trial)
    rmSync(filler)
    const at = performance.now()
    if (isLast) await site.start()
    trial.count(isLast ? 'full disk, stopped while full' : 'full disk', await crowd.acknowledgedAfter(at, RECOVERY_MS))
    await checker.checkTouched()
  }
  return trial.end()
}

/** SIGTERM must work on a full disk as well. */
async function stopWhileFull({ site, ledger, note }: Trial): Promise<void> {
  const at = performance.now()
  const how = await Promise.race([site.stop(), sleep(15_000, null, { ref: false })])
  const seconds = ((performance.now() - at) / 1_000).toFixed(1)
  note(
    `SIGTERM on a full disk ended the server after ${seconds} s (${how === null ? 'not at all' : `code ${how.code}`}).`,
  )
  if (how !== null) return
  ledger.report('outage', 'SIGTERM did not stop the server on a full disk')
  await site.kill()
}

export const fullDisk: Scenario = { name: 'full-disk', run }
