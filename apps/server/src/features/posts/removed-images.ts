/**
 * Hides the images of removed posts and threads, and shows those of restored ones. The visibility
 * is read from the database when the files are moved, one batch after another, so the order in
 * which removals and restorations arrive does not matter.
 */
import { sql } from 'kysely'
import type { Core } from '../../core.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { Db } from '../../db/client.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import type { PostPlace } from './removals.queries.ts'
import { selectImages, selectImagesOfThread, type ImageInSight } from './removed-images.queries.ts'

export interface RemovedImages {
  /** Call it after posts with images were removed or restored. */
  lookAtPosts(places: readonly PostPlace[]): void
  /** Call it after a thread was removed or restored. */
  lookAtThread(threadId: string): void
  settle(): Promise<void>
  close(): Promise<void>
}

/** Work for the queue: a post, or a whole thread. */
type Look = PostPlace | { readonly threadId: string }

/** Range of post numbers of one query. */
const NUMBERS_AT_ONCE = 500
/** Pictures moved concurrently: a storage needs some milliseconds for each. */
const MOVES_AT_ONCE = 8
/** Any number that no other advisory lock uses: "pics" in ASCII. */
const LOCK_KEY = 0x70696373

export interface RemovedImagesOptions extends Pick<Core, 'db' | 'log'> {
  readonly images: ImageStore
  readonly threadEvents: ThreadEvents
}

export function createRemovedImages({ db, log, images, threadEvents }: RemovedImagesOptions): RemovedImages {
  const queue = createBatchQueue<Look>({
    name: 'images of removed posts',
    everyMs: 20,
    batch: 200,
    log,
    work: async (looks) => {
      const places = looks.filter((look): look is PostPlace => 'number' in look)
      if (places.length > 0) await move((from) => selectImages(from, places))
      for (const look of looks) if (!('number' in look)) await lookThrough(look.threadId)
    },
  })

  async function lookThrough(threadId: string): Promise<void> {
    const thread = await db.selectFrom('threads').select('postCount').where('id', '=', threadId).executeTakeFirst()
    for (let after = 0; after < (thread?.postCount ?? 0); after += NUMBERS_AT_ONCE) {
      const first = after
      await move((from) => selectImagesOfThread(from, threadId, first, NUMBERS_AT_ONCE))
    }
  }

  /**
   * Moves pictures to where they belong. Only one server at a time: a bucket moves a file by
   * copying and deleting it, and two servers that move the same file in opposite directions would
   * lose it, or show a removed one.
   */
  async function move(select: (from: Db) => Promise<readonly ImageInSight[]>): Promise<void> {
    if ((await select(db)).length === 0) return
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(tx)
      // One removal may be told twice, by its service and by the log.
      const found = [...new Map((await select(tx)).map((one) => [one.image.key, one])).values()]
      for (let first = 0; first < found.length; first += MOVES_AT_ONCE) {
        const some = found.slice(first, first + MOVES_AT_ONCE)
        await Promise.all(some.map(({ image, visible }) => (visible ? images.show(image) : images.hide(image))))
      }
    })
  }

  const lookAtThread = (threadId: string): void => queue.add([{ threadId }])
  threadEvents.onRemoval(lookAtThread)
  return {
    lookAtPosts: (places) => queue.add(places),
    lookAtThread,
    settle: () => queue.settle(),
    close: () => queue.close(),
  }
}
