/** Checks an image before it is attached, and reduces its size before the upload. */
import { IMAGE_MAX_BYTES, IMAGE_MAX_EDGE, IMAGE_TYPES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'

/** The message for an image that cannot be attached, or null. */
export function findImageProblem(file: Pick<File, 'type' | 'size'>): string | null {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return messages.image_type
  // A placeholder of a cloud folder, or an interrupted download.
  if (file.size === 0) return messages.image_broken
  if (file.size > IMAGE_MAX_BYTES) return messages.image_too_large
  return null
}

/** Value of the file input's accept. */
export const IMAGE_ACCEPT = IMAGE_TYPES.join(',')

/** Quality of a re-encoded photograph: no visible loss at twice the displayed size. */
const QUALITY = 0.88

/**
 * Dimensions of an image scaled so that the longer edge is at most `max`; null when it already is.
 */
function fitWithin(width: number, height: number, max: number): { width: number; height: number } | null {
  const long = Math.max(width, height)
  if (long <= max) return null
  const scale = max / long
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * A canvas keeps only the first frame, so possibly animated files stay unchanged: GIF, and PNG or
 * WebP whose header declares an animation.
 */
async function mayMove(file: File): Promise<boolean> {
  if (file.type === 'image/gif') return true
  if (file.type === 'image/jpeg') return false
  const head = new TextDecoder('latin1').decode(await file.slice(0, 4_096).arrayBuffer())
  return head.includes('acTL') || head.includes('ANIM')
}

/**
 * The image as it is attached. A chosen file is a reference to the disk: when it is changed or
 * deleted there, neither a preview nor an upload can read it, so its bytes are copied now.
 * @throws when the file cannot be read
 */
export async function prepareImage(file: File): Promise<File> {
  const { name, type, lastModified } = file
  return shrinkImage(new File([await file.arrayBuffer()], name, { type, lastModified }))
}

/** @throws when the file is no image that this browser can show, whatever its name says */
export async function checkShown(file: File): Promise<void> {
  const url = URL.createObjectURL(file)
  try {
    await new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = resolve
      image.onerror = reject
      image.src = url
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}

/**
 * The image with its longer edge at most what the board stores (2,048 px), if that makes the file
 * smaller: a phone's photograph goes from several megabytes to some hundred kilobytes. A file that
 * cannot be decoded here stays unchanged.
 */
async function shrinkImage(file: File): Promise<File> {
  try {
    if (await mayMove(file)) return file
    const bitmap = await createImageBitmap(file)
    try {
      const size = fitWithin(bitmap.width, bitmap.height, IMAGE_MAX_EDGE)
      if (size === null) return file
      const canvas = document.createElement('canvas')
      Object.assign(canvas, size)
      const context = canvas.getContext('2d')
      if (context === null) return file
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, 0, 0, size.width, size.height)
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, file.type, QUALITY))
      // A browser that cannot encode WebP returns a PNG.
      if (blob === null || blob.type !== file.type || blob.size >= file.size) return file
      return new File([blob], file.name, { type: blob.type, lastModified: file.lastModified })
    } finally {
      bitmap.close()
    }
  } catch {
    return file
  }
}
