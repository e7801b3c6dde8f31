/**
 * Pictures of visitors: each is decoded, rotated upright, shrunk and encoded as WebP, so that
 * served files contain nothing but pixels (no EXIF, no GPS, no script in a polyglot). Files have
 * random ids as names and never change.
 */
import { randomUUID } from 'node:crypto'
import type { Metadata, SharpConstructor as Sharp } from 'sharp'
import {
  IMAGE_ANIMATION_PIXELS,
  IMAGE_EDGE_MAX,
  IMAGE_MAX_BYTES,
  IMAGE_MAX_EDGE,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_PIXELS_WHOLE,
  IMAGE_RATIO_MAX,
  IMAGE_THUMBNAIL_EDGE,
} from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { StoredImage } from '../../db/tables.ts'
import { ApiError, isDiskFull, refuse } from '../../lib/api-error.ts'
import type { BucketLog, BucketOptions, ImageBucket } from './image-bucket.ts'
import { HIDDEN, SERVED, AREAS, type ImageFiles, type Area } from './image-files.ts'
import { openImageFolder, type ImageFolder } from './image-folder.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'

// Two pictures at a time with one thread each, so that posting goes on.
const DECODERS = 2
/** Of one sender, so that its slow pictures leave a decoder to the others. */
const DECODERS_OF_ONE = 1
/** Maximum waiting pictures, with up to 10 MB each. */
const WAITING_MAX = 30
const WAITING_MAX_OF_ONE = 8

const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp'])
const FRAMES_MAX = 300
/** Five times what the slowest picture within the limits takes on an idle processor. */
const SECONDS_MAX = 10

/**
 * Called before a picture is written, with its bytes. If it throws, the picture is refused with
 * that error. If the write fails afterwards, the caller of `save` undoes its effect.
 */
export type Admit = (bytes: number) => Promise<void>

export interface Upload {
  /** The sender, as `askerOf` names it; the board itself by default. */
  readonly asker?: string
  readonly admit?: Admit
}

/** Total of stored pictures, shared by all servers of the board. */
export interface ImageTally {
  /**
   * Adds files about to be written.
   * @throws ApiError disk_full when the total exceeds the maximum of the board
   */
  add(change: TallyChange): Promise<void>
  /** Subtracts files that were deleted, or never written. */
  takeOff(change: TallyChange): Promise<void>
}

export interface TallyChange {
  /** Prefix of the files' paths: those of one picture are adjacent. */
  readonly path: string
  readonly files: number
  readonly bytes: number
}

export interface ImageStore {
  /**
   * Decodes, re-encodes and stores a picture and its small copy.
   * @throws ApiError for an unusable picture; disk_full when the maximum is reached; unavailable
   * when too many wait, or the storage is away; too_many_requests when too many of the sender wait;
   * what `admit` throws
   */
  save(bytes: Buffer, upload?: Upload): Promise<StoredImage>
  /**
   * The same for a square cut out of the middle, without animation and small copy.
   * @param edge in pixels
   */
  saveSquare(bytes: Buffer, edge: number, upload?: Upload): Promise<StoredImage>
  /**
   * Moves a picture's files out of the served folder; they are kept. It is idempotent, and missing
   * files are no error.
   */
  hide(image: StoredImage): Promise<void>
  /** Moves them back. */
  show(image: StoredImage): Promise<void>
  /**
   * Deletes a picture that nothing shows, hidden or not. Never fails: a file that remains wastes
   * space until the collector finds it (features/images), but an error would make a stored post
   * look refused.
   * @returns the freed bytes
   */
  remove(image: Pick<StoredImage, 'key'>): Promise<number>
}

/** Addresses of an image and its small copy. */
export const imageUrl = (image: StoredImage): string => `/images/${image.key}.webp`
export const thumbnailUrl = (image: StoredImage): string => `/images/${image.key}-s.webp`

/** The storage of files, as configured. */
export async function openImageFiles(
  { dataDir, s3 }: { readonly dataDir: string; readonly s3: BucketOptions | null },
  log: BucketLog,
): Promise<ImageFolder | ImageBucket> {
  if (s3 === null) return openImageFolder(dataDir)
  // Boards without a bucket never load this module.
  const { openImageBucket } = await import('./image-bucket.ts')
  return openImageBucket(s3, log)
}

export function createImageStore(files: ImageFiles, tally: ImageTally): ImageStore {
  const semaphore = createFairSemaphore({
    ...{ places: DECODERS, placesOfOne: DECODERS_OF_ONE },
    ...{ waitingMax: WAITING_MAX, waitingMaxOfOne: WAITING_MAX_OF_ONE },
  })

  async function save(bytes: Buffer, { asker, admit }: Upload = {}): Promise<StoredImage> {
    if (bytes.length > IMAGE_MAX_BYTES) throw refuse('payload_too_large', 'image_too_large')
    const { image, thumbnail, width, height } = await semaphore(() => reencode(bytes), asker)
    return { key: await write([image, thumbnail], admit), width, height }
  }

  async function saveSquare(bytes: Buffer, edge: number, { asker, admit }: Upload = {}): Promise<StoredImage> {
    const square = await semaphore(() => encodeSquare(bytes, edge), asker)
    return { key: await write([square], admit), width: edge, height: edge }
  }

  /** @param copies the picture, and its small copy if it has one */
  async function write(copies: readonly Buffer[], admit: Admit | undefined): Promise<string> {
    const key = randomUUID()
    const bytes = copies.reduce((sum, copy) => sum + copy.length, 0)
    await admit?.(bytes)
    const change = { path: `${SERVED}/${key}`, files: copies.length, bytes }
    await tally.add(change)
    try {
      for (const [place, copy] of copies.entries()) await files.put(`${SERVED}/${namesOf(key)[place]}`, copy)
    } catch (error) {
      for (const name of namesOf(key)) await files.remove(`${SERVED}/${name}`).catch(() => {})
      await tally.takeOff(change).catch(() => {})
      throw error
    }
    return key
  }

  async function remove({ key }: Pick<StoredImage, 'key'>): Promise<number> {
    const ofAreas = await Promise.all(AREAS.map((area) => removeFrom(area, key)))
    return ofAreas.reduce((sum, bytes) => sum + bytes, 0)
  }

  async function removeFrom(area: Area, key: string): Promise<number> {
    const sizes = await Promise.all(namesOf(key).map((name) => files.remove(`${area}/${name}`).catch(() => 0)))
    const gone = sizes.filter((size) => size > 0)
    const bytes = gone.reduce((sum, size) => sum + size, 0)
    if (gone.length > 0) {
      await tally.takeOff({ path: `${area}/${key}`, files: gone.length, bytes }).catch(() => {})
    }
    return bytes
  }

  async function moveFiles({ key }: StoredImage, from: Area, to: Area): Promise<void> {
    for (const name of namesOf(key)) await files.move(name, from, to)
  }

  return {
    save,
    saveSquare,
    hide: (image) => moveFiles(image, SERVED, HIDDEN),
    show: (image) => moveFiles(image, HIDDEN, SERVED),
    remove,
  }
}

/** The picture, and its small copy. */
const namesOf = (key: string): readonly [string, string] => [`${key}.webp`, `${key}-s.webp`]

async function reencode(bytes: Buffer): Promise<{ image: Buffer; thumbnail: Buffer; width: number; height: number }> {
  const sharp = await loadSharp()
  const { frames, pixels, long } = await checkHead(sharp, bytes, { animated: true })
  const isAnimated = frames > 1
  // An effort of 3 takes two to three times as long as 0, for files a tenth smaller.
  const [edge, effort] = isAnimated
    ? [Math.min(IMAGE_MAX_EDGE, Math.floor(long * Math.sqrt(IMAGE_ANIMATION_PIXELS / (pixels * frames)))), 0]
    : [IMAGE_MAX_EDGE, 3]
  try {
    const inside = (longest: number) =>
      ({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true }) as const
    const full = await decode(sharp, bytes, { animated: isAnimated })
      .resize(inside(edge))
      .webp({ quality: 82, effort })
      .toBuffer({ resolveWithObject: true })
    // The small copy is not animated: a page of moving pictures is unreadable.
    const small = await sharp(full.data)
      .resize(inside(IMAGE_THUMBNAIL_EDGE))
      .webp({ quality: 76, effort: 3 })
      .toBuffer()
    return {
      image: full.data,
      thumbnail: small,
      width: full.info.width,
      height: full.info.pageHeight ?? full.info.height,
    }
  } catch (error) {
    throw unreadable(error)
  }
}

async function encodeSquare(bytes: Buffer, edge: number): Promise<Buffer> {
  const sharp = await loadSharp()
  // Only the first frame of an animation is decoded.
  await checkHead(sharp, bytes, { animated: false })
  try {
    return await decode(sharp, bytes, { animated: false })
      .resize({ width: edge, height: edge, fit: 'cover' })
      .webp({ quality: 82, effort: 4 })
      .toBuffer()
  } catch (error) {
    throw unreadable(error)
  }
}

let loading: Promise<Sharp> | undefined
/** The library is loaded with the first picture, so that a server starts without it. */
function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Only the four formats of IMAGE_TYPES have a decoder; an SVG, PDF or TIFF under another name
    // has none.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
    })
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  // A failure may be temporary, as while an operator installs a new version: the next picture tries
  // again.
  loading.catch(() => (loading = undefined))
  return loading
}

const decode = (sharp: Sharp, bytes: Buffer, { animated }: { readonly animated: boolean }) =>
  sharp(bytes, { animated, limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: SECONDS_MAX })
    .autoOrient()

interface Head {
  readonly frames: number
  /** Of one frame. */
  readonly pixels: number
  /** Longest edge in pixels. */
  readonly long: number
}

/**
 * Reads the header of the file, before anything is decoded.
 * @param animated whether all frames are to be decoded, or the first one
 * @throws ApiError for other formats, and for pictures that would take too much time or memory
 */
async function checkHead(sharp: Sharp, bytes: Buffer, { animated }: { readonly animated: boolean }): Promise<Head> {
  let metadata: Metadata
  try {
    metadata = await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch (error) {
    // Without a decoder: another format. With one: a damaged file.
    if (
      /unsupported image format|no known|not in a known format|blocked|operation is blocked/i.test(
        (error as Error).message,
      )
    ) {
      throw refuse('unsupported_media_type', 'image_type')
    }
    throw unreadable(error)
  }
  if (!FORMATS.has(metadata.format)) throw refuse('unsupported_media_type', 'image_type')
  const { width, height, pageHeight = height, pages: frames = 1 } = metadata
  const [short, long] = [Math.min(width, pageHeight), Math.max(width, pageHeight)]
  if (long > IMAGE_EDGE_MAX || long > short * IMAGE_RATIO_MAX) throw refuse('bad_image', 'image_too_long')
  const pixels = width * pageHeight
  const isTooMuch = animated ? pixels * frames > IMAGE_MAX_PIXELS || frames > FRAMES_MAX : pixels > IMAGE_MAX_PIXELS
  // Other formats are decoded line by line.
  const isHeldWhole = metadata.isProgressive || metadata.format === 'gif'
  if (isTooMuch || (isHeldWhole && pixels > IMAGE_MAX_PIXELS_WHOLE)) throw refuse('bad_image', 'image_too_many_pixels')
  return { frames, pixels, long }
}

/** The answer to a picture that could not be read. */
export function unreadable(error: unknown): ApiError {
  if (isDiskFull(error)) return refuse('disk_full', 'disk_full_pictures')
  // It had its turn, so the same picture would most likely take too long again.
  if ((error as Error).message.startsWith('timeout: ')) return refuse('bad_image', 'image_too_slow')
  return new ApiError('bad_image', messages.image_broken)
}
