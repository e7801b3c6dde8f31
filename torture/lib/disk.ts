/**
 * Disks for the torture: ext4 in a file, mounted through a loop device. Root only.
 *
 * A disk whose power can be cut is a file on another file system (the host). Freezing the host
 * stops the device at one moment: the file contains what the board's file system has written by
 * then, and not what it still holds in memory; nothing is flushed, because only the host is frozen.
 * So the file has the contents of a disk after a power cut.
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
  /** Mount point. */
  readonly folder: string
  /** Makes it read-only at once, as ext4 does when its device fails; unwritten data is lost. */
  abort(): Promise<void>
  /** Unmounts it, repairs it, and mounts it again for writing. It must not be in use. */
  repair(): Promise<void>
  unmount(): Promise<void>
}

/** Makes a file system of a given size in a new file. */
export async function makeDisk(folder: string, name: string, megabytes: number): Promise<Disk> {
  const image = join(folder, `${name}.img`)
  writeFileSync(image, '')
  truncateSync(image, megabytes * MEGABYTE)
  // No blocks reserved for root, who runs the board here; all tables are written now rather than in
  // the background.
  await run('mkfs.ext4', '-q', '-F', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image)
  return mountDisk(image, join(folder, name))
}

/**
 * Mounts the file system of a file, with direct I/O, so that nothing waits in the page cache of the
 * file system around it.
 */
async function mountDisk(image: string, folder: string): Promise<Disk> {
  mkdirSync(folder, { recursive: true })
  const device = await run('losetup', '--find', '--show', '--direct-io=on', image)
  const detach = onEnd(() => run('losetup', '--detach', device))
  await run('mount', device, folder)
  const forget = onEnd(() => unmountFolder(folder))
  return {
    folder,
    // A mount option of ext4 for tests.
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

/** Killed processes take a moment to close their files. */
async function unmountFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await run('umount', folder)
      return
    } catch (error) {
      // Detach it even if it is still in use, so that it blocks nothing else.
      if (tries === UNMOUNT_TRIES) {
        await run('umount', '--lazy', folder)
        throw error
      }
      await sleep(UNMOUNT_AGAIN_MS)
    }
  }
}

export interface CuttableDisk {
  /** Mount point, before and after each cut. */
  readonly folder: string
  /**
   * Cuts the power: the disk stops, `kill` ends all processes on it, and the contents at that
   * moment are checked (fsck) and mounted in its place.
   * @param kill sends signals only; it must not wait, because processes that wait for the disk die
   * later
   * @param settle resolves when all of them are gone
   * @returns messages of fsck besides the replay of the journal; empty when there are none
   */
  cut(kill: () => void, settle: () => Promise<void>): Promise<string>
}

export async function makeCuttableDisk(folder: string, megabytes: number): Promise<CuttableDisk> {
  // The copy of one cut and the disk of the next are on it together.
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

/** Replays the journal, and makes the repairs that fsck considers safe. */
async function checkFileSystem(image: string): Promise<string> {
  try {
    await run('fsck.ext4', '-f', '-p', image)
    return ''
  } catch (error) {
    const { code, stdout } = error as { code?: number; stdout?: string }
    // 1 means repaired. The replay of a journal alone ends with 0 or 1.
    const found = (stdout ?? '')
      .split('\n')
      .filter((line) => line !== '' && !/recovering journal|files \(|Clearing orphaned inode/.test(line))
    return code === 1 && found.length === 0 ? '' : `fsck ended with ${code}: ${found.join('; ')}`
  }
}

/** Why disks cannot be made on this machine; null when they can. */
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
