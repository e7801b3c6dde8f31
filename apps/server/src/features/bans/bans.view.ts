import { createHmac } from 'node:crypto'
import type { Ban, BanKind } from '@shinobi/contract/bans'
import { messages } from '@shinobi/contract/messages'
import type { Moderator } from '../../http/session.ts'
import type { BanRow } from './bans.queries.ts'

export const toBan = (row: BanRow, viewer: Pick<Moderator, 'name' | 'scope'>): Ban => ({
  _id: row.id,
  kind: row.kind,
  label: row.label,
  scope: row.scope,
  scopeId: row.scopeId,
  scopeLabel: row.scopeLabel,
  reason: row.reason,
  note: row.note,
  createdAt: row.createdAt.toISOString(),
  createdBy: toStaffName(row.createdBy, viewer),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  liftedAt: row.liftedAt?.toISOString() ?? null,
})

/**
 * Who of those who run the board did something. A moderator of some categories learns only what they did themselves: else the lists
 * would tell who moderates beyond them.
 */
export const toStaffName = (
  name: string | null,
  { name: own, scope }: Pick<Moderator, 'name' | 'scope'>,
): string | null => (name === null || scope === 'all' || name === own ? name : messages.staff)

/** What moderators call a browser without learning its id: 訪問者 A3F9-21. */
export function toVisitorLabel(secret: string, visitorId: string): string {
  const token = createHmac('sha256', secret).update(`ban label ${visitorId}`).digest('hex').toUpperCase()
  return `訪問者 ${token.slice(0, 4)}-${token.slice(4, 6)}`
}

const MEMBER_LABELS: Readonly<Record<BanKind, string>> = { user: '', visitor: 'のブラウザ', network: 'の回線' }

/** What moderators call the account, the browser or the network of a member. */
export const toMemberLabel = (name: string, kind: BanKind): string => `${name}${MEMBER_LABELS[kind]}`
