/** The pictures of a board, as backup and restore see them. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ImageBucket } from '../lib/image-bucket.ts'
import { HIDDEN, SERVED, type ImageFiles, type Shelf } from '../lib/image-files.ts'
import type { ImageFolder } from '../lib/image-folder.ts'
import { createInFlight } from './in-flight.ts'
import { receiveAside } from './receive-aside.ts'

/** Names are paths: `images/…` for what is served, `images-hidden/…` for what was removed. */
export interface Pictures {
  /** Those that are there. One that moves between the two places meanwhile is listed in one of them, or in both. */
  list(): AsyncIterable<{ readonly name: string; readonly bytes: number }>
  /** Null when it is not there any more. The body has to be read to its end. */
  read(name: string): Promise<{ readonly bytes: number; readonly body: AsyncIterable<Uint8Array> } | null>
  /** Begins to take pictures in. */
  receive(): Promise<PictureIntake>
}

export interface PictureIntake {
  write(name: string, bytes: number, body: AsyncIterable<Buffer>): Promise<void>
  /**
   * Puts all of them in their places. A picture that is there under the same name is the same one, and is replaced.
   * @param renamed those that get another name than they were written with
   */
  place(renamed: ReadonlyMap<string, string>): Promise<void>
  /** Forgets them, as far as the storage can. */
  discard(): Promise<void>
}

/** Pictures on their way to a bucket at the same time; larger ones go one by one. */
const SENT_TOGETHER = 8
const SENT_WHOLE_BYTES = 16 * 1024 * 1024

export const openPictures = (files: ImageFolder | ImageBucket): Pictures => ({
  list: () => listPictures(files),
  async read(name) {
    const found = await files.get(name)
    return found === null ? null : { bytes: found.bytes, body: found.stream as AsyncIterable<Buffer> }
  },
  receive: async () => (files.kind === 'folder' ? receiveAside(files.dataDir) : receiveInto(files)),
})

async function* listPictures(files: ImageFiles): ReturnType<Pictures['list']> {
  // The hidden ones, which are few, before and after the others: so none is missed while it is moved.
  const hidden = new Set<string>()
  const isHidden = (path: string): boolean => path.startsWith(`${HIDDEN}/`)
  for await (const { path, key, bytes } of files.list()) {
    if (key === null) continue
    if (isHidden(path)) hidden.add(path)
    yield { name: path, bytes }
  }
  for await (const { path, key, bytes } of files.list()) {
    if (!isHidden(path)) break
    if (key !== null && !hidden.has(path)) yield { name: path, bytes }
  }
}

/**
 * Into a bucket, where nothing can be put aside: under their own names at once. Nobody knows these names before the database
 * does, and what a restore that failed has left is replaced by the next one, or collected by the board as what belongs to nothing.
 */
function receiveInto(files: ImageFiles): PictureIntake {
  const sending = createInFlight(SENT_TOGETHER)

  return {
    async write(name, bytes, body) {
      if (bytes > SENT_WHOLE_BYTES) await files.put(name, { bytes, stream: Readable.from(body) })
      else await sending.add(files.put(name, await buffer(body)))
    },
    async place(renamed) {
      await sending.end()
      for (const [from, to] of renamed) {
        const [shelf, name] = from.split('/') as [Shelf, string]
        await files.move(name, shelf, to.startsWith(`${SERVED}/`) ? SERVED : HIDDEN)
      }
    },
    discard: sending.settle,
  }
}
