/** From a chosen file to the square that is kept. Drawing an <img> respects the orientation that a camera wrote beside the pixels. */
import { PROFILE_IMAGE_EDGE } from '@shinobi/contract/limits'
import { sourceSquare, type Crop } from './crop.ts'

/** Edge in pixels of what is sent, a few dozen kilobytes: twice what the server keeps, which so writes it anew from more than it needs. */
const CROPPED_EDGE = 2 * PROFILE_IMAGE_EDGE
const QUALITY = 0.9

/** @throws when the browser cannot read the file (HEIC outside of Safari, say) */
export async function openImage(file: File): Promise<HTMLImageElement> {
  // Whether it can be read is found out apart from the page: a broken image has no business in it.
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
  // A browser that cannot write WebP answers with a PNG; a photograph is smaller as a JPEG then.
  const webp = await toBlob(canvas, 'image/webp')
  const blob = webp?.type === 'image/webp' ? webp : await toBlob(canvas, 'image/jpeg')
  if (blob === null) throw new Error('the canvas could not be written')
  return new File([blob], `profile.${blob.type.slice('image/'.length)}`, { type: blob.type })
}

const toBlob = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))
