import { isConnectionLost } from './api-error.ts'
import type { ImageStore, StoredImage } from './image-store.ts'

/**
 * Lets `write` put a stored image into the database, and takes the image away again when nothing came to show it: `write`
 * failed, or tells that it was not used. When the connection to the database broke nobody knows, and the image stays.
 */
export async function withStoredImage<T>(
  images: Pick<ImageStore, 'remove'>,
  image: StoredImage,
  write: (image: StoredImage) => Promise<{ readonly result: T; readonly used: boolean }>,
): Promise<T> {
  try {
    const { result, used } = await write(image)
    if (!used) await images.remove(image)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) await images.remove(image)
    throw error
  }
}
