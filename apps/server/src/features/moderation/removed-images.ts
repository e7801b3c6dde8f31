/**
 * Images go from sight with their posts and threads, and come back with them. What is to be seen is read from the database when the
 * files are moved, one batch after another, so that it never matters in which order removals and restorations are heard of.
 */
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
const NUMBERS_AT_ONCE = 2_000

export function createRemovedImages({ db, log, images }: Pick<Deps, 'db' | 'log' | 'images'>): RemovedImages {
  const follower = createFollower<Look>({
    name: 'images of removed posts',
    everyMs: 20,
    batch: 200,
    log,
    work: async (looks) => {
      const places = looks.filter((look): look is PostPlace => 'number' in look)
      if (places.length > 0) await move(await selectImages(db, places))
      for (const look of looks) if (!('number' in look)) await lookThrough(look.threadId)
    },
  })

  async function lookThrough(threadId: string): Promise<void> {
    const thread = await db.selectFrom('threads').select('postCount').where('id', '=', threadId).executeTakeFirst()
    for (let after = 0; after < (thread?.postCount ?? 0); after += NUMBERS_AT_ONCE) {
      await move(await selectImagesOfThread(db, threadId, after, NUMBERS_AT_ONCE))
    }
  }

  async function move(found: readonly ImageInSight[]): Promise<void> {
    for (const { image, visible } of found) await (visible ? images.show(image) : images.hide(image))
  }

  return {
    lookAtPosts: (places) => follower.add(places),
    lookAtThread: (threadId) => follower.add([{ threadId }]),
    settle: () => follower.settle(),
    close: () => follower.close(),
  }
}
