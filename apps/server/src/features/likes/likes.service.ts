import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { GroupStats } from '../../lib/groups.ts'
import { createLikeAnnouncer, type AnnouncerDeps } from './likes.announcer.ts'
import { writePostLikes, writeThreadLikes, type LikeCount, type Wish } from './likes.queries.ts'
import { createLikeWriter, type LikeWriter } from './likes.writer.ts'

/** The board's likes, from the wish to everybody's screen. */
export interface Likes {
  /** @throws ApiError not_found, unavailable */
  fulfil(wish: Wish): Promise<number>
  /** Resolves when nothing waits, and everything is announced. */
  settle(): Promise<void>
  /** How the writing of likes goes, and how many groups of them wait to be told. */
  stats(): { readonly threads: GroupStats; readonly posts: GroupStats; readonly untold: number }
  /** Finishes what waits, tells it, and stops. */
  close(): Promise<void>
}

export function createLikes(deps: AnnouncerDeps & Pick<Deps, 'db' | 'now'>): Likes {
  const { db, now, log } = deps
  const announcer = createLikeAnnouncer(deps)
  const onCommit = (changed: readonly LikeCount[]): void => announcer.announce(changed)
  const ofThreads = createLikeWriter({ write: (wishes) => writeThreadLikes(db, wishes, now()), log, onCommit })
  const ofPosts = createLikeWriter({ write: (wishes) => writePostLikes(db, wishes, now()), log, onCommit })
  const writers: readonly LikeWriter[] = [ofThreads, ofPosts]

  async function settle(): Promise<void> {
    for (const writer of writers) await writer.settle()
    announcer.flush()
  }

  return {
    fulfil: (wish) => (wish.postId === null ? ofThreads : ofPosts).fulfil(wish),
    settle,
    stats: () => ({ threads: ofThreads.stats(), posts: ofPosts.stats(), untold: announcer.waiting() }),
    async close() {
      await settle()
      announcer.close()
    },
  }
}

/**
 * Likes a thread or post for a member, or takes the like back. Doing so twice is doing it once.
 * @returns the likes there are then
 * @throws ApiError too_many_requests; banned (only for a like: taking one back harms nobody); not_found for what does not exist, was
 *   removed, or stands in another thread; unavailable
 */
export async function setLike(
  { admission, bans, limits, likes }: Pick<Deps, 'admission' | 'bans' | 'limits' | 'likes'>,
  visitor: Visitor,
  target: { readonly threadId: string; readonly postId: string | null },
  liked: boolean,
): Promise<number> {
  const { member } = visitor
  if (member === null) throw new Error('setLike() needs a member')
  const { threadId } = target
  await limits.likes.take(visitor)
  try {
    if (liked)
      bans.check(visitor, { categoryId: (await admission.places.find(threadId))?.categoryId ?? null, threadId })
    return await likes.fulfil({ ...target, userId: member.id, liked })
  } catch (refusal) {
    await limits.likes.giveBack(visitor)
    throw refusal
  }
}
