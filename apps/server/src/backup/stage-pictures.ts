/**
 * Receives pictures into staging folders of DATA_DIR, and moves them beside the existing ones when
 * all have arrived.
 */
import { copyFile, mkdir, open, opendir, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { HIDDEN, SERVED, AREAS } from '../features/images/image-files.ts'
import { syncPath } from '../lib/sync-path.ts'
import { createInFlight } from './in-flight.ts'

export interface PictureIntake {
  write(name: string, bytes: number, body: AsyncIterable<Buffer>): Promise<void>
  /**
   * Moves all of them into place. An existing picture of the same name has the same content, and is
   * replaced.
   * @param renamed those that get another name than they were written with
   */
  place(renamed: ReadonlyMap<string, string>): Promise<void>
  /** Deletes them, as far as the storage can. */
  discard(): Promise<void>
}

/**
 * The staging folder is within the target folder, so that it is on the same disk. No picture's name
 * begins with a dot.
 */
const STAGING = '.restoring'
/** Files synced at the same time, so that one wait for the disk serves many. */
const SYNCED_TOGETHER = 32

/** Deletes the leftovers of a killed restore first. */
export async function stagePictures(dataDir: string): Promise<PictureIntake> {
  const syncing = createInFlight(SYNCED_TOGETHER)
  const stagingOf = (area: string): string => join(dataDir, area, STAGING)
  const discard = async (): Promise<void> => {
    await syncing.settle()
    for (const area of AREAS) await rm(stagingOf(area), { recursive: true, force: true })
  }
  await discard()
  for (const area of AREAS) await mkdir(stagingOf(area), { recursive: true, mode: 0o700 })

  return {
    discard,
    async write(name, _bytes, body) {
      const [area, file] = name.split('/') as [string, string]
      const handle = await open(join(stagingOf(area), file), 'w', 0o644)
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
      for (const area of AREAS) {
        for await (const { name: file } of await opendir(stagingOf(area))) {
          const name = renamed.get(`${area}/${file}`) ?? `${area}/${file}`
          await move(join(stagingOf(area), file), join(dataDir, name))
          // A picture is either served or hidden, so delete it in the other folder.
          const other = name.startsWith(`${HIDDEN}/`) ? SERVED : HIDDEN
          await rm(join(dataDir, other, file), { force: true })
        }
      }
      for (const area of AREAS) {
        await rm(stagingOf(area), { recursive: true })
        await syncPath(join(dataDir, area))
      }
    },
  }
}

/** Each folder may be on a disk of its own. */
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
