import type { ThreadInput } from '@shinobi/contract/threads'
import { EXCERPT_LENGTH } from '@shinobi/contract/limits'
import { truncateGraphemes } from '@shinobi/contract/text'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../../http/with-upload.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { claimNicknames } from './nicknames.queries.ts'
import { holdMember, insertThread, insertThreadRequest, selectThreadOfRequest } from './threads.queries.ts'
import { threadTags } from './threads.tags.ts'

/**
 * Opens a thread with its post 1. Sent again with the same `clientThreadId`, at once or later, answers the thread that is there.
 * @param image the bytes of the attached image, or null
 * @returns the thread's id
 * @throws ApiError bad_category, taken (the nickname), banned_word, spam, too_many_requests, unauthorized (the account is gone),
 *   and the image errors of lib/image-store.ts
 */
export async function openThread(
  deps: Deps,
  visitor: Visitor,
  given: ThreadInput,
  image: Buffer | null,
): Promise<string> {
  const { db, limits } = deps
  // A member opens threads under the profile name, whatever a client sends.
  const input = visitor.member === null ? given : { ...given, nickname: visitor.member.name }
  const before = await findOpened(db, input)
  if (before !== null) return before
  const category = await selectCategory(db, input.category)
  if (category === undefined) throw refuse('bad_category', 'category_not_found')
  // The limit comes before all that costs something.
  await limits.posts.take(visitor)
  let opened: string | null = null
  try {
    refuseBannedWords(deps, visitor, input)
    opened = await withUpload(deps, visitor, image, async (stored) => {
      const result = await insert(deps, visitor, input, category.id, stored)
      return { result, used: result !== null }
    })
  } finally {
    if (opened === null) await limits.posts.giveBack(visitor)
  }
  // Without one, the same request came twice at once, and the other was first.
  return opened ?? (await findOpened(db, input))!
}

/** The thread this request has opened before. @throws ApiError taken when its id was used for another thread */
async function findOpened(db: Db, { clientThreadId, title, content }: ThreadInput): Promise<string | null> {
  const before = clientThreadId === undefined ? undefined : await selectThreadOfRequest(db, clientThreadId)
  if (before === undefined) return null
  if (before.title !== title || before.content !== content) throw refuse('taken', 'client_id_reused')
  return before.id
}

function refuseBannedWords({ words }: Deps, { member }: Visitor, { title, content, nickname = '' }: ThreadInput): void {
  // A member's name was looked at when it was chosen.
  const name = member === null ? nickname : ''
  if (name !== '' && isReservedName(name)) throw refuse('taken', 'nickname_taken')
  for (const text of [title, content, name]) if (words.isBanned(text)) throw refuse('banned_word', 'banned_word')
}

/** Inserts the thread in one transaction; null when another request with the same client id has done so. */
async function insert(
  deps: Deps,
  visitor: Visitor,
  input: ThreadInput,
  categoryId: string,
  image: StoredImage | null,
): Promise<string | null> {
  const { member, visitorId } = visitor
  const at = deps.now()
  const { title, content, nickname = null, clientThreadId } = input
  const excerpt = truncateGraphemes(content.replace(/\s+/gu, ' ').trim(), EXCERPT_LENGTH)
  const id = uuidv7(at)
  return inTransaction(deps.db, async (tx) => {
    // An account that is deleted at this moment shall not leave a thread under its name behind.
    if (member !== null && !(await holdMember(tx, member.id))) throw refuse('unauthorized', 'session_expired')
    if (clientThreadId !== undefined && !(await insertThreadRequest(tx, clientThreadId, id))) return null
    await insertThread(tx, {
      id,
      postId: uuidv7(at),
      categoryId,
      title,
      excerpt,
      content,
      nickname,
      userId: member?.id ?? null,
      visitorId,
      image,
      at,
    })
    if (nickname !== null && member === null) {
      const [owner] = await claimNicknames(tx, [{ threadId: id, name: foldName(nickname), visitorId }], new Date(at))
      if (owner?.isMember === true) throw refuse('taken', 'nickname_taken')
    }
    afterCommit(tx, () => {
      deps.cache.drop([threadTags.lists, threadTags.category(categoryId)], 'at once')
      deps.search.add([
        { threadId: id, number: 0, text: title },
        { threadId: id, number: 1, text: content },
      ])
    })
    return id
  })
}
