import type { Post, PostInput } from '@shinobi/contract/posts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../../http/with-upload.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { selectPostByClientId, type NewPostRow, type PostRow } from './posts.queries.ts'
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
  const { clientPostId = null } = input
  // A member posts under the profile name, whatever a client sends.
  const name = visitor.member?.name ?? input.name
  if (name === undefined) throw refuse('bad_nickname', 'nickname_missing')
  // A resend must not pay, and wait, for its picture twice.
  const before = image === null ? undefined : await findSent(deps, threadId, clientPostId)
  if (before !== undefined) return before
  try {
    // The limit comes before all that costs something.
    await deps.limits.posts.take(visitor)
  } catch (refusal) {
    // The last one allowed may have been sent again because its answer was lost.
    const sent = await findSent(deps, threadId, clientPostId)
    if (sent !== undefined) return sent
    throw refusal
  }
  let counts = false
  try {
    const written = await writeChecked(deps, visitor, { ...input, threadId, name, clientPostId }, image)
    counts = written.placed !== null
    return counts ? toPost(written.row) : answerAgain(deps, written.row)
  } finally {
    if (!counts) await deps.limits.posts.giveBack(visitor)
  }
}

async function findSent(deps: Deps, threadId: string, clientPostId: string | null): Promise<Post | undefined> {
  const row = clientPostId === null ? undefined : await selectPostByClientId(deps.db, threadId, clientPostId)
  return row === undefined ? undefined : answerAgain(deps, row)
}

/** A post that was there before: its first sending may have been committed while the connection broke, and announced to nobody. */
function answerAgain(deps: Deps, row: PostRow): Post {
  announcePosts(deps, [{ row, placed: null }])
  return toPost(row)
}

type CheckedPost = Pick<NewPostRow, 'threadId' | 'content' | 'clientPostId'> & { readonly name: string }

/** Words, picture, and the way into the database; a picture whose post was not stored goes again. */
async function writeChecked(
  deps: Deps,
  visitor: Visitor,
  { threadId, name, content, clientPostId }: CheckedPost,
  image: Buffer | null,
): Promise<WrittenPost> {
  const { words, postWriter, now } = deps
  const { member } = visitor
  // A member's name was looked at when it was chosen.
  if (member === null && isReservedName(name)) throw refuse('taken', 'nickname_taken')
  if (words.isBanned(content) || (member === null && words.isBanned(name))) throw refuse('banned_word', 'banned_word')
  return withUpload(deps, visitor, image, async (stored) => {
    const post = {
      threadId,
      id: uuidv7(now()),
      name,
      content,
      image: stored,
      userId: member?.id ?? null,
      visitorId: visitor.visitorId,
      clientPostId,
    }
    const result = await postWriter.write(post)
    return { result, used: result.row.image?.key === stored?.key }
  })
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
