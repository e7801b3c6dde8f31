/**
 * Converts a chosen file to the square avatar. Drawing an <img> respects the orientation in the
 * camera's metadata.
 */
import { PROFILE_IMAGE_EDGE } from '@shinobi/contract/limits'
import { sourceSquare, type Crop } from './crop.ts'

/**
 * Edge in pixels of the uploaded image, a few dozen kilobytes: twice the stored size, so that the
 * server scales it down.
 */
const CROPPED_EDGE = 2 * PROFILE_IMAGE_EDGE
const QUALITY = 0.9

/** @throws when the browser cannot read the file (such as HEIC outside Safari) */
export async function openImage(file: File): Promise<HTMLImageElement> {
  // Decoded outside the document first, so that a broken image is never inserted.
  const bitmap = await createImageBitmap(file)
  bitmap.close()
  const url = URL.createObjectURL(file)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return image
  } catch (error) {
    URL.revokeObjectURL(url)
    throw error
  }
}

export const closeImage = (image: HTMLImageElement): void => URL.revokeObjectURL(image.src)

/** @throws when the browser has no memory left for the canvas */
export async function cropImage(image: HTMLImageElement, crop: Crop): Promise<File> {
  const { x, y, size } = sourceSquare(crop, image.naturalWidth, image.naturalHeight)
  const edge = Math.min(CROPPED_EDGE, Math.max(1, Math.round(size)))
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: edge, height: edge })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, size, size, 0, 0, edge, edge)
  // A browser that cannot encode WebP returns a PNG; a photograph is smaller as a JPEG.
  const webp = await toBlob(canvas, 'image/webp')
  const blob = webp?.type === 'image/webp' ? webp : await toBlob(canvas, 'image/jpeg')
  if (blob === null) throw new Error('the canvas could not be written')
  return new File([blob], `profile.${blob.type.slice('image/'.length)}`, { type: blob.type })
}

const toBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
