/**
 * The disk turns read-only, as ext4 does after a fault of the device, and the folder of pictures
 * accepts no files.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../bench/lib/server.ts'
import { makeDisk, whyNoDisks } from '../lib/disk.ts'
import { beginTrial, notTried, RECOVERY_MS } from '../lib/scenario.ts'
import type { Scenario, Section, Torture, Trial } from '../lib/scenario.ts'

const TITLE = 'Read-only disk, embedded database'
const DISK_MEGABYTES = 600
const ROUNDS = 2
const LOAD_MS = 2_000
const READ_ONLY_MS = 3_000

/** No file can be created or renamed in an immutable folder, not even by root. */
const setImmutable = (folder: string, isImmutable: boolean): void =>
  void execFileSync('chattr', [isImmutable ? '+i' : '-i', folder])

async function run(torture: Torture): Promise<Section[]> {
  const why = await whyNoDisks()
  if (why !== null) return [notTried(TITLE, why)]
  torture.say(TITLE)
  const disk = await makeDisk(temporaryFolder('torture'), 'fragile', DISK_MEGABYTES)
  const trial = await beginTrial(torture, { title: TITLE, dataDir: join(disk.folder, 'data') })
  const { site, crowd, checker } = trial
  const images = join(site.dataDir, 'images')
  for (let round = 1; round <= ROUNDS; round += 1) {
    await sleep(LOAD_MS)
    setImmutable(images, true)
    await sleep(READ_ONLY_MS)
    setImmutable(images, false)
    trial.count('the folder of pictures takes no files', await crowd.acknowledgedAfter(performance.now(), RECOVERY_MS))
    await checker.checkTouched()

    await sleep(LOAD_MS)
    await disk.abort()
    await sleep(READ_ONLY_MS)
    await stop(trial)
    await tellOfStart(trial)
    const at = performance.now()
    await disk.repair()
    await site.start()
    trial.count('the disk turned read-only', await crowd.acknowledgedAfter(at, RECOVERY_MS))
    checker.distrust(0)
    await checker.checkTouched()
    torture.say(`read-only: round ${round} of ${ROUNDS}, ${trial.ledger.acknowledged.posts} posts acknowledged`)
  }
  return [await trial.end()]
}

/** The server must stop on SIGTERM, and not before. */
async function stop({ site, ledger }: Trial): Promise<void> {
  const how = await Promise.race([site.stop(), sleep(15_000, null, { ref: false })])
  if (how !== null) return
  ledger.report('outage', 'SIGTERM did not stop the server on a read-only disk')
  await site.kill()
}

/** A start on such a disk must end with a message. */
async function tellOfStart({ site, note }: Trial): Promise<void> {
  try {
    await site.start()
    note('A start on a read-only disk succeeded.')
    await site.kill()
  } catch (error) {
    note(`A start on a read-only disk ended: ${(error as Error).message.trim().slice(0, 300)}`)
    await site.kill()
  }
}

export const readOnly: Scenario = { name: 'read-only', run }
