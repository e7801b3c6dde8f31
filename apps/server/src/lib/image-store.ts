/**
 * Images of visitors: whatever comes in is decoded, turned upright, shrunk and written anew as WebP, so that what is served
 * holds pixels and nothing else (no EXIF, no GPS, no script in a polyglot). Files are named by random ids and never change.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metadata, SharpConstructor as Sharp } from 'sharp'
import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_EDGE,
  IMAGE_MAX_PIXELS,
  IMAGE_MAX_PIXELS_WHOLE,
  IMAGE_THUMBNAIL_EDGE,
} from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { ApiError, isDiskFull, refuse } from './api-error.ts'
import { createTurns } from './turns.ts'

// Two pictures at a time with one thread each: posting goes on beside them.
const DECODERS = 2
/** Pictures that may wait for that, with up to 10 MB each. */
const WAITING_MAX = 30

const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp'])
const FRAMES_MAX = 300
const SECONDS_MAX = 30

/** An image in the store: `key` names its files, edges are in pixels. */
export interface StoredImage {
  readonly key: string
  readonly width: number
  readonly height: number
}

export interface ImageStore {
  /** Folder the files are served from under /images/. */
  readonly folder: string
  /**
   * Decodes, re-encodes and stores an image and its small copy.
   * @throws ApiError in Japanese for whatever is no usable image; unavailable when too many wait already
   */
  save(bytes: Buffer): Promise<StoredImage>
  /** The same for a square cut out of the middle, standing still and without a small copy. @param edge in pixels */
  saveSquare(bytes: Buffer, edge: number): Promise<StoredImage>
  /**
   * Takes an image's files out of the folder that is served; they are kept beside it. Doing so twice is doing it once, and files that
   * are not there any more are no error.
   */
  hide(image: StoredImage): Promise<void>
  /** Puts them back. */
  show(image: StoredImage): Promise<void>
  /** Takes an image away that nothing shows, hidden or not. */
  remove(image: StoredImage): Promise<void>
}

/** Addresses of an image and its small copy. */
export const imageUrl = (image: StoredImage): string => `/images/${image.key}.webp`
export const thumbnailUrl = (image: StoredImage): string => `/images/${image.key}-s.webp`

export function openImageStore(folder: string): ImageStore {
  const hidden = `${folder}-hidden`
  for (const each of [folder, hidden]) mkdirSync(each, { recursive: true })
  const turns = createTurns(DECODERS, WAITING_MAX)
  void removeHalfWritten(folder)

  async function save(bytes: Buffer): Promise<StoredImage> {
    if (bytes.length > IMAGE_MAX_BYTES) throw refuse('payload_too_large', 'image_too_large')
    const { image, thumbnail, width, height } = await turns(() => reencode(bytes))
    return { key: await writeFiles(image, thumbnail), width, height }
  }

  async function saveSquare(bytes: Buffer, edge: number): Promise<StoredImage> {
    const square = await turns(() => encodeSquare(bytes, edge))
    return { key: await writeFiles(square, null), width: edge, height: edge }
  }

  async function writeFiles(image: Buffer, thumbnail: Buffer | null): Promise<string> {
    const key = randomUUID()
    try {
      await writeWhole(join(folder, `${key}.webp`), image)
      if (thumbnail !== null) await writeWhole(join(folder, `${key}-s.webp`), thumbnail)
    } catch (error) {
      await remove({ key })
      throw error
    }
    return key
  }

  /** Never fails: a picture that stays is a waste, a stored post answered with an error would be a lie. */
  async function remove({ key }: Pick<StoredImage, 'key'>): Promise<void> {
    for (const file of filesOf(key)) {
      for (const each of [folder, hidden]) await rm(join(each, file), { force: true }).catch(() => {})
    }
  }

  async function moveFiles({ key }: StoredImage, from: string, to: string): Promise<void> {
    for (const file of filesOf(key)) await moveFile(join(from, file), join(to, file))
  }

  return {
    folder,
    save,
    saveSquare,
    hide: (image) => moveFiles(image, folder, hidden),
    show: (image) => moveFiles(image, hidden, folder),
    remove,
  }
}

const filesOf = (key: string): string[] => [`${key}.webp`, `${key}-s.webp`]

/** Whole or not at all. A file that is not there was moved before, or has no such copy. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 'ENOENT') return
    // The folder of images may be a disk of its own.
    if (code !== 'EXDEV') throw error
    const half = `${to}.tmp`
    await copyFile(from, half)
    await rename(half, to)
    await rm(from, { force: true })
  }
}

async function reencode(bytes: Buffer): Promise<{ image: Buffer; thumbnail: Buffer; width: number; height: number }> {
  const sharp = await loadSharp()
  const frames = await checkHead(sharp, bytes, { animated: true })
  try {
    const inside = (edge: number) => ({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true }) as const
    const full = await decode(sharp, bytes, { animated: frames > 1 })
      .resize(inside(IMAGE_MAX_EDGE))
      .webp({ quality: 82, effort: 3 })
      .toBuffer({ resolveWithObject: true })
    // The small copy stands still: a page of moving pictures is no page to read.
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
  // Of a moving picture only the first frame is decoded.
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
/** The library comes with the first picture: a server starts without it. */
function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Only the four formats of SPEC §5 have a decoder: an SVG, PDF or TIFF under another name finds none.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
    })
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  // Not there for a moment, as while an operator installs a new version: the next picture asks again.
  loading.catch(() => (loading = undefined))
  return loading
}

const decode = (sharp: Sharp, bytes: Buffer, { animated }: { readonly animated: boolean }) =>
  sharp(bytes, { animated, limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' })
    .timeout({ seconds: SECONDS_MAX })
    .autoOrient()

/**
 * Reads the head of the file, before anything is decoded.
 * @param animated whether all frames are to be decoded, or the first one
 * @returns how many frames there are
 * @throws ApiError for what is none of the four formats, or would take too much time or memory
 */
async function checkHead(sharp: Sharp, bytes: Buffer, { animated }: { readonly animated: boolean }): Promise<number> {
  let metadata: Metadata
  try {
    metadata = await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch (error) {
    // Without a decoder for it: not one of the four formats. With one: a damaged file.
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
  const pixels = width * pageHeight
  const isTooMuch = animated ? pixels * frames > IMAGE_MAX_PIXELS || frames > FRAMES_MAX : pixels > IMAGE_MAX_PIXELS
  // The others are decoded line by line.
  const isHeldWhole = metadata.isProgressive || metadata.format === 'gif'
  if (isTooMuch || (isHeldWhole && pixels > IMAGE_MAX_PIXELS_WHOLE)) throw refuse('bad_image', 'image_too_many_pixels')
  return frames
}

function unreadable(error: unknown): ApiError {
  if (isDiskFull(error)) return refuse('disk_full', 'disk_full_pictures')
  return new ApiError('bad_image', messages.image_broken)
}

/** A crash or a full disk never leaves half a file under a name that is served. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const half = `${path}.tmp`
  try {
    await writeFile(half, bytes, { flush: true })
    await rename(half, path)
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
}

/** Files that a crash left half; younger ones may be another server's work. */
async function removeHalfWritten(folder: string): Promise<void> {
  const before = Date.now() - 3_600_000
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (!name.endsWith('.tmp')) continue
    const age = await stat(path).catch(() => null)
    if (age !== null && age.mtimeMs < before) await rm(path, { force: true }).catch(() => {})
  }
}
