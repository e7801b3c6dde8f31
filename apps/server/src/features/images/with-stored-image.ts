import { isConnectionLost } from '../../lib/api-error.ts'
import type { StoredImage } from '../../db/tables.ts'
import type { ImageStore } from './image-store.ts'

/**
 * Lets `write` insert a stored picture into the database, and deletes the picture again when
 * `write` fails. When the connection to the database broke, the outcome is unknown, so the picture
 * stays.
 */
export async function withStoredImage<T>(
  images: Pick<ImageStore, 'remove'>,
  image: StoredImage,
  write: (image: StoredImage) => Promise<T>,
): Promise<T> {
  try {
    return await write(image)
  } catch (error) {
    if (!isConnectionLost(error)) await images.remove(image)
    throw error
  }
}
