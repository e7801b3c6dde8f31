/**
 * Disks for the torture: ext4 in a file, mounted through a loop device. Root only.
 *
 * A disk that can be cut off lies in a file system of its own (the host). Freezing the host stops the device at one
 * moment: what the board's file system has written by then is in the file, what it still holds in memory is not, and nothing
 * is flushed, as only the host is told to freeze. So the file is what the disk would hold after a power cut.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onEnd } from '../../bench/lib/cleanup.ts'

const exec = promisify(execFile)
const run = async (program: string, ...args: string[]): Promise<string> => (await exec(program, args)).stdout.trim()

const MEGABYTE = 1_048_576
const UNMOUNT_TRIES = 100
const UNMOUNT_AGAIN_MS = 100

/** A mounted file system in a file. */
export interface Disk {
  /** Where it is mounted. */
  readonly folder: string
  /** Turns it read-only at once, as ext4 does when its device fails; what was not written by then is lost. */
  abort(): Promise<void>
  /** Unmounts it, repairs it, and mounts it again for writing. Nothing may use it. */
  repair(): Promise<void>
  unmount(): Promise<void>
}

/** Makes a file system of so many megabytes in a new file. */
export async function makeDisk(folder: string, name: string, megabytes: number): Promise<Disk> {
  const image = join(folder, `${name}.img`)
  writeFileSync(image, '')
  truncateSync(image, megabytes * MEGABYTE)
  // No blocks kept for root, who runs the board here; all tables written now, and not in the background.
  await run('mkfs.ext4', '-q', '-F', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image)
  return mountDisk(image, join(folder, name))
}

/** Mounts the file system of a file. Direct: nothing of it waits in the memory of the file system that the file lies in. */
async function mountDisk(image: string, folder: string): Promise<Disk> {
  mkdirSync(folder, { recursive: true })
  const device = await run('losetup', '--find', '--show', '--direct-io=on', image)
  const detach = onEnd(() => run('losetup', '--detach', device))
  await run('mount', device, folder)
  const forget = onEnd(() => unmountFolder(folder))
  return {
    folder,
    // An option of ext4 for tests.
    abort: async () => void (await run('mount', '-o', 'remount,abort', folder)),
    async repair() {
      await unmountFolder(folder)
      await checkFileSystem(device)
      await run('mount', device, folder)
    },
    async unmount() {
      await unmountFolder(folder)
      forget()
      await run('losetup', '--detach', device)
      detach()
    },
  }
}

/** Processes that were killed take a moment to let go of it. */
async function unmountFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await run('umount', folder)
      return
    } catch (error) {
      // Whatever still holds it, it must not stay in anybody's way.
      if (tries === UNMOUNT_TRIES) {
        await run('umount', '--lazy', folder)
        throw error
      }
      await sleep(UNMOUNT_AGAIN_MS)
    }
  }
}

export interface CuttableDisk {
  /** Where it is mounted, before and after each cut. */
  readonly folder: string
  /**
   * Cuts the power: the disk stops, `kill` ends all that runs on it, and what the disk held is checked (fsck) and mounted in its place.
   * @param kill sends signals only; must not wait, as processes that wait for the disk die later
   * @param settle resolves when all of them are gone
   * @returns what fsck had to say beside the replay of the journal; empty when nothing
   */
  cut(kill: () => void, settle: () => Promise<void>): Promise<string>
}

export async function makeCuttableDisk(folder: string, megabytes: number): Promise<CuttableDisk> {
  // The copy of one cut lies beside the disk of the next.
  const host = await makeDisk(folder, 'host', 2 * megabytes + 200)
  const image = join(host.folder, 'disk.img')
  const mounted = join(folder, 'disk')
  let disk = await makeDisk(host.folder, 'disk', megabytes).then(async (made) => {
    await made.unmount()
    return mountDisk(image, mounted)
  })
  return {
    folder: mounted,
    async cut(kill, settle) {
      const copy = join(folder, 'after-cut.img')
      await run('fsfreeze', '--freeze', host.folder)
      const thaw = onEnd(() => run('fsfreeze', '--unfreeze', host.folder))
      kill()
      try {
        await run('cp', '--sparse=always', image, copy)
      } finally {
        await run('fsfreeze', '--unfreeze', host.folder)
        thaw()
      }
      await settle()
      await disk.unmount()
      const found = await checkFileSystem(copy)
      await run('cp', '--sparse=always', copy, image)
      rmSync(copy)
      disk = await mountDisk(image, mounted)
      return found
    },
  }
}

/** Replays the journal, and repairs what may be repaired without asking. */
async function checkFileSystem(image: string): Promise<string> {
  try {
    await run('fsck.ext4', '-f', '-p', image)
    return ''
  } catch (error) {
    const { code, stdout } = error as { code?: number; stdout?: string }
    // 1: repaired. The replay of a journal alone ends with 0 or 1.
    const found = (stdout ?? '')
      .split('\n')
      .filter((line) => line !== '' && !/recovering journal|files \(|Clearing orphaned inode/.test(line))
    return code === 1 && found.length === 0 ? '' : `fsck ended with ${code}: ${found.join('; ')}`
  }
}

/** Why disks cannot be made here; null when they can. */
export async function whyNoDisks(): Promise<string | null> {
  if (process.platform !== 'linux') return 'it takes Linux'
  if (process.getuid?.() !== 0) return 'it takes root: a loop device is made and mounted'
  for (const program of ['losetup', 'mkfs.ext4', 'fsck.ext4', 'mount', 'fsfreeze']) {
    const isThere = await run('which', program).then(
      () => true,
      () => false,
    )
    if (!isThere) return `the program ${program} is missing`
  }
  return run('losetup', '--find').then(
    () => null,
    (error: Error) => `there is no loop device (${error.message.split('\n', 1)[0]})`,
  )
}
