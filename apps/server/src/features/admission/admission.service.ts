/**
 * Decides whether a text may be written: bans, raid mode, names, words, rate limits. No other
 * module does.
 */
import { messages } from '@shinobi/contract/messages'
import { NAMELESS } from '@shinobi/contract/nameless'
import { may } from '@shinobi/contract/permissions'
import type { Db } from '../../db/client.ts'
import type { Limits } from '../../http/limits.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { Bus } from '../../redis/bus.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import type { Bans } from '../bans/bans.service.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { Shields, ShieldVerdict } from '../shields/shields.service.ts'
import type { BannedWords } from '../words/words.service.ts'
import { createCooldowns } from './cooldowns.ts'
import type { HoldReason } from './holding.ts'
import { createPlaces, threadFull, type Places } from './places.ts'

export interface Admission {
  readonly places: Places
  /**
   * Checks a text, and reserves its costs: one of the visitor's limit of posts, and the start of
   * the cooldown.
   * @throws ApiError not_found or bad_category, forbidden (as staff, by a visitor who is not),
   * locked, thread_full, banned, spam, proof_required, too_many_requests, banned_word, taken (the
   * name)
   */
  admit(visitor: Visitor, candidate: Candidate): Promise<Reservation>
}

/** A text that a visitor wants to write. */
export type Candidate = (
  | { readonly kind: 'post'; readonly threadId: string }
  /** @param category its id or name */
  | { readonly kind: 'thread'; readonly category: string; readonly title: string }
) & {
  readonly content: string
  /** As sent by the client; ignored for a member. */
  readonly nickname: string | undefined
  /** Marked as written by the staff. */
  readonly asStaff: boolean
}

/** An admitted text. The caller commits it, or releases it. */
export interface Reservation extends Texts {
  readonly categoryId: string
  /** Why a moderator must approve it; null when it may be published at once. */
  readonly hold: HoldReason | null
  /**
   * The text was published. Counts its writer as a known one, and reports a flagged word to the
   * moderators.
   */
  commit(post: { readonly threadId: string; readonly postId: string }): void
  /**
   * The text is held for a moderator: it counts against the limit of posts, and starts no cooldown.
   */
  commitHeld(): void
  /** The text was not written: refunds its costs. No effect once it is committed or released. */
  release(): Promise<void>
}

/** The texts to store, with masked words replaced. */
interface Texts {
  /** Empty for a post. */
  readonly title: string
  readonly content: string
  /** The name shown on it; null for 名無し. */
  readonly name: string | null
}

export interface AdmissionOptions {
  readonly db: Db
  readonly now: () => number
  /** To the other servers, which share these counts. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | null
  readonly bans: Pick<Bans, 'check' | 'seen'>
  readonly shields: Pick<Shields, 'find' | 'judge' | 'noteTry' | 'noteAdmitted' | 'wrote'>
  readonly words: Pick<BannedWords, 'judge' | 'isBanned' | 'flagPost'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly limits: Pick<Limits, 'posts'>
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { db, now, bus, bans, shields, words, settings, limits } = options
  const places = createPlaces(db)
  const cooldowns = createCooldowns(now, bus)

  /**
   * The category and thread of the candidate, with one query. Reasons to hold it are in the
   * reservation instead.
   */
  async function findPlace(candidate: Candidate) {
    if (candidate.kind === 'thread') {
      const category = await selectCategory(db, candidate.category)
      if (category === undefined) throw refuse('bad_category', 'category_not_found')
      return { categoryId: category.id, threadId: null, isLocked: false, fullAt: null }
    }
    const { threadId } = candidate
    const place = await places.find(threadId)
    if (place === undefined) throw refuse('not_found', 'thread_not_found')
    return { ...place, threadId }
  }

  /** The verdict of raid mode. No await may come between its result and the following count. */
  async function judgeVisitor(visitor: Visitor, categoryId: string): Promise<ShieldVerdict> {
    let verdict = await shields.judge(visitor, categoryId)
    // Of concurrent requests, each must be judged by the step that an earlier one has raised.
    while (verdict.step !== (shields.find(categoryId)?.step ?? 0)) verdict = await shields.judge(visitor, categoryId)
    return verdict
  }

  function judgeTexts(visitor: Visitor, candidate: Candidate) {
    const name = writerName(visitor, candidate.nickname)
    // A member's name was checked when it was chosen.
    const nickname = visitor.member === null ? name : null
    const objection = nickname === null ? null : objectionToNickname(words, nickname)
    if (objection === 'nickname_taken') throw refuse('taken', objection)
    const ofTitle = words.judge(candidate.kind === 'thread' ? candidate.title : '')
    const ofContent = words.judge(candidate.content)
    const verdicts = [ofTitle, ofContent]
    if (objection !== null || verdicts.some(({ action }) => action === 'block'))
      throw new ApiError('banned_word', messages.banned_word)
    return {
      texts: { title: ofTitle.text, content: ofContent.text, name } satisfies Texts,
      held: verdicts.find(({ action }) => action === 'hold'),
      flag: ofTitle.flagged ?? ofContent.flagged,
    }
  }

  async function reserve(visitor: Visitor, categoryId: string, candidate: Candidate): Promise<Reservation> {
    const { kind } = candidate
    const verdict = await judgeVisitor(visitor, categoryId)
    const { texts, held, flag } = judgeTexts(visitor, candidate)
    const { postCooldownSeconds, threadCooldownSeconds } = settings.current
    const gaps = { own: kind === 'post' ? postCooldownSeconds : threadCooldownSeconds, shield: verdict.cooldown }
    cooldowns.check(visitor, kind, gaps)
    if (verdict.needsProof) throw refuse('proof_required', 'shield_proof')
    shields.noteAdmitted(visitor, categoryId, kind)
    const endCooldown = cooldowns.start(visitor, kind, gaps)
    const heldByShield = verdict.hold ? ({ why: 'shield', detail: null } as const) : null
    let isOpen = true
    return {
      ...texts,
      categoryId,
      hold: held === undefined ? heldByShield : { why: 'word', detail: held.word },
      commit(post) {
        isOpen = false
        bans.seen(visitor)
        shields.wrote(visitor)
        if (flag !== null) words.flagPost({ ...post, word: flag })
      },
      commitHeld() {
        isOpen = false
        endCooldown()
        bans.seen(visitor)
      },
      async release() {
        if (!isOpen) return
        isOpen = false
        endCooldown()
        await limits.posts.giveBack(visitor)
      },
    }
  }

  return {
    places,
    async admit(visitor, candidate) {
      const { categoryId, threadId, isLocked, fullAt } = await findPlace(candidate)
      if (candidate.asStaff) requireStaff(visitor, categoryId)
      if (isLocked) throw refuse('locked', 'thread_locked')
      if (fullAt !== null) throw threadFull(fullAt)
      // Banned visitors are stopped first: their attempts must not raise the shield.
      bans.check(visitor, { categoryId, threadId })
      shields.noteTry(visitor, categoryId, candidate.kind)
      // The limit comes before all expensive checks.
      await limits.posts.take(visitor)
      try {
        return await reserve(visitor, categoryId, candidate)
      } catch (refusal) {
        await limits.posts.giveBack(visitor)
        throw refusal
      }
    },
  }
}

/**
 * Requires permission to write as staff: the category is in the moderator's part, and a required
 * second factor is set up.
 * @throws ApiError forbidden
 */
function requireStaff({ member }: Visitor, categoryId: string): void {
  if (!may(member, 'writeAsStaff', categoryId)) throw refuse('forbidden', 'staff_only')
}

/**
 * Why nobody may have a nickname, in any thread: it is reserved, or contains a banned word. Null
 * when it is allowed.
 */
export function objectionToNickname(
  words: Pick<BannedWords, 'isBanned'>,
  nickname: string,
): 'nickname_taken' | 'banned_word' | null {
  if (isReservedName(nickname)) return 'nickname_taken'
  return words.isBanned(nickname) ? 'banned_word' : null
}

const nameless = foldName(NAMELESS)

/** Whether a nickname stands for no name. */
export const isNameless = (nickname: string): boolean => foldName(nickname) === nameless

/**
 * The name shown on a visitor's text: a member's profile name whatever the client sends, else the
 * nickname; null for none.
 */
function writerName({ member }: Visitor, nickname: string | undefined): string | null {
  if (member !== null) return member.name
  return nickname === undefined || isNameless(nickname) ? null : nickname
}
