/**
 * Waits until the content of a file, or the names in a folder, are on the disk. A new or renamed file survives a power cut
 * only once its folder is on the disk as well: fsync of a file says nothing about its name.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Windows has no such call for folders. */
const isSkipped = process.platform === 'win32'

export async function syncPath(path: string): Promise<void> {
  if (isSkipped) return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The same without letting anything else go on, for what is written at a start. */
export function syncPathNow(path: string): void {
  if (isSkipped) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
