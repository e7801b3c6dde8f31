/**
 * Images go from sight with their posts and threads, and come back with them. What is to be seen is read from the database when the
 * files are moved, one batch after another, so that it never matters in which order removals and restorations are heard of.
 */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { createFollower } from '../../lib/follower.ts'
import type { PostPlace } from './removals.queries.ts'
import { selectImages, selectImagesOfThread, type ImageInSight } from './removed-images.queries.ts'

export interface RemovedImages {
  /** Posts with images were removed or restored. */
  lookAtPosts(places: readonly PostPlace[]): void
  /** A thread was. */
  lookAtThread(threadId: string): void
  settle(): Promise<void>
  close(): Promise<void>
}

/** A post, or a whole thread. */
type Look = PostPlace | { readonly threadId: string }

/** Post numbers of a thread that one query goes through. */
const NUMBERS_AT_ONCE = 500
/** Pictures moved at a time: a storage takes some milliseconds for each. */
const MOVES_AT_ONCE = 8
/** Any number that nothing else locks: "pics" in ASCII. */
const LOCK_KEY = 0x70696373

export function createRemovedImages({ db, log, images }: Pick<Deps, 'db' | 'log' | 'images'>): RemovedImages {
  const follower = createFollower<Look>({
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
   * Moves pictures to where they belong. One server at a time: a bucket moves a file by copying and deleting it, and two servers
   * that move the same one to and fro would lose it, or show what was removed.
   */
  async function move(select: (from: Db) => Promise<readonly ImageInSight[]>): Promise<void> {
    if ((await select(db)).length === 0) return
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(tx)
      const found = await select(tx)
      for (let first = 0; first < found.length; first += MOVES_AT_ONCE) {
        const some = found.slice(first, first + MOVES_AT_ONCE)
        await Promise.all(some.map(({ image, visible }) => (visible ? images.show(image) : images.hide(image))))
      }
    })
  }

  return {
    lookAtPosts: (places) => follower.add(places),
    lookAtThread: (threadId) => follower.add([{ threadId }]),
    settle: () => follower.settle(),
    close: () => follower.close(),
  }
}
