import type { Transaction } from 'kysely'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { ThreadInput } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import type { StoredImage, Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { ResponseCache } from '../../http/response-cache.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload, type UploadDeps } from '../images/with-upload.ts'
import { answerOnce } from '../../lib/answer-once.ts'
import { refuse } from '../../lib/api-error.ts'
import { timeOfUuid, uuidv7 } from '../../lib/uuid.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Holding, HoldReason } from '../admission/holding.ts'
import { holdCategory } from '../categories/categories.queries.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { NO_MARKS, toHeldMarks, type PostMarks } from '../posters/post-marks.ts'
import { claimNickname } from './nicknames.service.ts'
import { linkNextIn, type NextThreadDeps } from './next-threads.ts'
import { lockStandingThread } from './thread-locks.queries.ts'
import type { ThreadEvents } from './thread-events.ts'
import { giveThreadKeys } from './thread-keys.queries.ts'
import { toExcerpt } from './threads.excerpt.ts'
import {
  holdMember,
  insertThread,
  insertThreadRequest,
  selectThreadOfRequest,
  type NewsThread,
} from './threads.queries.ts'
import { threadTags } from './threads.tags.ts'

/** A published thread, or one that is held for a moderator. */
export type ThreadOutcome = { readonly threadId: string } | HeldAnswer

export interface OpenThreadDeps extends UploadDeps, OpeningDeps, NextThreadDeps {
  readonly db: Db
  readonly admission: Pick<Admission, 'admit'>
  readonly holding: Holding
  readonly words: Pick<BannedWords, 'judge'>
}

/**
 * Opens a thread with its post 1. A request repeated with the same `clientThreadId`, concurrently
 * or later, returns the existing thread.
 * @param image the bytes of the attached image, or null
 * @throws ApiError unauthorized (the account is gone), taken (the nickname, or the client's id by
 * another thread), has_next, any refusal of `admit`, and the image errors of
 * features/images/image-store.ts
 */
export async function openThread(
  deps: OpenThreadDeps,
  visitor: Visitor,
  input: ThreadInput,
  image: Buffer | null,
): Promise<ThreadOutcome> {
  const { category, title, content, nickname, clientThreadId = null, previousThreadId, asStaff = false } = input
  return answerOnce<ThreadOutcome>({ askFirst: true, find: () => findOpened(deps, visitor, input) }, async () => {
    const texts = { category, title, content, nickname }
    const candidate = { kind: 'thread', ...texts, asStaff, sage: false, hasImage: image !== null } as const
    const reservation = await deps.admission.admit(visitor, candidate)
    try {
      return await withUpload<ThreadOutcome>(deps, visitor, image, async (stored) => {
        const id = uuidv7(deps.now())
        const thread = {
          ...{ id, categoryId: reservation.categoryId, clientThreadId, image: stored },
          ...{ title: reservation.title, content: reservation.content, nickname: reservation.name },
          ...{ userId: visitor.member?.id ?? null, visitorId: visitor.visitorId, previousThreadId },
          marks: await reservation.marksIn(id),
        }
        if (reservation.hold !== null) {
          const answer = await holdThread(deps, visitor, thread, reservation.hold)
          reservation.commitHeld()
          return answer
        }
        const postId = await inTransaction(deps.db, async (tx) => {
          if (previousThreadId !== undefined) await lockStandingThread(tx, previousThreadId)
          const opened = await openThreadIn(tx, deps, thread)
          if (opened !== null && previousThreadId !== undefined) {
            await linkNextIn(tx, deps, { threadId: thread.id, previousThreadId })
          }
          return opened
        })
        if (postId === null) throw refuse('taken', 'client_id_reused')
        reservation.commit({ threadId: thread.id, postId })
        return { threadId: thread.id }
      })
    } finally {
      await reservation.release()
    }
  })
}

/**
 * The thread that an earlier request has opened.
 * @throws ApiError taken when the id was used for another thread
 */
async function findOpened(
  deps: Pick<OpenThreadDeps, 'db' | 'words' | 'holding'> & OpeningDeps,
  visitor: Visitor,
  { clientThreadId, title, content }: ThreadInput,
): Promise<ThreadOutcome | undefined> {
  if (clientThreadId === undefined) return undefined
  const { db, words, holding } = deps
  const before = await selectThreadOfRequest(db, clientThreadId)
  if (before === undefined) return holding.find(visitor, null, clientThreadId)
  // It may have been stored with masked words.
  const isSame = (stored: string, sent: string): boolean => stored === sent || stored === words.judge(sent).text
  if (!isSame(before.title, title) || !isSame(before.content, content)) throw refuse('taken', 'client_id_reused')
  // The first request may have been committed on a connection that broke, and never announced.
  if (deps.now() - timeOfUuid(before.id) < RESEND_MS) announceOpening(deps, before)
  return { threadId: before.id }
}

type HeldThread = OpenedThread & { readonly previousThreadId: string | undefined }

/** @throws ApiError taken (the client's id, by an earlier request), bad_category (it is gone) */
async function holdThread(
  { db, now, holding }: Pick<OpenThreadDeps, 'db' | 'now' | 'holding'>,
  visitor: Visitor,
  { id, categoryId, clientThreadId, title, content, nickname, image, marks, previousThreadId }: HeldThread,
  reason: HoldReason,
): Promise<HeldAnswer> {
  const payload = {
    ...{ name: nickname, title, content, image, ...toHeldMarks(marks ?? NO_MARKS) },
    ...(previousThreadId !== undefined && { previousThreadId }),
  }
  const text = { ...reason, id, categoryId, threadId: null, clientId: clientThreadId, payload, at: new Date(now()) }
  const answer = await inTransaction(db, async (tx) => {
    if (!(await holdCategory(tx, categoryId))) throw refuse('bad_category', 'category_not_found')
    return holding.hold(tx, visitor, text)
  })
  if (answer === null) throw refuse('taken', 'client_id_reused')
  return answer
}

/** The fields of a new thread. */
export interface OpenedThread {
  readonly id: string
  readonly categoryId: string
  readonly title: string
  readonly content: string
  readonly nickname: string | null
  readonly userId: string | null
  /** Null for a news thread; `news` is null for every other thread. */
  readonly visitorId: string | null
  readonly news?: NewsThread
  readonly clientThreadId: string | null
  readonly image: StoredImage | null
  /** Of post 1; none when not given. */
  readonly marks?: PostMarks
}

export interface OpeningDeps {
  readonly now: () => number
  readonly cache: Pick<ResponseCache, 'drop'>
  readonly search: Pick<SearchIndexer, 'add'>
  readonly threadEvents: Pick<ThreadEvents, 'opened'>
}

/**
 * Opens a thread in a transaction, and afterwards updates lists and search.
 * @returns the id of its post 1; null when another request with the same client id has opened one
 * @throws ApiError unauthorized (the account is gone), bad_category (so is the category), taken
 * (the nickname is a member's)
 */
export async function openThreadIn(
  tx: Transaction<Tables>,
  deps: OpeningDeps,
  thread: OpenedThread,
): Promise<string | null> {
  const { id, categoryId, title, content, nickname, userId, visitorId, clientThreadId } = thread
  const at = deps.now()
  const postId = uuidv7(at)
  // An account that is deleted concurrently must not leave a thread under its name.
  if (userId !== null && !(await holdMember(tx, userId))) throw refuse('unauthorized', 'session_expired')
  // A category that is deleted concurrently gets no more threads.
  if (!(await holdCategory(tx, categoryId))) throw refuse('bad_category', 'category_not_found')
  if (clientThreadId !== null && !(await insertThreadRequest(tx, clientThreadId, id))) return null
  await insertThread(tx, {
    ...{ id, postId, categoryId, title, excerpt: toExcerpt(content), content, nickname, userId, visitorId },
    ...{ image: thread.image, at, news: thread.news, marks: thread.marks },
  })
  await giveThreadKeys(tx, [id], categoryId)
  // A name with a tripcode belongs to all who have its key.
  if (nickname !== null && userId === null && visitorId !== null && thread.marks?.trip == null) {
    await claimNickname(tx, { threadId: id, nickname, visitorId }, new Date(at))
  }
  afterCommit(tx, () => announceOpening(deps, thread))
  return postId
}

/** Threads that were opened earlier are in all lists, and the sweeps have indexed them. */
const RESEND_MS = 15 * 60_000

/** Updates lists and search after the commit of a thread, and tells later features; once. */
function announceOpening(
  { cache, search, threadEvents }: OpeningDeps,
  { id, categoryId, title, content }: Pick<OpenedThread, 'id' | 'categoryId' | 'title' | 'content'>,
): void {
  if (!threadEvents.opened({ id, title })) return
  const ofThread = [threadTags.thread(id), threadTags.answers(id)]
  cache.drop([threadTags.lists, threadTags.category(categoryId), ...ofThread], 'superseded')
  search.add([
    { threadId: id, number: 0, text: title },
    { threadId: id, number: 1, text: content },
  ])
}
