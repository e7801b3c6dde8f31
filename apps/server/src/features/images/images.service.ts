import type { Core } from '../../core.ts'
import { isUnavailable } from '../../lib/api-error.ts'
import type { ImageBucket } from './image-bucket.ts'
import type { ImageFolder } from './image-folder.ts'
import { createImageStore, openImageFiles, type ImageStore } from './image-store.ts'
import { createImageCollector, type ImageCollector } from './images.collector.ts'
import { createStoredImages, type StoredImages } from './images.tally.ts'

/** The board's pictures: their files, their total size, and the deletion of unreferenced ones. */
export interface Images {
  readonly images: ImageStore
  /** The storage of the files: a folder or a bucket. */
  readonly files: ImageFolder | ImageBucket
  readonly stored: StoredImages
  readonly collector: ImageCollector
  sweep(now: number, signal: AbortSignal): Promise<void>
}

export async function openImages({ config, db, log }: Pick<Core, 'config' | 'db' | 'log'>): Promise<Images> {
  const files = await openImageFiles(config, log)
  const stored = createStoredImages(db, config.imagesMaxBytes)
  const images = createImageStore(files, stored)
  const collector = createImageCollector({ db, log, files, images })
  return {
    images,
    files,
    stored,
    collector,
    async sweep(now, signal) {
      // The storage has logged that it is away.
      await collector.sweep(now, signal).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
      })
      await stored.refresh()
    },
  }
}
