/** State of the ban form, and the request that it sends. */
import type { BanKind, BanPreview, BanScope, BanTerms } from '@shinobi/contract/bans'
import { NETWORK_BAN_HOURS } from '@shinobi/contract/limits'
import { MODERATION_NOTE, MODERATION_REASON } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'

export const BAN_KINDS: readonly { kind: BanKind; label: string; hint: string }[] = [
  { kind: 'user', label: 'アカウント', hint: 'この会員の書き込みを止めます。' },
  { kind: 'visitor', label: 'ブラウザ', hint: 'Cookieを消されると効きません。' },
  { kind: 'network', label: '回線', hint: '同じ回線を使うほかの人も書き込めなくなります。' },
]

const DAY = 24
export const BAN_HOURS: readonly { value: number | null; label: string }[] = [
  { value: 1, label: '1時間' },
  { value: DAY, label: '24時間' },
  { value: 7 * DAY, label: '7日' },
  { value: 30 * DAY, label: '30日' },
  { value: null, label: '無期限' },
]

export interface BanDraft {
  readonly on: ReadonlySet<BanKind>
  readonly scope: BanScope
  /** Undefined: the default of the selected kinds. Null: no end. */
  readonly hours: number | null | undefined
  readonly reason: string
  readonly note: string
}

/** A carrier's network may serve a whole town, so a ban of it is short by default. */
export const hoursOf = ({ hours, on }: Pick<BanDraft, 'hours' | 'on'>): number | null =>
  hours === undefined ? (on.has('network') ? NETWORK_BAN_HOURS : 7 * DAY) : hours

/** The narrowest possible kind: a writer with an account is banned by account only, by default. */
export function usualKinds({ kinds }: BanPreview): ReadonlySet<BanKind> {
  const possible = kinds.filter((one) => one.possible).map(({ kind }) => kind)
  const usual = possible.includes('user') ? 'user' : possible.includes('visitor') ? 'visitor' : possible[0]
  return new Set(usual === undefined ? [] : [usual])
}

/**
 * People and browsers that wrote in the last days and would be banned: the count of the widest
 * selected kind.
 */
export const hitBy = ({ kinds }: BanPreview, on: ReadonlySet<BanKind>): number =>
  Math.max(0, ...kinds.filter(({ kind, possible }) => possible && on.has(kind)).map(({ posters }) => posters))

/** The messages for a draft, by its fields; all null when it can be sent. */
export function findBanProblems({ on, reason, note }: BanDraft): Record<'on' | 'reason' | 'note', string | null> {
  const lengthProblem = (text: string, { max }: { readonly max: number }) =>
    countGraphemes(text) > max ? messages.reason_too_long : null
  return {
    on: on.size === 0 ? '制限する対象を選んでください。' : null,
    reason: cleanLine(reason) === '' ? messages.reason_required : lengthProblem(reason, MODERATION_REASON),
    note: lengthProblem(note, MODERATION_NOTE),
  }
}

export const toTerms = (draft: BanDraft): BanTerms => ({
  on: [...draft.on],
  scope: draft.scope,
  reason: cleanLine(draft.reason),
  note: cleanLine(draft.note),
  hours: hoursOf(draft),
})
