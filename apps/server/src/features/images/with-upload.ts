import { ApiError, isDiskFull, refuse } from '../../lib/api-error.ts'
import type { StoredImage } from '../../db/tables.ts'
import type { ImageStore, Upload } from './image-store.ts'
import { withStoredImage } from './with-stored-image.ts'
import type { Limits } from '../../http/limits.ts'
import { askerOf, type Visitor } from '../../http/visitor.ts'

export interface UploadDeps {
  readonly limits: Pick<Limits, 'uploads' | 'imageKilobytes'>
  readonly images: ImageStore
}

/**
 * Counts an upload, stores its picture, and lets `write` insert it into the database. Points are
 * given back for a good picture that was not used (`write` threw: its post was refused, or had been
 * stored before), and for one refused because too many wait, or for lack of space. An unreadable
 * picture counts, because decoding it took time. Its stored bytes count per day, once their number
 * is known.
 * @param store how to store it; as the picture of a post by default
 * @throws ApiError too_many_requests, the image errors of image-store.ts, and whatever `write`
 * throws
 */
export async function withUpload<T>(
  { limits, images }: UploadDeps,
  visitor: Visitor,
  bytes: Buffer | null,
  write: (image: StoredImage | null) => Promise<T>,
  store: (bytes: Buffer, upload: Upload) => Promise<StoredImage> = images.save,
): Promise<T> {
  if (bytes === null) return write(null)
  await limits.uploads.take(visitor)
  let cameToNothing = false
  let isUsed = false
  let hadTurn = false
  let kilobytes = 0
  const admit = async (size: number) => {
    hadTurn = true
    const count = Math.ceil(size / 1_000)
    await limits.imageKilobytes.take(visitor, count)
    kilobytes = count
  }
  try {
    const stored = await store(bytes, { asker: askerOf(visitor.origin.address), admit }).catch((error: unknown) => {
      const refusal = isDiskFull(error) ? refuse('disk_full', 'disk_full_pictures') : error
      const { code } = refusal instanceof ApiError ? refusal : { code: null }
      cameToNothing = code === 'unavailable' || code === 'disk_full' || (code === 'too_many_requests' && !hadTurn)
      throw refusal
    })
    return await withStoredImage(images, stored, async (image) => {
      cameToNothing = true
      const written = await write(image)
      isUsed = true
      cameToNothing = false
      return written
    })
  } finally {
    if (cameToNothing) await limits.uploads.giveBack(visitor)
    if (!isUsed && kilobytes > 0) await limits.imageKilobytes.giveBack(visitor, kilobytes)
  }
}
