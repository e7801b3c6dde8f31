import type { Core } from '../../core.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { GroupCommitStats } from '../../lib/group-commit.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Bans } from '../bans/bans.service.ts'
import { createLikeAnnouncer, type AnnouncerDeps } from './likes.announcer.ts'
import { writePostLikes, writeThreadLikes, type LikeCount, type LikeChange } from './likes.queries.ts'
import { createLikeWriter, type LikeWriter } from './likes.writer.ts'

/** The board's likes, from the request to the event on open pages. */
export interface Likes {
  /** @throws ApiError not_found, unavailable */
  apply(change: LikeChange): Promise<number>
  /** Resolves when nothing waits and all changes are published. */
  settle(): Promise<void>
  /** Statistics of the group commits, and the number of threads with unpublished changes. */
  stats(): { readonly threads: GroupCommitStats; readonly posts: GroupCommitStats; readonly unannounced: number }
  /** Finishes and publishes waiting likes, and stops. */
  close(): Promise<void>
}

export interface LikesDeps extends Core {
  readonly bans: Bans
  readonly admission: Admission
  readonly likes: Likes
}

export function createLikes(deps: AnnouncerDeps & Pick<Core, 'db' | 'now'>): Likes {
  const { db, now, log } = deps
  const announcer = createLikeAnnouncer(deps)
  const onCommit = (changed: readonly LikeCount[]): void => announcer.announce(changed)
  const ofThreads = createLikeWriter({ write: (changes) => writeThreadLikes(db, changes, now()), log, onCommit })
  const ofPosts = createLikeWriter({ write: (changes) => writePostLikes(db, changes, now()), log, onCommit })
  const writers: readonly LikeWriter[] = [ofThreads, ofPosts]

  async function settle(): Promise<void> {
    for (const writer of writers) await writer.settle()
    announcer.flush()
  }

  return {
    apply: (change) => (change.postId === null ? ofThreads : ofPosts).apply(change),
    settle,
    stats: () => ({ threads: ofThreads.stats(), posts: ofPosts.stats(), unannounced: announcer.waiting() }),
    async close() {
      await settle()
      announcer.close()
    },
  }
}

/**
 * Likes or unlikes a thread or post for a member. It is idempotent.
 * @returns the number of likes afterwards
 * @throws ApiError too_many_requests; banned (for a like only: an unlike harms nobody); not_found
 * for a target that does not exist, is removed, or is in another thread; unavailable
 */
export async function setLike(
  { admission, bans, limits, likes }: Pick<LikesDeps, 'admission' | 'bans' | 'limits' | 'likes'>,
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
    return await likes.apply({ ...target, userId: member.id, liked })
  } catch (refusal) {
    await limits.likes.giveBack(visitor)
    throw refusal
  }
}
