/**
 * Where the files of pictures lie: a folder (image-folder.ts), or a bucket of S3-compatible storage (image-bucket.ts). Both hold the
 * same paths, so that pictures can be copied from one to the other as they are.
 */
import type { Readable } from 'node:stream'

/** What lies here is served under /images/. */
export const SERVED = 'images'
/** Pictures of removed posts and threads: kept, never served. */
export const HIDDEN = 'images-hidden'
/** In the order of their paths. */
export const SHELVES = [HIDDEN, SERVED] as const
export type Shelf = (typeof SHELVES)[number]

export interface StoredFile {
  /** Shelf and name, as in `images/0b6f….webp`. */
  readonly path: string
  /** Of the picture it belongs to; null for any other file, such as one that is half written. */
  readonly key: string | null
  readonly bytes: number
  /** Milliseconds since 1970, by the clock of whoever stores it. */
  readonly modifiedAt: number
}

export interface FileBody {
  readonly bytes: number
  readonly stream: Readable
}

/** All but `list` take paths of pictures. @throws ApiError unavailable while the storage is away */
export interface ImageFiles {
  /** Writes a file whole or not at all; one of the same path is replaced. */
  put(path: string, body: Buffer | FileBody): Promise<void>
  /** Null where there is no such file. */
  get(path: string): Promise<FileBody | null>
  /** @returns how many bytes that has freed; 0 where there is no such file */
  remove(path: string): Promise<number>
  /** A file that is not there was moved before, or never made: no error. */
  move(name: string, from: Shelf, to: Shelf): Promise<void>
  /** All files in the order of their paths, with flat memory. @param after begins behind this path */
  list(after?: string): AsyncIterable<StoredFile>
  /** Calls that failed because the storage is away, or refuses us. */
  failures(): number
  close(): Promise<void>
}

const PICTURE = /^images(?:-hidden)?\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-s)?\.webp$/

/** The key of the picture that a path belongs to; null for other files. */
export const keyOfPath = (path: string): string | null => PICTURE.exec(path)?.[1] ?? null
