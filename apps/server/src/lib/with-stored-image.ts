import { isConnectionLost } from './api-error.ts'
import type { ImageStore, StoredImage } from './image-store.ts'

/**
 * Stores an image, lets `write` put it into the database, and takes it away again when nothing came to show it: `write`
 * failed, or tells that it was not used. When the connection to the database broke nobody knows, and the image stays.
 */
export async function withStoredImage<T>(
  images: ImageStore,
  bytes: Buffer | null,
  write: (image: StoredImage | null) => Promise<{ readonly result: T; readonly used: boolean }>,
): Promise<T> {
  if (bytes === null) return (await write(null)).result
  const image = await images.save(bytes)
  try {
    const { result, used } = await write(image)
    if (!used) await images.remove(image)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) await images.remove(image)
    throw error
  }
}
