import { chmodSync, createWriteStream, mkdirSync } from 'node:fs'
import { copyFile, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { keyOfPath, SERVED, AREAS, type ImageFiles, type Area } from './image-files.ts'
import { syncPath } from '../../lib/sync-path.ts'

export interface ImageFolder extends ImageFiles {
  readonly kind: 'folder'
  /** Contains a folder for each of AREAS. */
  readonly dataDir: string
  /** The folder of served files. */
  readonly served: string
}

/**
 * Names that `list` keeps at a time. A folder of a million files is read once per ten thousand of
 * them.
 */
const NAMES_AT_ONCE = 10_000

/** @param dataDir contains a folder for each of AREAS */
export function openImageFolder(dataDir: string): ImageFolder {
  const folderOf = (area: Area): string => join(dataDir, area)
  for (const area of AREAS) {
    mkdirSync(folderOf(area), { recursive: true, mode: 0o700 })
    try {
      // Earlier versions made them readable by all users of the system.
      chmodSync(folderOf(area), 0o700)
    } catch (error) {
      // A mounted folder may belong to another user, whose permissions stay.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
    }
  }
  const fileOf = (path: string): string => join(dataDir, path)

  return {
    kind: 'folder',
    dataDir,
    served: folderOf(SERVED),
    async put(path, body) {
      const half = `${fileOf(path)}.tmp`
      try {
        if (Buffer.isBuffer(body)) await writeFile(half, body, { flush: true })
        else await pipeline(body.stream, createWriteStream(half, { flush: true }))
        await rename(half, fileOf(path))
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
      // The file and its name must be on the disk before a post that shows the picture is
      // acknowledged.
      await syncPath(dirname(fileOf(path)))
    },
    async get(path) {
      const file = await unlessMissing(open(fileOf(path)))
      if (file === null) return null
      const { size } = await file.stat()
      return { bytes: size, stream: file.createReadStream() }
    },
    async remove(path) {
      const found = await unlessMissing(stat(fileOf(path)))
      if (found === null) return 0
      await rm(fileOf(path), { force: true })
      return found.size
    },
    move: (name, from, to) => moveFile(join(folderOf(from), name), join(folderOf(to), name)),
    async *list(after = '') {
      for (const area of AREAS) {
        const start = `${area}/`
        if (after > start && !after.startsWith(start)) continue
        let last = after.startsWith(start) ? after.slice(start.length) : ''
        for (;;) {
          const names = await firstNamesAfter(folderOf(area), last)
          for (const name of names) {
            const found = await unlessMissing(stat(join(folderOf(area), name)))
            if (found?.isFile() !== true) continue
            const path = start + name
            yield { path, key: keyOfPath(path), bytes: found.size, modifiedAt: found.mtimeMs }
          }
          if (names.length < NAMES_AT_ONCE) break
          last = names.at(-1)!
        }
      }
    },
    // Errors of a disk are answered and logged where they occur.
    failures: () => 0,
    close: async () => {},
  }
}

/** The first names after a given one, in order; the other names are not kept in memory. */
async function firstNamesAfter(folder: string, after: string): Promise<string[]> {
  let names: string[] = []
  const firstOf = (all: string[]): string[] => all.toSorted().slice(0, NAMES_AT_ONCE)
  for await (const { name } of await opendir(folder, { bufferSize: 1_000 })) {
    if (name <= after) continue
    names.push(name)
    if (names.length >= 2 * NAMES_AT_ONCE) names = firstOf(names)
  }
  return firstOf(names)
}

const unlessMissing = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/** Atomic. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    // The folder of images may be on a disk of its own.
    if (code !== 'EXDEV') throw error
    const half = `${to}.tmp`
    await copyFile(from, half)
    await syncPath(half)
    await rename(half, to)
    await rm(from, { force: true })
  }
  // A removed picture must not reappear after a power cut.
  for (const path of [to, from]) await syncPath(dirname(path))
}
