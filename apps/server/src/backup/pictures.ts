/** The pictures of a board, for backup and restore. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ImageBucket } from '../features/images/image-bucket.ts'
import { HIDDEN, SERVED, type ImageFiles, type Area } from '../features/images/image-files.ts'
import type { ImageFolder } from '../features/images/image-folder.ts'
import { createInFlight } from './in-flight.ts'
import { stagePictures, type PictureIntake } from './stage-pictures.ts'

/** Names are paths: `images/…` for served pictures, `images-hidden/…` for removed ones. */
export interface Pictures {
  /**
   * All pictures. One that moves between the two folders meanwhile is listed in one of them, or in
   * both.
   */
  list(): AsyncIterable<{ readonly name: string; readonly bytes: number }>
  /** Null when it does not exist any more. The body must be read to its end. */
  read(name: string): Promise<{ readonly bytes: number; readonly body: AsyncIterable<Uint8Array> } | null>
  /** Begins to receive pictures. */
  receive(): Promise<PictureIntake>
}

/** Pictures uploaded to a bucket at the same time; larger ones go one by one. */
const SENT_TOGETHER = 8
const SENT_WHOLE_BYTES = 16 * 1024 * 1024

export const openPictures = (files: ImageFolder | ImageBucket): Pictures => ({
  list: () => listPictures(files),
  async read(name) {
    const found = await files.get(name)
    return found === null ? null : { bytes: found.bytes, body: found.stream as AsyncIterable<Buffer> }
  },
  receive: async () => (files.kind === 'folder' ? stagePictures(files.dataDir) : receiveInto(files)),
})

async function* listPictures(files: ImageFiles): ReturnType<Pictures['list']> {
  // Hidden pictures, which are few, are listed before and after the others, so that none is missed
  // while it is moved.
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
 * Uploads to a bucket, which has no place for incomplete restores, directly under the final names.
 * No post shows these names before the database is restored, and files of a failed restore are
 * replaced by the next one, or collected by the board as orphans.
 */
function receiveInto(files: ImageFiles): PictureIntake {
  const sending = createInFlight(SENT_TOGETHER)
  const hidden = new Set<string>()

  return {
    async write(name, bytes, body) {
      if (name.startsWith(`${HIDDEN}/`)) hidden.add(name)
      if (bytes > SENT_WHOLE_BYTES) await files.put(name, { bytes, stream: Readable.from(body) })
      else await sending.add(files.put(name, await buffer(body)))
    },
    async place(renamed) {
      await sending.end()
      for (const [from, to] of renamed) {
        const [area, name] = from.split('/') as [Area, string]
        await files.move(name, area, to.startsWith(`${SERVED}/`) ? SERVED : HIDDEN)
      }
      // The bucket may serve one that was shown again after the backup.
      for (const path of hidden) {
        if (!renamed.has(path)) await files.remove(path.replace(HIDDEN, SERVED))
      }
    },
    discard: sending.settle,
  }
}
