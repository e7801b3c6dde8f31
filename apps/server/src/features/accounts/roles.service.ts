/**
 * Roles of administrators and moderators: changed by an administrator on the screen, or on the
 * command line.
 */
import type { Transaction } from 'kysely'
import type { RoleInput } from '@shinobi/contract/admin'
import { isStaff } from '@shinobi/contract/permissions'
import type { Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import { refuse } from '../../lib/api-error.ts'
import type { Live } from '../../realtime/live.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { areCategories } from '../categories/categories.queries.ts'
import { deleteModerator, selectModerator, upsertModerator } from './moderators.queries.ts'
import { selectSessions } from './sessions.queries.ts'
import { lockAdmins, lockUser, selectUser, updateUser, type UserRow } from './users.queries.ts'

type Tx = Transaction<Tables>

export interface RoleChange extends RoleInput {
  readonly userId: string
  /** Null for the command line. */
  readonly actor: { readonly id: string; readonly name: string } | null
  readonly at: Date
}

/** The role of a user, as the log shows it. */
async function selectRole(tx: Tx, user: UserRow): Promise<RoleInput> {
  const moderator = await selectModerator(tx, user.id)
  if (user.isAdmin) return { role: 'admin', categoryIds: null }
  return moderator === undefined
    ? { role: 'member', categoryIds: null }
    : { role: 'moderator', categoryIds: moderator.categoryIds }
}

/**
 * Replaces a member's role.
 * @returns whether anything changed
 * @throws ApiError not_found; bad_request for a member without a mail address; bad_category;
 * last_admin
 */
export async function changeRole(tx: Tx, { userId, role, categoryIds, actor, at }: RoleChange): Promise<boolean> {
  // Administrators are locked together and in one order, so that two who revoke each other do not
  // leave the board without one.
  const admins = await lockAdmins(tx)
  const user = await lockUser(tx, userId)
  if (user === undefined) throw refuse('not_found', 'user_not_found')
  if (role !== 'member' && user.email === null) throw refuse('bad_request', 'role_needs_email')
  const after = { role, categoryIds: role === 'moderator' && categoryIds !== null ? toSet(categoryIds) : null }
  if (after.categoryIds !== null && !(await areCategories(tx, after.categoryIds)))
    throw refuse('bad_category', 'category_not_found')
  const before = await selectRole(tx, user)
  if (isSame(before, after)) return false
  if (before.role === 'admin' && admins.every(({ id }) => id === userId)) throw refuse('last_admin', 'last_admin_role')
  await updateUser(tx, userId, { isAdmin: role === 'admin' })
  if (role === 'moderator') await upsertModerator(tx, { userId, categoryIds: after.categoryIds, at })
  else await deleteModerator(tx, userId)
  await insertAudit(tx, { actor, at, action: 'role_change', subject: user.name, details: { userId, before, after } })
  return true
}

const toSet = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

const isSame = (before: RoleInput, after: RoleInput): boolean =>
  before.role === after.role && JSON.stringify(before.categoryIds) === JSON.stringify(after.categoryIds)

/**
 * After the commit, adds the open connections of these members to the moderators' room, or removes
 * them from it.
 */
export async function refreshModerators(tx: Tx, live: Live, userIds: readonly string[], at: Date): Promise<void> {
  for (const userId of userIds) {
    const user = await selectUser(tx, userId)
    if (user === undefined) continue
    const { role, categoryIds } = await selectRole(tx, user)
    const moderates = role === 'moderator' ? (categoryIds ?? 'all') : null
    const sessions = await selectSessions(tx, userId, at)
    const ids = sessions.map(({ id }) => id)
    afterCommit(tx, () => live.setModerating(ids, isStaff({ ...user, moderates })))
  }
}
