import type { Deps } from '../../deps.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertReport } from './reports.queries.ts'

export interface ReportedPost {
  readonly threadId: string
  readonly postId: string
  readonly reason: string
  /** What the reporter says to have seen, as the client sent it. */
  readonly content: string
}

/**
 * Takes a report of a post. From the same member or visitor again it changes nothing, and costs nothing: a double click
 * and a lost answer are no second voice.
 * @throws ApiError too_many_requests, not_found (also for a post that was removed)
 */
export async function reportPost(
  { db, limits, now }: Pick<Deps, 'db' | 'limits' | 'now'>,
  visitor: Visitor,
  { threadId, postId, reason, content }: ReportedPost,
): Promise<void> {
  await limits.reports.take(visitor)
  let counts = false
  try {
    const outcome = await insertReport(db, {
      id: uuidv7(now()),
      threadId,
      postId,
      reporter: actorId(visitor),
      userId: visitor.member?.id ?? null,
      reason,
      // Whatever a client sends can be stored: a document takes neither NUL nor half a character.
      seen: content.replaceAll('\0', '').toWellFormed(),
      at: new Date(now()),
    })
    if (outcome === 'no_post') throw refuse('not_found', 'post_not_found')
    counts = outcome === 'stored'
  } finally {
    if (!counts) await limits.reports.giveBack(visitor)
  }
}
