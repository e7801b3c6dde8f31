import { createHmac } from 'node:crypto'
import type { Ban, BanKind } from '@shinobi/contract/bans'
import { messages } from '@shinobi/contract/messages'
import { may, type Actor } from '@shinobi/contract/permissions'
import type { BanRow } from './bans.queries.ts'

export const toBan = (row: BanRow, viewer: Actor & { readonly name: string }): Ban => ({
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
 * The name of a staff member who acted. A moderator of some categories sees only their own name:
 * otherwise the lists would reveal other moderators.
 */
export const toStaffName = (name: string | null, viewer: Actor & { readonly name: string }): string | null =>
  name === null || name === viewer.name || may(viewer, 'seeStaff') ? name : messages.staff

/** The label of a browser for moderators, which hides its id: 訪問者 A3F9-21. */
export function toVisitorLabel(secret: string, visitorId: string): string {
  const token = createHmac('sha256', secret).update(`ban label ${visitorId}`).digest('hex').toUpperCase()
  return `訪問者 ${token.slice(0, 4)}-${token.slice(4, 6)}`
}

const MEMBER_LABELS: Readonly<Record<BanKind, string>> = { user: '', visitor: 'のブラウザ', network: 'の回線' }

/** The label of a member's account, browser or network for moderators. */
export const toMemberLabel = (name: string, kind: BanKind): string => `${name}${MEMBER_LABELS[kind]}`
