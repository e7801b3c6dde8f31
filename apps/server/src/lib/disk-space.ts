/** Polls the free space of the folders that the board writes to. */
import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { createPoller } from './poller.ts'

/** `low`: too little for new pictures. `full`: too little for anything that visitors write. */
export type SpaceState = 'enough' | 'low' | 'full'

export interface DiskSpace {
  /** At the last check. */
  readonly freeBytes: number
  readonly state: SpaceState
  /** Checks now; resolves when `freeBytes` and `state` are up to date. */
  look(): Promise<void>
  close(): Promise<void>
}

export interface DiskSpaceOptions {
  readonly readFreeBytes: () => Promise<number>
  /** Below it the disk is `low`; 0 disables the check. */
  readonly minFreeBytes: number
  readonly log: FastifyBaseLogger
  /** Called after a check that changed the state. */
  readonly onChange: () => void
}

/**
 * Uploads under way write at most some 300 MB between two checks, which is less than the distance
 * between the two limits.
 */
const LOOK_EVERY_MS = 5_000
/**
 * Below this share of the limit for pictures the disk counts as full. It leaves 125 MB of the
 * default of 500 MB: PostgreSQL needs some of it to finish a checkpoint and for the rows that
 * moderators' deletions write, and it stops altogether when it cannot extend its WAL.
 */
const FULL_SHARE = 0.25
/**
 * A state ends at this much above its limit: PostgreSQL creates and removes files of 16 MB all the
 * time, which must not toggle the state.
 */
const ENDS_AT = 1.1

/** The state after a check. */
export function judgeSpace(before: SpaceState, freeBytes: number, minFreeBytes: number): SpaceState {
  const isBelow = (bound: number, isStanding: boolean): boolean => freeBytes < (isStanding ? bound * ENDS_AT : bound)
  if (isBelow(minFreeBytes * FULL_SHARE, before === 'full')) return 'full'
  if (isBelow(minFreeBytes, before !== 'enough')) return 'low'
  return 'enough'
}

/** Checks once, and then every few seconds. */
export async function watchDiskSpace(options: DiskSpaceOptions): Promise<DiskSpace> {
  const { readFreeBytes, minFreeBytes, log, onChange } = options
  let freeBytes = await readFreeBytes()
  let state = judgeSpace('enough', freeBytes, minFreeBytes)
  const tell = (): void => {
    const figures = { freeBytes, minFreeBytes }
    if (state === 'full') log.error(figures, 'free disk space: far too little, visitors can write nothing')
    else if (state === 'low') log.warn(figures, 'free disk space: too little, new pictures are refused')
    else log.info(figures, 'free disk space: enough again')
  }
  if (state !== 'enough') tell()

  const poller = createPoller({
    name: 'free disk space',
    everyMs: LOOK_EVERY_MS,
    log,
    async poll() {
      freeBytes = await readFreeBytes()
      const before = state
      state = judgeSpace(before, freeBytes, minFreeBytes)
      if (state === before) return
      tell()
      onChange()
    },
  })
  return {
    get freeBytes() {
      return freeBytes
    },
    get state() {
      return state
    },
    look: poller.poll,
    close: poller.close,
  }
}

/**
 * Reads the free space of these folders' file systems: the smallest, because each may be on a disk
 * of its own. Missing folders do not count.
 */
export const freeBytesOf = (folders: readonly string[]) => async (): Promise<number> => {
  const free = await Promise.all(
    folders.map(async (folder) => {
      try {
        const { bavail, bsize } = await statfs(folder)
        return bavail * bsize
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Number.MAX_SAFE_INTEGER
        throw error
      }
    }),
  )
  return Math.min(...free)
}
