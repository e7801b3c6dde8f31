import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm'
/** Several times the space that the databases and pictures of a run take at a time. */
const ROOM_BYTES = 4e9

/**
 * Folder of tests' databases and pictures: creating a database on a disk takes ten times as long as
 * in memory.
 */
export const temporary = process.env['TMPDIR'] === undefined && hasRoom(MEMORY) ? MEMORY : tmpdir()

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM_BYTES
  } catch {
    return false
  }
}
