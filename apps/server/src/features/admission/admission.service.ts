/** The one place that decides whether a text may be written: bans, raid mode, names, words, cooldowns. */
import { messages } from '@shinobi/contract/messages'
import type { Deps } from '../../deps.ts'
import { moderatesIn } from '../../http/session.ts'
import type { Visitor } from '../../http/visitor.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import type { Link } from '../../redis/link.ts'
import type { WriteKind } from '../shields/write-counts.ts'
import type { Verdict } from '../words/words.service.ts'
import { createCooldowns, type Cooldowns } from './cooldowns.ts'
import { createPlaces, type Places } from './places.ts'

/** What admission remembers. */
export interface Admission {
  readonly places: Places
  readonly cooldowns: Cooldowns
}

export const createAdmission = ({
  db,
  now,
  link,
}: Pick<Deps, 'db' | 'now'> & { readonly link: Link | null }): Admission => ({
  places: createPlaces(db),
  cooldowns: createCooldowns(now, link),
})

export type AdmissionDeps = Pick<Deps, 'admission' | 'bans' | 'shields' | 'words' | 'settings' | 'limits'>

/** A text on its way onto the board. */
export interface Candidate {
  readonly kind: WriteKind
  readonly categoryId: string
  /** Null for a new thread. */
  readonly threadId: string | null
  readonly title: string | null
  readonly content: string
  /** The name a visitor gave; null for none, or for a member, whose name was looked at when it was chosen. */
  readonly name: string | null
}

/** Why a text waits for a moderator. */
export interface HoldReason {
  readonly why: 'word' | 'shield'
  /** The word that matched. */
  readonly detail: string | null
}

export interface Admitted {
  /** The texts as they may be stored: words that are masked are struck out. */
  readonly title: string | null
  readonly content: string
  readonly hold: HoldReason | null
  /** A word whose rule lets the text pass, and shows it to the moderators. */
  readonly flag: string | null
  /** To be called when nothing came of it, or when it is held: it starts no cooldown, and costs nothing where it was refused. */
  readonly takeBack: () => void
}

/**
 * Decides about a text of somebody who came through `meetAtGate`. The limit of posts is not counted here, but by whoever writes.
 * @throws ApiError locked, proof_required, too_many_requests, banned_word, taken (the name)
 */
export async function admit(deps: AdmissionDeps, visitor: Visitor, candidate: Candidate): Promise<Admitted> {
  const { admission, shields, settings } = deps
  const { kind, categoryId } = candidate
  let verdict = await shields.judge(visitor, categoryId)
  // From here to the count nothing is awaited: of those who come in one moment each meets the step that the one before has raised.
  while (verdict.step !== (shields.find(categoryId)?.step ?? 0)) verdict = await shields.judge(visitor, categoryId)
  const judged = judgeTexts(deps, candidate)
  const { postCooldownSeconds, threadCooldownSeconds } = settings.current
  const gaps = { own: kind === 'post' ? postCooldownSeconds : threadCooldownSeconds, shield: verdict.cooldown }
  admission.cooldowns.check(visitor, kind, gaps)
  if (verdict.needsProof) throw refuse('proof_required', 'shield_proof')
  const hold = judged.hold ?? (verdict.hold ? ({ why: 'shield', detail: null } as const) : null)
  shields.noteAdmitted(visitor, categoryId, kind)
  return { ...judged, hold, takeBack: admission.cooldowns.start(visitor, kind, gaps) }
}

/** Bans, and the count of tries by which raid mode goes; before anything that costs. @throws ApiError banned */
export function meetAtGate(
  { bans, shields }: Pick<Deps, 'bans' | 'shields'>,
  visitor: Visitor,
  { kind, categoryId, threadId }: Pick<Candidate, 'kind' | 'categoryId' | 'threadId'>,
): void {
  // Who is banned is stopped already: their tries say nothing about others.
  bans.check(visitor, { categoryId, threadId })
  shields.noteTry(visitor, categoryId, kind)
}

/**
 * Lets pass who may write as one of those who run the board: where they moderate, and with the second factor that is asked of them.
 * @throws ApiError forbidden
 */
export function requireStaff({ member }: Visitor, categoryId: string): void {
  if (member === null || member.secondFactorMissing || !moderatesIn(member, categoryId))
    throw refuse('forbidden', 'staff_only')
}

const PASSED: Verdict = { action: 'pass', word: null, text: '', flagged: null }

function judgeTexts({ words }: Pick<Deps, 'words'>, { title, content, name }: Candidate): Omit<Admitted, 'takeBack'> {
  if (name !== null && isReservedName(name)) throw refuse('taken', 'nickname_taken')
  const ofTitle = title === null ? PASSED : words.judge(title)
  const ofContent = words.judge(content)
  const verdicts = [ofTitle, ofContent]
  if (verdicts.some(({ action }) => action === 'block') || (name !== null && words.isBanned(name)))
    throw new ApiError('banned_word', messages.banned_word)
  const held = verdicts.find(({ action }) => action === 'hold')
  return {
    title: title === null ? null : ofTitle.text,
    content: ofContent.text,
    hold: held === undefined ? null : { why: 'word', detail: held.word },
    flag: ofTitle.flagged ?? ofContent.flagged,
  }
}
