import type { Transaction } from 'kysely'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { ThreadInput } from '@shinobi/contract/threads'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../../http/with-upload.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { StoredImage } from '../../lib/image-store.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import {
  admit,
  meetAtGate,
  requireStaff,
  type Admitted,
  type Candidate,
  type HoldReason,
} from '../admission/admission.service.ts'
import { holdCategory, selectCategory } from '../categories/categories.queries.ts'
import { claimNicknames } from './nicknames.queries.ts'
import { toExcerpt } from './threads.excerpt.ts'
import {
  holdMember,
  insertThread,
  insertThreadRequest,
  selectThreadOfRequest,
  type NewsThread,
} from './threads.queries.ts'
import { threadTags } from './threads.tags.ts'
import { writerName } from './writer-name.ts'

/** A thread that is open, or one that a moderator looks at first. */
export type ThreadOutcome = { readonly threadId: string } | HeldAnswer

/**
 * Opens a thread with its post 1. Sent again with the same `clientThreadId`, at once or later, answers what is there.
 * @param image the bytes of the attached image, or null
 * @throws ApiError bad_category, forbidden for a thread as staff by anybody else, spam, unauthorized (the account is gone), whatever `admit` refuses, and the image errors of
 *   lib/image-store.ts
 */
export async function openThread(
  deps: Deps,
  visitor: Visitor,
  given: ThreadInput,
  image: Buffer | null,
): Promise<ThreadOutcome> {
  const { db, limits } = deps
  const input = { ...given, nickname: writerName(visitor, given.nickname) }
  const before = await findOpened(deps, visitor, input)
  if (before !== null) return before
  const category = await selectCategory(db, input.category)
  if (category === undefined) throw refuse('bad_category', 'category_not_found')
  const { title, content, nickname, clientThreadId = null, asStaff = false } = input
  if (asStaff) requireStaff(visitor, category.id)
  const candidate: Candidate = {
    kind: 'thread',
    categoryId: category.id,
    threadId: null,
    title,
    content,
    name: visitor.member === null ? nickname : null,
  }
  meetAtGate(deps, visitor, candidate)
  // The limit comes before all that costs something.
  await limits.posts.take(visitor)
  let admitted: Admitted | null = null
  let outcome: Opened | null = null
  try {
    admitted = await admit(deps, visitor, candidate)
    const thread = {
      ...{ id: uuidv7(deps.now()), categoryId: category.id, nickname, clientThreadId },
      ...{ title: admitted.title ?? title, content: admitted.content },
      ...{ userId: visitor.member?.id ?? null, visitorId: visitor.visitorId, asStaff },
    }
    outcome = await store(deps, visitor, thread, admitted.hold, image)
  } finally {
    if (outcome?.kind !== 'opened') admitted?.takeBack()
    if (outcome === null || outcome.kind === 'before') await limits.posts.giveBack(visitor)
  }
  if (outcome.kind !== 'opened') {
    // The same request may have come twice at once, and the other was first.
    const first = outcome.kind === 'before' ? await findOpened(deps, visitor, input) : null
    return first ?? deps.holding.toAnswer(outcome.id, 'thread')
  }
  deps.bans.seen(visitor)
  deps.shields.wrote(visitor)
  if (admitted.flag !== null) deps.flagPost({ threadId: outcome.id, postId: outcome.postId, word: admitted.flag })
  return { threadId: outcome.id }
}

/** What this request has opened before. @throws ApiError taken when its id was used for another thread */
async function findOpened(
  deps: Pick<Deps, 'db' | 'words' | 'holding'>,
  visitor: Visitor,
  { clientThreadId, title, content }: Omit<ThreadInput, 'nickname'>,
): Promise<ThreadOutcome | null> {
  if (clientThreadId === undefined) return null
  const before = await selectThreadOfRequest(deps.db, clientThreadId)
  if (before === undefined) return (await deps.holding.find(visitor, null, clientThreadId)) ?? null
  // It may have been stored with words struck out.
  const isSame = (stored: string, sent: string): boolean => stored === sent || stored === deps.words.judge(sent).text
  if (!isSame(before.title, title) || !isSame(before.content, content)) throw refuse('taken', 'client_id_reused')
  return { threadId: before.id }
}

type Opened =
  | { readonly kind: 'opened'; readonly id: string; readonly postId: string }
  | { readonly kind: 'held' | 'before'; readonly id: string }

/** Picture, and the way onto the board or to those who look at it first; a picture whose thread was not stored goes again. */
const store = (
  deps: Deps,
  visitor: Visitor,
  thread: Omit<OpenedThread, 'image'>,
  reason: HoldReason | null,
  image: Buffer | null,
): Promise<Opened> =>
  withUpload<Opened>(deps, visitor, image, async (stored) => {
    const { id } = thread
    const result = await inTransaction(deps.db, async (tx): Promise<Opened> => {
      if (reason === null) {
        const postId = await openThreadIn(tx, deps, { ...thread, image: stored })
        return postId === null ? { kind: 'before', id } : { kind: 'opened', id, postId }
      }
      const { categoryId, clientThreadId, title, content, nickname, asStaff } = thread
      const payload = { name: nickname, title, content, image: stored, ...(asStaff === true && { asStaff }) }
      const held = await deps.holding.hold(tx, visitor, {
        ...{ id, categoryId, threadId: null, clientId: clientThreadId, payload, at: new Date(deps.now()) },
        ...reason,
      })
      return { kind: held.isNew ? 'held' : 'before', id: held.id }
    })
    return { result, used: result.kind !== 'before' }
  })

/** A thread that may be opened. */
export interface OpenedThread {
  readonly id: string
  readonly categoryId: string
  readonly title: string
  readonly content: string
  readonly nickname: string | null
  readonly userId: string | null
  /** Null for a news thread, as `news` is for every other. */
  readonly visitorId: string | null
  readonly news?: NewsThread
  readonly clientThreadId: string | null
  readonly image: StoredImage | null
  /** Whether post 1 is written as staff. */
  readonly asStaff?: boolean
}

/**
 * Opens a thread in a transaction, and lets lists and search know after it.
 * @returns the id of its post 1; null when another request with the same client id has opened one
 * @throws ApiError unauthorized (the account is gone), bad_category (so is the category), taken (the nickname is a member's)
 */
export async function openThreadIn(
  tx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'cache' | 'search'>,
  thread: OpenedThread,
): Promise<string | null> {
  const { id, categoryId, title, content, nickname, userId, visitorId, clientThreadId } = thread
  const at = deps.now()
  const postId = uuidv7(at)
  // An account that is deleted at this moment shall not leave a thread under its name behind.
  if (userId !== null && !(await holdMember(tx, userId))) throw refuse('unauthorized', 'session_expired')
  // A category that is deleted at this moment takes no more threads.
  if (!(await holdCategory(tx, categoryId))) throw refuse('bad_category', 'category_not_found')
  if (clientThreadId !== null && !(await insertThreadRequest(tx, clientThreadId, id))) return null
  await insertThread(tx, {
    ...{ id, postId, categoryId, title, excerpt: toExcerpt(content), content, nickname, userId, visitorId },
    ...{ image: thread.image, at, news: thread.news, asStaff: thread.asStaff },
  })
  if (nickname !== null && userId === null && visitorId !== null) {
    const [owner] = await claimNicknames(tx, [{ threadId: id, name: foldName(nickname), visitorId }], new Date(at))
    if (owner?.isMember === true) throw refuse('taken', 'nickname_taken')
  }
  afterCommit(tx, () => {
    deps.cache.drop([threadTags.lists, threadTags.category(categoryId), threadTags.thread(id)], 'at once')
    deps.search.add([
      { threadId: id, number: 0, text: title },
      { threadId: id, number: 1, text: content },
    ])
  })
  return postId
}
