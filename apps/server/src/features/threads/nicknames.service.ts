/**
 * Who may use a nickname in a thread: its first writer there, unless it is reserved, banned or the
 * name of a member. Which names are reserved or banned is decided in admission.service.ts. Whose a
 * name is in a thread is decided in nicknames.queries.ts, which claims the names of posts too, in
 * the group commit of posts.writer.ts.
 */
import { splitName } from '@shinobi/contract/trip'
import type { Db } from '../../db/client.ts'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { isNameHeld } from '../accounts/user-names.queries.ts'
import { isNameless, objectionToNickname } from '../admission/admission.service.ts'
import type { Trips } from '../posters/trips.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { claimNicknames, selectNicknameOwner } from './nicknames.queries.ts'
import { selectThreadState } from './threads.queries.ts'

export interface CheckNicknameDeps {
  readonly db: Db
  readonly now: () => number
  readonly words: Pick<BannedWords, 'isBanned'>
  readonly trips: Trips
}

export interface NicknameVerdict {
  /** The key of the message that says why not; null when the name is available. */
  readonly objection: 'nickname_taken' | 'banned_word' | null
  /** What the key of the name gives; null without one. */
  readonly trip: string | null
}

/**
 * Asks before the first post whether the visitor may write under a nickname. Claims nothing.
 * @throws ApiError not_found, and those of `tripOf`
 */
export async function checkNickname(
  { db, now, words, trips }: CheckNicknameDeps,
  visitor: Visitor,
  threadId: string,
  typed: string,
): Promise<NicknameVerdict> {
  const { member, visitorId } = visitor
  if ((await selectThreadState(db, threadId)) === undefined) throw refuse('not_found', 'thread_not_found')
  const { name: nickname, key } = splitName(typed)
  const trip = key === null ? null : await trips.tripOf(key, visitor)
  if (nickname === '' || isNameless(nickname)) return { objection: null, trip }
  const objection = objectionToNickname(words, nickname)
  if (objection !== null) return { objection, trip }
  const name = foldName(nickname)
  if (member !== null && foldName(member.name) === name) return { objection: null, trip }
  // Whoever has the key may use a name with a tripcode, unless it is a member's.
  const owner = trip === null ? await selectNicknameOwner(db, threadId, name) : undefined
  const isTaken = owner === undefined ? await isNameHeld(db, name, new Date(now())) : owner !== visitorId
  return { objection: isTaken ? 'nickname_taken' : null, trip }
}

/**
 * Claims a nickname for a visitor within a transaction. The post writer claims those of its posts
 * itself, a group at a time.
 * @throws ApiError taken
 */
export async function claimNickname(
  tx: Db,
  {
    threadId,
    nickname,
    visitorId,
  }: { readonly threadId: string; readonly nickname: string; readonly visitorId: string },
  at: Date,
): Promise<void> {
  const [owner] = await claimNicknames(tx, [{ threadId, name: foldName(nickname), visitorId }], at)
  if (owner !== undefined && owner.ownerId !== visitorId) throw refuse('taken', 'nickname_taken')
}
