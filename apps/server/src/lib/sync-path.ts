/**
 * Waits until the content of a file, or the names in a folder, are on the disk. A new or renamed
 * file only survives a power cut once its folder is synced as well: fsync of a file does not
 * include its name.
 */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Windows cannot sync folders. */
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

/** The same, synchronously, for files written at the start. */
export function syncPathSync(path: string): void {
  if (isSkipped) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
