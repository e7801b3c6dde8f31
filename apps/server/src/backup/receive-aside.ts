/** Pictures that come into DATA_DIR, beside those that are there, until all of them have come. */
import { copyFile, mkdir, open, opendir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { HIDDEN, SERVED, SHELVES } from '../lib/image-files.ts'
import { syncPath } from '../lib/sync-path.ts'
import { createInFlight } from './in-flight.ts'
import type { PictureIntake } from './pictures.ts'

/** On the disk of the folder that it lies in, whatever is mounted where. No picture's name begins with a dot. */
const ASIDE = '.restoring'
/** Files that are forced to the disk at the same time, so that one wait serves many. */
const SYNCED_TOGETHER = 32

/** Removes what a restore that was killed has left. */
export async function receiveAside(dataDir: string): Promise<PictureIntake> {
  const syncing = createInFlight(SYNCED_TOGETHER)
  const asideOf = (shelf: string): string => join(dataDir, shelf, ASIDE)
  const discard = async (): Promise<void> => {
    await syncing.settle()
    for (const shelf of SHELVES) await rm(asideOf(shelf), { recursive: true, force: true })
  }
  await discard()
  for (const shelf of SHELVES) await mkdir(asideOf(shelf), { recursive: true, mode: 0o700 })

  return {
    discard,
    async write(name, _bytes, body) {
      const [shelf, file] = name.split('/') as [string, string]
      const handle = await open(join(asideOf(shelf), file), 'w', 0o644)
      try {
        for await (const chunk of body) await handle.writeFile(chunk)
      } catch (error) {
        await handle.close()
        throw error
      }
      await syncing.add(syncAndClose(handle))
    },
    async place(renamed) {
      await syncing.end()
      for (const shelf of SHELVES) {
        for await (const { name: file } of await opendir(asideOf(shelf))) {
          const name = renamed.get(`${shelf}/${file}`) ?? `${shelf}/${file}`
          await move(join(asideOf(shelf), file), join(dataDir, name))
          // It is either shown or hidden.
          const other = name.startsWith(`${HIDDEN}/`) ? SERVED : HIDDEN
          await rm(join(dataDir, other, file), { force: true })
        }
      }
      for (const shelf of SHELVES) {
        await rm(asideOf(shelf), { recursive: true })
        await syncPath(join(dataDir, shelf))
      }
    },
  }
}

/** Either folder may be a disk of its own. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    await syncPath(to)
  }
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
