/** Power cuts: the disk stops under load, and the board starts from its contents at that moment. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../bench/lib/server.ts'
import { makeCuttableDisk, whyNoDisks, type CuttableDisk } from '../lib/disk.ts'
import {
  beginTrial,
  notTried,
  RECOVERY_MS,
  type Scenario,
  type Section,
  type Torture,
  type Trial,
} from '../lib/scenario.ts'

const DISK_MEGABYTES = 1_024
const LOAD_MS = { least: 800, most: 3_500 }
const TITLE = 'Power cuts, embedded database'

/** Stops the disk, and starts the board from its contents. */
async function cutPower({ site }: Trial, disk: CuttableDisk): Promise<string> {
  const found = await disk.cut(
    () => site.killAll(),
    () => site.kill(),
  )
  await site.start()
  return found
}

/**
 * With fsync off the same cut must lose data, or else the emulation proves nothing.
 * @returns a sentence for the report
 */
async function checkEmulation(torture: Torture): Promise<string> {
  const disk = await makeCuttableDisk(temporaryFolder('torture'), DISK_MEGABYTES)
  const quiet: Torture = { ...torture, say: () => {} }
  const trial = await beginTrial(quiet, { title: 'emulation', dataDir: join(disk.folder, 'data') })
  const { site, ledger, crowd, checker } = trial
  try {
    await crowd.settle(RECOVERY_MS)
    await site.stop()
    // The setting itself must reach the disk.
    appendFileSync(join(site.dataDir, 'postgres', 'postgresql.auto.conf'), 'fsync = off\n', { flush: true })
    await site.start()
    crowd.resume()
    await sleep(LOAD_MS.most)
    const { posts } = ledger.acknowledged
    try {
      await cutPower(trial, disk)
    } catch (error) {
      return `The emulation was checked: with fsync off the board did not start after a cut (${(error as Error).message.trim().slice(0, 200)}).`
    }
    await crowd.settle(RECOVERY_MS)
    await checker.checkTouched()
    const lost = ledger.countOf('lost')
    if (lost === 0) throw new Error('with fsync off a power cut has lost nothing: the emulation proves nothing')
    return `The emulation was checked: with fsync off a cut lost ${lost} of ${posts} acknowledged posts and likes.`
  } finally {
    crowd.close()
    await trial.sql.close()
    await site.kill()
  }
}

async function run(torture: Torture): Promise<Section[]> {
  const { options, random, say } = torture
  const why = await whyNoDisks()
  if (why !== null) return [notTried(TITLE, why)]
  if (options.powerCuts === 0) return []
  say('power cuts: the emulation is checked with fsync off')
  const emulation = await checkEmulation(torture)
  say(emulation)

  const disk = await makeCuttableDisk(temporaryFolder('torture'), DISK_MEGABYTES)
  const trial = await beginTrial(torture, { title: TITLE, dataDir: join(disk.folder, 'data') })
  const { ledger, checker, crowd } = trial
  trial.note(emulation)
  const start = performance.now()
  let picturesBefore = 0
  for (let done = 0; done < options.powerCuts; done += 1) {
    if (options.minutes !== null && performance.now() - start > options.minutes * 60_000) break
    await sleep(LOAD_MS.least + random() * (LOAD_MS.most - LOAD_MS.least))
    const at = performance.now()
    const found = await cutPower(trial, disk)
    if (found !== '') ledger.report('outage', `after power cut ${done + 1}: ${found}`)
    trial.count('power cut', await crowd.acknowledgedAfter(at, RECOVERY_MS))
    // Data checked before the cut may only have been in memory.
    checker.distrust(picturesBefore)
    picturesBefore = ledger.pictures.length
    await checker.checkTouched()
    say(`${done + 1} of ${options.powerCuts} power cuts, ${ledger.acknowledged.posts} posts acknowledged`)
  }
  return [await trial.end()]
}

export const powerCuts: Scenario = { name: 'power-cuts', run }
