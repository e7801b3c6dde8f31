/**
 * Takes away what nothing shows: pictures that were stored for a post which was never committed, and files that were never written to
 * their end. A walk over all files, a part at each sweep, by one server at a time; it counts what is stored on the way.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { ImageFiles, StoredFile } from '../../lib/image-files.ts'
import type { ImageStore } from '../../lib/image-store.ts'
import { advanceWalk, claimWalk, endWalk, restartWalk, selectNamed, type WalkState } from './images.queries.ts'

export interface ImageCollector {
  /** Walks on, where that is due. */
  sweep(now: number, signal?: AbortSignal): Promise<void>
  /** Pictures and half-written files that it has taken away. */
  collected(): number
}

export interface CollectorOptions {
  readonly db: Db
  readonly log: FastifyBaseLogger
  readonly files: ImageFiles
  readonly images: Pick<ImageStore, 'remove'>
  /** Files of one part, where another number is wanted than suits a board. */
  readonly filesAtASweep?: number
}

/** Files of a page: old ones that belong to pictures which no row names, old ones that were never finished, all others. */
interface Divided {
  readonly orphans: readonly StoredFile[]
  readonly halves: readonly StoredFile[]
  readonly kept: readonly StoredFile[]
}

/** A request takes seconds; what is older than this belongs to none that is under way, whatever two clocks say. */
const SAFE_AGE_MS = 3_600_000
/** Files of one part, whatever the size of the board, and of one page: a query for each table, a request to a storage. */
const FILES_AT_A_SWEEP = 10_000
const FILES_AT_ONCE = 1_000
/** Parts follow each other at this distance, walks over everything at the other. */
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

  /** Goes on from where the walk stands. */
  async function walk(state: WalkState, now: number, signal: AbortSignal | undefined): Promise<void> {
    let kept = state.walkedFiles
    let seen = 0
    for await (const page of pagesOf(files.list(state.walkedTo), Math.min(FILES_AT_ONCE, filesAtASweep))) {
      const found = await divide(page, now)
      kept += found.kept.length
      // A board loses a few pictures, never most of them: then the database is not the one that these belong to.
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
