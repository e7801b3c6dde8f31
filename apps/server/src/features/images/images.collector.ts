/**
 * Deletes unreferenced files: pictures of posts that were never committed, and files that were
 * never completely written. It walks over all files, a part at each sweep, on one server at a time,
 * and counts what is stored.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { ImageFiles, StoredFile } from './image-files.ts'
import type { ImageStore } from './image-store.ts'
import { advanceWalk, claimWalk, endWalk, restartWalk, selectNamed, type WalkState } from './images.queries.ts'

export interface ImageCollector {
  /** Continues the walk if it is due. */
  sweep(now: number, signal?: AbortSignal): Promise<void>
  /** Number of pictures and incomplete files deleted by this process. */
  collected(): number
}

export interface CollectorOptions {
  readonly db: Db
  readonly log: FastifyBaseLogger
  readonly files: ImageFiles
  readonly images: Pick<ImageStore, 'remove'>
  /** Files per sweep; tests set it. */
  readonly filesAtASweep?: number
}

/** Files of a page: old ones of unreferenced pictures, old incomplete ones, and all others. */
interface Divided {
  readonly orphans: readonly StoredFile[]
  readonly halves: readonly StoredFile[]
  readonly kept: readonly StoredFile[]
}

/**
 * A request takes seconds: an older file belongs to no request in progress, even if the clocks of
 * server and storage differ.
 */
const SAFE_AGE_MS = 3_600_000
/**
 * Files per sweep, whatever the size of the board, and per page: each page is a query per table and
 * a request to the storage.
 */
const FILES_AT_A_SWEEP = 10_000
const FILES_AT_ONCE = 1_000
/** Intervals between the parts of a walk, and between walks. */
const NEXT_PART_MS = 5 * 60_000
const NEXT_WALK_MS = 3_600_000

export function createImageCollector({
  db,
  log,
  files,
  images,
  filesAtASweep = FILES_AT_A_SWEEP,
}: CollectorOptions): ImageCollector {
  let collected = 0

  /** Continues from the stored position. */
  async function walk(state: WalkState, now: number, signal: AbortSignal | undefined): Promise<void> {
    let kept = state.walkedFiles
    let seen = 0
    for await (const page of pagesOf(files.list(state.walkedTo), Math.min(FILES_AT_ONCE, filesAtASweep))) {
      const found = await divide(page, now)
      kept += found.kept.length
      // A crash leaves a few unreferenced pictures, never most of them. If most are unreferenced,
      // the files belong to another database.
      if (found.orphans.length > kept) {
        const counts = { orphans: found.orphans.length, others: kept }
        log.warn(counts, 'pictures: the database names hardly any of those that are stored, so none is taken away')
        await restartWalk(db, new Date(now + NEXT_WALK_MS))
        return
      }
      await takeAway(found)
      const bytes = found.kept.reduce((sum, file) => sum + file.bytes, 0)
      await advanceWalk(db, page.at(-1)!.path, { files: found.kept.length, bytes })
      seen += page.length
      if (seen >= filesAtASweep || signal?.aborted === true) return
    }
    await endWalk(db, new Date(now + NEXT_WALK_MS))
  }

  async function divide(page: readonly StoredFile[], now: number): Promise<Divided> {
    const isOld = ({ modifiedAt }: StoredFile): boolean => modifiedAt < now - SAFE_AGE_MS
    const keys = new Set(page.flatMap(({ key }) => key ?? []))
    const named = keys.size === 0 ? keys : await selectNamed(db, [...keys])
    const divided = { orphans: [] as StoredFile[], halves: [] as StoredFile[], kept: [] as StoredFile[] }
    for (const file of page) {
      if (isOld(file) && file.key !== null && !named.has(file.key)) divided.orphans.push(file)
      else if (isOld(file) && file.path.endsWith('.tmp')) divided.halves.push(file)
      else divided.kept.push(file)
    }
    return divided
  }

  async function takeAway({ orphans, halves }: Divided): Promise<void> {
    const keys = new Set(orphans.flatMap(({ key }) => key ?? []))
    const count = keys.size + halves.length
    if (count === 0) return
    let bytes = 0
    for (const key of keys) bytes += await images.remove({ key })
    for (const { path } of halves) bytes += await files.remove(path)
    collected += count
    log.info({ pictures: keys.size, halfWritten: halves.length, bytes }, 'pictures: took away what nothing shows')
  }

  return {
    async sweep(now, signal) {
      const state = await claimWalk(db, new Date(now), new Date(now + NEXT_PART_MS))
      if (state !== undefined) await walk(state, now, signal)
    },
    collected: () => collected,
  }
}

async function* pagesOf(files: AsyncIterable<StoredFile>, size: number): AsyncGenerator<StoredFile[]> {
  let page: StoredFile[] = []
  for await (const file of files) {
    page.push(file)
    if (page.length < size) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
