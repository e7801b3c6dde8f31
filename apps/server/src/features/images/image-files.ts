/**
 * Storage of picture files: a folder (image-folder.ts), or a bucket of S3-compatible storage
 * (image-bucket.ts). Both use the same paths, so that pictures can be copied from one to the other
 * as they are.
 */
import type { Readable } from 'node:stream'

/** Files in it are served under /images/. */
export const SERVED = 'images'
/** Pictures of removed posts and threads: kept, but never served. */
export const HIDDEN = 'images-hidden'
/** In the order of their paths. */
export const AREAS = [HIDDEN, SERVED] as const
export type Area = (typeof AREAS)[number]

export interface StoredFile {
  /** Area and name, as in `images/0b6f….webp`. */
  readonly path: string
  /** The key of its picture; null for other files, such as incomplete ones. */
  readonly key: string | null
  readonly bytes: number
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly modifiedAt: number
}

export interface FileBody {
  readonly bytes: number
  readonly stream: Readable
}

/**
 * All methods but `list` take paths of pictures.
 * @throws ApiError unavailable while the storage is away
 */
export interface ImageFiles {
  /** Writes a file atomically; one of the same path is replaced. */
  put(path: string, body: Buffer | FileBody): Promise<void>
  /** Null where the file does not exist. */
  get(path: string): Promise<FileBody | null>
  /** @returns the freed bytes; 0 where the file does not exist */
  remove(path: string): Promise<number>
  /** A missing file is no error: it was moved before, or never written. */
  move(name: string, from: Area, to: Area): Promise<void>
  /** All files in order of path, with constant memory. @param after begins after this path */
  list(after?: string): AsyncIterable<StoredFile>
  /** Number of calls that failed because the storage is away, or refuses access. */
  failures(): number
  close(): Promise<void>
}

const PICTURE = /^images(?:-hidden)?\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-s)?\.webp$/

/** The key of the picture of a path; null for other files. */
export const keyOfPath = (path: string): string | null => PICTURE.exec(path)?.[1] ?? null
