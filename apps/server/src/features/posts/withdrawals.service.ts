/** Writers delete their own posts, for some minutes after they wrote them. */
import { messages } from '@shinobi/contract/messages'
import { inTransaction } from '../../db/transaction.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { removeThreadIn } from '../threads/threads-state.service.ts'
import type { PostsDeps } from './posts.deps.ts'
import { hasPostOfOthers } from './posts.queries.ts'
import type { LockedPost, PostTarget } from './removals.queries.ts'
import { withdrawPostIn } from './removals.service.ts'

/**
 * Whether a visitor wrote something. What a member wrote belongs to the account, whatever browser
 * it is used from; all else belongs to the browser.
 */
export const isWriter = (
  { userId, visitorId }: Pick<LockedPost, 'userId' | 'visitorId'>,
  visitor: Pick<Visitor, 'member' | 'visitorId'>,
): boolean => (userId === null ? visitorId === visitor.visitorId : userId === visitor.member?.id)

/**
 * Removes a post for its writer. Post 1 takes its thread along, as long as nobody else has
 * answered.
 * @param visitor null for a browser that has never written
 * @throws ApiError not_found; forbidden; too_late; has_answers; already_done
 */
export async function withdrawPost(deps: PostsDeps, visitor: Visitor | null, target: PostTarget): Promise<void> {
  const { ownDeleteMinutes } = deps.settings.current
  // Before anything is locked: whoever may not delete must not make writers wait.
  if (visitor === null) throw refuse('forbidden', 'own_post_only')
  if (ownDeleteMinutes === 0) throw refuse('forbidden', 'own_delete_off')
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const { categoryId, threadId, postId, number } = await withdrawPostIn(tx, deps, target, at, async (post) => {
      if (!isWriter(post, visitor)) throw refuse('forbidden', 'own_post_only')
      if (at.getTime() - post.createdAt.getTime() > ownDeleteMinutes * 60_000) {
        throw new ApiError('too_late', messages.own_delete_late(ownDeleteMinutes))
      }
      if (post.number === 1 && (await hasPostOfOthers(tx, post.threadId, post))) {
        throw refuse('has_answers', 'own_thread_answered')
      }
    })
    const isThread = number === 1
    if (isThread) await removeThreadIn(tx, deps, threadId, at)
    // Neither a name nor the title, which was the writer's own text: the log is never deleted.
    await insertAudit(tx, {
      actor: null,
      at,
      action: isThread ? 'thread_withdraw' : 'post_withdraw',
      ...{ categoryId, threadId, postId, number },
    })
  })
}
