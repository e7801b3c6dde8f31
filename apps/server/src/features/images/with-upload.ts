import { ApiError, isDiskFull, isPassing, refuse } from '../../lib/api-error.ts'
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
 * Counts an upload, stores its picture, and lets `write` insert it into the database. The upload is
 * given back when the server could not keep the picture, or too many waited. Any other one counts,
 * also when `write` refuses its post or finds that it was stored before: decoding it took time, and
 * whoever sends it can cause that refusal again and again. Its stored bytes count per day, once
 * their number is known, unless it is not used and so deleted.
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
      throw isDiskFull(error) ? refuse('disk_full', 'disk_full_pictures') : error
    })
    return await withStoredImage(images, stored, write)
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null
    const hadNoTurn = code === 'too_many_requests' && !hadTurn
    if (hadNoTurn || code === 'disk_full' || isPassing(error)) await limits.uploads.giveBack(visitor)
    if (kilobytes > 0) await limits.imageKilobytes.giveBack(visitor, kilobytes)
    throw error
  }
}
