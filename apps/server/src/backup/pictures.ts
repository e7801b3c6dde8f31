/** Where a board's pictures are kept, as backup and restore see it. */
import { copyFile, mkdir, open, opendir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { isPictureName } from './manifest.ts'

/** A picture's name is `images/…` where it is served, and `images-hidden/…` where its post was removed. */
export interface Pictures {
  /** Those that are there. One that moves between the two places meanwhile is listed in one of them, or in both. */
  list(): AsyncIterable<{ readonly name: string; readonly size: number }>
  /** Null when it is not there any more. The body has to be read to its end. */
  read(name: string): Promise<{ readonly size: number; readonly body: AsyncIterable<Uint8Array> } | null>
  /** Begins to take pictures in, aside of those that are there. Removes what a restore that was killed has left. */
  receive(): Promise<PictureIntake>
}

export interface PictureIntake {
  write(name: string, body: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Puts all of them in their places. A picture that is there under the same name is the same one, and is replaced.
   * @param renamed those that get another name than they were written with
   */
  place(renamed: ReadonlyMap<string, string>): Promise<void>
  /** Forgets them. */
  discard(): Promise<void>
}

const SHOWN = 'images'
const HIDDEN = 'images-hidden'
const FOLDERS = [SHOWN, HIDDEN] as const
/** On the disk of the folder that it lies in, whatever is mounted where. No picture's name begins with a dot. */
const ASIDE = '.restoring'
/** Files that are forced to the disk at the same time, so that one wait serves many. */
const SYNCED_TOGETHER = 32

/** Pictures in DATA_DIR. */
export function openPictureFolder(dataDir: string): Pictures {
  async function* listFolder(folder: string): AsyncGenerator<{ name: string; size: number }, void> {
    for await (const file of filesIn(join(dataDir, folder))) {
      const name = `${folder}/${file}`
      if (!isPictureName(name) || file.endsWith('.tmp')) continue
      const found = await stat(join(dataDir, name)).catch(nullIfMissing)
      if (found !== null) yield { name, size: found.size }
    }
  }

  return {
    async *list() {
      // The hidden ones are few. Before and after the others, so that none is missed while it is moved there or back.
      const hidden = new Set<string>()
      for await (const picture of listFolder(HIDDEN)) {
        hidden.add(picture.name)
        yield picture
      }
      yield* listFolder(SHOWN)
      for await (const picture of listFolder(HIDDEN)) if (!hidden.has(picture.name)) yield picture
    },
    async read(name) {
      const handle = await open(join(dataDir, name)).catch(nullIfMissing)
      if (handle === null) return null
      const { size } = await handle.stat()
      return { size, body: handle.createReadStream() as AsyncIterable<Buffer> }
    },
    async receive() {
      const discard = async (): Promise<void> => {
        for (const folder of FOLDERS) await rm(join(dataDir, folder, ASIDE), { recursive: true, force: true })
      }
      await discard()
      for (const folder of FOLDERS) await mkdir(join(dataDir, folder, ASIDE), { recursive: true, mode: 0o700 })
      return { ...receiveAside(dataDir), discard }
    },
  }
}

function receiveAside(dataDir: string): Omit<PictureIntake, 'discard'> {
  const syncing = new Set<Promise<void>>()

  return {
    async write(name, body) {
      const [folder, file] = name.split('/') as [string, string]
      const handle = await open(join(dataDir, folder, ASIDE, file), 'w', 0o644)
      try {
        for await (const chunk of body) await handle.writeFile(chunk)
      } catch (error) {
        await handle.close()
        throw error
      }
      const synced = syncAndClose(handle).finally(() => syncing.delete(synced))
      syncing.add(synced)
      if (syncing.size >= SYNCED_TOGETHER) await Promise.race(syncing)
    },
    async place(renamed) {
      await Promise.all(syncing)
      for (const folder of FOLDERS) {
        const aside = join(dataDir, folder, ASIDE)
        for await (const file of filesIn(aside)) {
          const name = renamed.get(`${folder}/${file}`) ?? `${folder}/${file}`
          await move(join(aside, file), join(dataDir, name))
          // It is either shown or hidden.
          const other = name.startsWith(`${HIDDEN}/`) ? SHOWN : HIDDEN
          await rm(join(dataDir, other, file), { force: true })
        }
      }
      for (const folder of FOLDERS) {
        await rm(join(dataDir, folder, ASIDE), { recursive: true })
        await syncFolder(join(dataDir, folder))
      }
    },
  }
}

/** Files in a folder; none where there is no such folder. */
async function* filesIn(folder: string): AsyncGenerator<string, void> {
  const directory = await opendir(folder).catch(nullIfMissing)
  if (directory === null) return
  for await (const entry of directory) if (entry.isFile()) yield entry.name
}

/** Either folder may be a disk of its own. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders.
  const handle = await open(folder).catch(() => null)
  if (handle === null) return
  await syncAndClose(handle)
}
