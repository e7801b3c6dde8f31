import type { ThreadInput } from '@shinobi/contract/threads'
import { EXCERPT_LENGTH } from '@shinobi/contract/limits'
import { truncateGraphemes } from '@shinobi/contract/text'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { claimNicknames } from './nicknames.queries.ts'
import { insertThread, selectThreadByClientId } from './threads.queries.ts'
import { threadTags } from './threads.tags.ts'

/**
 * Opens a thread with its post 1. Sent again with the same `clientThreadId`, answers the thread that is there.
 * @param image the bytes of the attached image, or null
 * @returns the thread's id
 * @throws ApiError bad_category, banned_word, spam, too_many_requests, bad_image and the image errors of lib/image-store.ts
 */
export async function openThread(
  deps: Deps,
  visitor: Visitor,
  input: ThreadInput,
  image: Buffer | null,
): Promise<string> {
  const { db, words, limits, images, now } = deps
  if (input.clientThreadId !== undefined) {
    const before = await selectThreadByClientId(db, input.clientThreadId, visitor.visitorId)
    if (before !== undefined) return before.id
  }
  const category = await selectCategory(db, input.category)
  if (category === undefined) throw refuse('bad_category', 'category_not_found')
  for (const text of [input.title, input.content, input.nickname ?? '']) {
    if (words.isBanned(text)) throw refuse('banned_word', 'banned_word')
  }
  if (image !== null) await limits.uploads.take(visitor)
  await limits.posts.take(visitor)
  try {
    const stored = image === null ? null : await images.save(image)
    try {
      const at = now()
      const thread = {
        id: uuidv7(at),
        postId: uuidv7(at),
        categoryId: category.id,
        title: input.title,
        excerpt: truncateGraphemes(input.content.replace(/\s+/gu, ' ').trim(), EXCERPT_LENGTH),
        content: input.content,
        nickname: input.nickname ?? null,
        visitorId: visitor.visitorId,
        clientThreadId: input.clientThreadId ?? null,
        image: stored,
        at,
      }
      await inTransaction(db, async (tx) => {
        await insertThread(tx, thread)
        if (thread.nickname !== null) {
          await claimNicknames(
            tx,
            [{ threadId: thread.id, name: foldName(thread.nickname), visitorId: visitor.visitorId }],
            new Date(at),
          )
        }
        afterCommit(tx, () => {
          deps.cache.drop([threadTags.lists, threadTags.category(category.id)], 'at once')
          deps.search.add([
            { threadId: thread.id, number: 0, text: thread.title },
            { threadId: thread.id, number: 1, text: thread.content },
          ])
        })
      })
      return thread.id
    } catch (error) {
      if (stored !== null) await images.remove(stored)
      throw error
    }
  } catch (error) {
    await limits.posts.giveBack(visitor)
    throw error
  }
}
