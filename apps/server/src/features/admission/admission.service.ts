/** Decides whether a post or thread may be written: bans, rate limits, names, words, raid mode. */
import { LEVEL_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { NAMELESS } from '@shinobi/contract/nameless'
import { isStaff, may } from '@shinobi/contract/permissions'
import { splitName } from '@shinobi/contract/trip'
import type { Db } from '../../db/client.ts'
import type { Limits } from '../../http/limits.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { Bus } from '../../redis/bus.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import { isNameHeld } from '../accounts/user-names.queries.ts'
import type { Bans } from '../bans/bans.service.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import type { Levels } from '../levels/levels.service.ts'
import { posterOf, type PosterIdService } from '../posters/poster-ids.ts'
import type { PostMarks } from '../posters/post-marks.ts'
import type { Trips } from '../posters/trips.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { Shields, ShieldVerdict } from '../shields/shields.service.ts'
import type { WriteKind } from '../shields/sources.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import { createCooldowns, type Gaps } from './cooldowns.ts'
import type { HoldReason } from './holding.ts'
import type { SimilarTexts } from './similar-texts.ts'
import { createPlaces, threadFull, type Places, type ThreadPlace } from './places.ts'

export interface Admission {
  readonly places: Places
  /**
   * Checks a text, and reserves its costs: one of the visitor's limit of posts, and the start of
   * the cooldown.
   * @throws ApiError not_found or bad_category, forbidden (as staff, by a visitor who is not),
   * locked, thread_full, banned, silenced, spam, proof_required, too_many_requests, banned_word,
   * taken (the name)
   */
  admit(visitor: Visitor, candidate: Candidate): Promise<Reservation>
  /** The ID of a visitor in a thread at this moment; null where none is shown. */
  posterIdIn(visitor: Visitor, threadId: string): Promise<string | null>
}

/** A text that a visitor wants to write. */
export type Candidate = (
  | { readonly kind: 'post'; readonly threadId: string }
  /** @param category its id or name */
  | { readonly kind: 'thread'; readonly category: string; readonly title: string }
) & {
  readonly content: string
  /** As sent by the client, with the key of a tripcode; ignored for a member. */
  readonly nickname: string | undefined
  /** Marked as written by the staff. */
  readonly asStaff: boolean
  /** Does not lift the thread. */
  readonly sage: boolean
  readonly hasImage: boolean
}

/** Where a text is to be written; a new thread has no id yet. */
type Place = ThreadPlace & { readonly threadId: string | null }

/** An admitted text. The caller commits it, or releases it. */
export interface Reservation extends Texts {
  readonly categoryId: string
  /**
   * What the post shows beside the name, in its thread. Computes the tripcode, which costs a point
   * of the limit of posts also when nothing is written.
   * @throws ApiError those of `tripOf`
   */
  marksIn(threadId: string): Promise<PostMarks>
  /** Why a moderator must approve it; null when it may be published at once. */
  readonly hold: HoldReason | null
  /**
   * The text was published. Notes its writer's network and day, and reports a flagged word to the
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

interface WriterName extends Pick<Texts, 'name'> {
  /** Of a tripcode; null without one. */
  readonly key: string | null
}

export interface AdmissionOptions {
  readonly db: Db
  readonly now: () => number
  /** To the other servers, which share these counts. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'hide'> | null
  readonly bans: Pick<Bans, 'check' | 'seen'>
  readonly shields: Pick<Shields, 'judge' | 'isCurrent' | 'noteTry' | 'noteAdmitted'>
  readonly words: Pick<BannedWords, 'judge' | 'isBanned' | 'flagPost'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly limits: Pick<Limits, 'posts'>
  readonly levels: Pick<Levels, 'of' | 'isSettled' | 'wrote'>
  readonly posterIds: Pick<PosterIdService, 'idOf'>
  readonly trips: Trips
  readonly similarTexts: Pick<SimilarTexts, 'note'>
}

export function createAdmission(options: AdmissionOptions): Admission {
  const { db, now, bus, bans, shields, words, settings, limits, levels, posterIds, trips, similarTexts } = options
  const places = createPlaces(db, now)
  const cooldowns = createCooldowns(now, bus)

  /**
   * The category and thread of the candidate, with one query. Reasons to hold it are in the
   * reservation instead.
   */
  async function findPlace(candidate: Candidate): Promise<Place> {
    if (candidate.kind === 'thread') {
      const category = await selectCategory(db, candidate.category)
      if (category === undefined) throw refuse('bad_category', 'category_not_found')
      const { id: categoryId, posterIds, holdImages } = category
      return { categoryId, posterIds, holdImages, threadId: null, isLocked: false, fullAt: null, silencedIds: [] }
    }
    const { threadId } = candidate
    const place = await places.find(threadId)
    if (place === undefined) throw refuse('not_found', 'thread_not_found')
    return { ...place, threadId }
  }

  /** The verdict of raid mode. No await may come between its result and the following count. */
  async function judgeVisitor(visitor: Visitor, categoryId: string, kind: WriteKind): Promise<ShieldVerdict> {
    let verdict = await shields.judge(visitor, categoryId, kind)
    // Of concurrent requests, each must be judged by the step that an earlier one has raised.
    while (!shields.isCurrent(verdict, visitor, categoryId, kind))
      verdict = await shields.judge(visitor, categoryId, kind)
    return verdict
  }

  /** @throws ApiError taken, banned_word */
  async function judgeName(visitor: Visitor, typed: string | undefined): Promise<WriterName> {
    // A member's name was checked when it was chosen.
    if (visitor.member !== null) return { name: visitor.member.name, key: null }
    if (typed === undefined) return { name: null, key: null }
    const { name, key } = splitName(typed)
    const shown = name === '' || isNameless(name) ? null : name
    const objection = shown === null ? null : objectionToNickname(words, shown)
    if (objection === 'nickname_taken') throw refuse('taken', objection)
    if (objection !== null) throw new ApiError('banned_word', messages.banned_word)
    // A name with a tripcode is not claimed in the thread, where members' names are checked.
    if (key !== null && shown !== null && (await isNameHeld(db, foldName(shown), new Date(now())))) {
      throw refuse('taken', 'nickname_taken')
    }
    return { name: shown, key }
  }

  function judgeTexts(candidate: Candidate) {
    const ofTitle = words.judge(candidate.kind === 'thread' ? candidate.title : '')
    const ofContent = words.judge(candidate.content)
    const verdicts = [ofTitle, ofContent]
    if (verdicts.some(({ action }) => action === 'block')) throw new ApiError('banned_word', messages.banned_word)
    return {
      texts: { title: ofTitle.text, content: ofContent.text },
      held: verdicts.find(({ action }) => action === 'hold')?.word ?? null,
      flag: ofTitle.flagged ?? ofContent.flagged,
    }
  }

  /** The minimum times for a level. */
  function gapsOf(kind: WriteKind, level: number, shield: number): Gaps {
    const { postCooldownSeconds, threadCooldownSeconds, levelThreads, levelCooldown } = settings.current
    const hasLevel = level > 0
    if (kind === 'thread') return { own: level >= levelThreads ? 0 : threadCooldownSeconds, shield, hasLevel }
    const own = level >= levelCooldown ? Math.ceil(postCooldownSeconds / 2) : postCooldownSeconds
    return { own, shield, hasLevel }
  }

  /** The ID of a visitor in a thread at this moment; null where the category shows none. */
  async function findPosterId(visitor: Visitor, place: ThreadPlace, threadId: string): Promise<string | null> {
    const { posterIds: shown, categoryId } = place
    if (shown === 'off') return null
    const poster = posterOf(visitor, await levels.isSettled(visitor))
    return posterIds.idOf(poster, { posterIds: shown, categoryId, threadId })
  }

  /**
   * Refuses whoever would write under an ID that the opener of the thread has silenced.
   * @throws ApiError silenced
   */
  async function refuseSilenced(visitor: Visitor, place: Place): Promise<void> {
    if (place.threadId === null || place.silencedIds.length === 0) return
    const id = await findPosterId(visitor, place, place.threadId)
    if (id !== null && place.silencedIds.includes(id)) throw refuse('silenced', 'id_silenced')
  }

  async function reserve(visitor: Visitor, place: Place, candidate: Candidate): Promise<Reservation> {
    const { kind, asStaff, sage } = candidate
    const { categoryId } = place
    const { levelLinks, levelImages, levelWords, levelCopies } = settings.current
    const level = await levels.of(visitor)
    if (!asStaff) await refuseSilenced(visitor, place)
    // The staff's links and images are as those of the highest level; words hold their texts too.
    const trust = visitor.member !== null && isStaff(visitor.member) ? LEVEL_MAX : level
    const { name, key } = await judgeName(visitor, candidate.nickname)
    const { texts, held, flag } = judgeTexts(candidate)
    const verdict = await judgeVisitor(visitor, categoryId, kind)
    const gaps = gapsOf(kind, trust, verdict.cooldown)
    cooldowns.check(visitor, kind, gaps)
    if (verdict.needsProof) throw refuse('proof_required', 'shield_proof')
    shields.noteAdmitted(visitor, categoryId, kind, verdict)
    const endCooldown = cooldowns.start(visitor, kind, gaps)
    // Noted before it is written, so that copies which arrive at once find each other.
    const isCopy = levelCopies > 0 && similarTexts.note(actorId(visitor), candidate.content) && trust < levelCopies
    const holdsWord = held !== null && level < levelWords
    const holdsImage = candidate.hasImage && place.holdImages && trust < levelImages
    const reported = flag ?? (holdsWord ? null : held)
    const plainLinks = trust < levelLinks && holdsAddress(texts.content)
    let isOpen = true
    let isKeyUsed = false
    return {
      ...texts,
      name,
      categoryId,
      async marksIn(threadId) {
        isKeyUsed = key !== null
        const trip = key === null ? null : await trips.tripOf(key, visitor)
        const marks = { asStaff, sage, trip, plainLinks }
        return { ...marks, posterId: asStaff ? null : await findPosterId(visitor, place, threadId) }
      },
      hold: holdReason([
        holdsWord && { why: 'word', detail: held },
        holdsImage && { why: 'image', detail: null },
        isCopy && { why: 'similar', detail: null },
        verdict.hold && { why: 'shield', detail: null },
      ]),
      commit(post) {
        isOpen = false
        bans.seen(visitor)
        levels.wrote({ userId: visitor.member?.id ?? null, visitorId: visitor.visitorId })
        if (reported !== null) words.flagPost({ ...post, word: reported })
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
        // Strong tripcodes are as expensive as passwords: a refusal must not make them free.
        if (!isKeyUsed) await limits.posts.giveBack(visitor)
      },
    }
  }

  return {
    places,
    async posterIdIn(visitor, threadId) {
      const place = await places.find(threadId)
      return place === undefined ? null : findPosterId(visitor, place, threadId)
    },
    async admit(visitor, candidate) {
      const place = await findPlace(candidate)
      const { categoryId, threadId, isLocked, fullAt } = place
      if (candidate.asStaff) requireStaff(visitor, categoryId)
      if (isLocked) throw refuse('locked', 'thread_locked')
      if (fullAt !== null) throw threadFull(fullAt)
      // Banned visitors are stopped first: their attempts must not raise the shield.
      bans.check(visitor, { categoryId, threadId })
      shields.noteTry(visitor, categoryId, candidate.kind)
      // The limit comes before all expensive checks.
      await limits.posts.take(visitor)
      try {
        return await reserve(visitor, place, candidate)
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

/** What boards call writers without a name: the first to use one in a thread must not own it. */
const nameless = new Set([NAMELESS, '名無しさん', 'ななし', 'ななしさん'].map(foldName))

/** Whether a nickname stands for no name. */
export const isNameless = (nickname: string): boolean => nameless.has(foldName(nickname))

/** Whether a text may have addresses that the web app shows as links. */
const holdsAddress = (text: string): boolean => /ttps?:\/\//i.test(text)

/** The first of several reasons to hold a text. */
const holdReason = (reasons: readonly (HoldReason | false)[]): HoldReason | null =>
  reasons.find((reason) => reason !== false) ?? null
