import { ApiError, isDiskFull, refuse } from '../lib/api-error.ts'
import type { Admit, ImageStore, StoredImage } from '../lib/image-store.ts'
import { withStoredImage } from '../lib/with-stored-image.ts'
import type { Limits } from './limits.ts'
import type { Visitor } from './visitor.ts'

export interface UploadDeps {
  readonly limits: Pick<Limits, 'uploads' | 'imageKilobytes'>
  readonly images: ImageStore
}

/**
 * Counts an upload, stores its picture, and lets `write` put it into the database. A good picture
 * that came to nothing (a post that was refused, or was there before) costs nothing, nor does one
 * that nobody had time or space for; one that could not be read has cost us its decoding, and
 * counts. The bytes it takes are counted by the day, once it is known how many they are.
 * @param store how it is kept; as the picture of a post when not given
 * @throws ApiError too_many_requests, the image errors of lib/image-store.ts, and whatever `write`
 *   throws
 */
export async function withUpload<T>(
  { limits, images }: UploadDeps,
  visitor: Visitor,
  bytes: Buffer | null,
  write: (image: StoredImage | null) => Promise<{ readonly result: T; readonly used: boolean }>,
  store: (bytes: Buffer, admit: Admit) => Promise<StoredImage> = images.save,
): Promise<T> {
  if (bytes === null) return (await write(null)).result
  await limits.uploads.take(visitor)
  let cameToNothing = false
  let isUsed = false
  let kilobytes = 0
  const admit: Admit = async (size) => {
    const count = Math.ceil(size / 1_000)
    await limits.imageKilobytes.take(visitor, count)
    kilobytes = count
  }
  try {
    const stored = await store(bytes, admit).catch((error: unknown) => {
      const refusal = isDiskFull(error) ? refuse('disk_full', 'disk_full_pictures') : error
      cameToNothing = refusal instanceof ApiError && (refusal.code === 'unavailable' || refusal.code === 'disk_full')
      throw refusal
    })
    return await withStoredImage(images, stored, async (image) => {
      cameToNothing = true
      const written = await write(image)
      isUsed = written.used
      cameToNothing = !isUsed
      return written
    })
  } finally {
    if (cameToNothing) await limits.uploads.giveBack(visitor)
    if (!isUsed && kilobytes > 0) await limits.imageKilobytes.giveBack(visitor, kilobytes)
  }
}
