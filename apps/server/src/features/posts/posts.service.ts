import type { Post, PostInput } from '@shinobi/contract/posts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { selectPostByClientId } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import type { WrittenPost } from './posts.writer.ts'

/**
 * Posts into a thread; resolves once the post is committed and numbered. Sent again with the same `clientPostId`, answers
 * the post that is there and does nothing else.
 * @param image the bytes of the attached image, or null
 * @throws ApiError bad_nickname without a name, banned_word, spam, too_many_requests, taken, not_found, unavailable, and the image errors
 */
export async function writePost(
  deps: Deps,
  visitor: Visitor,
  threadId: string,
  input: PostInput,
  image: Buffer | null,
): Promise<Post> {
  const { db, words, limits, images, postWriter, now } = deps
  const { content, name, clientPostId = null } = input
  if (name === undefined) throw refuse('bad_nickname', 'nickname_missing')
  if (words.isBanned(content) || words.isBanned(name)) throw refuse('banned_word', 'banned_word')
  if (image !== null) {
    // A resend must not pay, and wait, for its picture twice.
    const before = clientPostId === null ? undefined : await selectPostByClientId(db, threadId, clientPostId)
    if (before !== undefined) return toPost(before)
    await limits.uploads.take(visitor)
  }
  await limits.posts.take(visitor)
  try {
    const stored = image === null ? null : await images.save(image)
    try {
      const post = {
        threadId,
        id: uuidv7(now()),
        name,
        content,
        image: stored,
        visitorId: visitor.visitorId,
        clientPostId,
      }
      const written = await postWriter.write(post)
      if (written.placed === null) {
        // Its first sending may have been committed while the connection to the database broke, and so was announced to nobody.
        deps.cache.drop([threadTags.tail(threadId)])
        await limits.posts.giveBack(visitor)
        if (stored !== null && written.row.image?.key !== stored.key) await images.remove(stored)
      }
      return toPost(written.row)
    } catch (error) {
      if (stored !== null) await images.remove(stored)
      throw error
    }
  } catch (error) {
    await limits.posts.giveBack(visitor)
    throw error
  }
}

/** What follows a commit: caches forget, other visitors see, the index learns, the ranking moves. */
export function announcePosts(
  deps: Pick<Deps, 'cache' | 'live' | 'search' | 'ranking'>,
  written: readonly WrittenPost[],
): void {
  const tags = new Set<string>([threadTags.lists])
  const threadIds = new Set<string>()
  for (const { row, placed } of written) {
    threadIds.add(row.threadId)
    tags.add(threadTags.tail(row.threadId))
    if (placed !== null) tags.add(threadTags.category(placed.categoryId))
  }
  deps.cache.drop(tags)
  for (const { row, placed } of written) {
    if (placed === null) continue
    deps.live.newPost(toPost(row), { threadId: row.threadId, postCount: row.number, revision: placed.revision })
  }
  deps.search.add(written.map(({ row }) => ({ threadId: row.threadId, number: row.number, text: row.content })))
  deps.ranking.touch(threadIds)
}
