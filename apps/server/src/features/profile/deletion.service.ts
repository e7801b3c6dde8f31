/** Deletion of accounts. */
import { setTimeout } from 'node:timers/promises'
import { inTransaction, afterCommit } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { confirmPassword } from '../accounts/accounts.service.ts'
import { deleteSessions } from '../accounts/sessions.queries.ts'
import { deleteUser, lockAdmins, lockUser } from '../accounts/users.queries.ts'
import { insertDeparture } from './departures.queries.ts'
import type { ProfileDeps } from './profile.deps.ts'

export interface DeletionInput {
  /** The member's name, typed to confirm; compared in folded form. */
  readonly name: string
  readonly currentPassword?: string | undefined
}

/**
 * The answer waits at most this long for the names to be removed; for most accounts that is enough.
 */
const WAIT_MS = 1_000

/**
 * Deletes a member's account. One short transaction deletes sessions, name, mail address, password
 * and picture, and inserts a departure; from then on the account does not exist. The name is
 * removed from the posts afterwards in small steps, which continue after a crash (see
 * departures.service.ts).
 * @param address prefix of the requesting address, see addressPrefix()
 * @throws ApiError bad_username (not the member's name), bad_password, too_many_requests,
 * last_admin, unauthorized (deleted already)
 */
export async function deleteAccount(
  deps: ProfileDeps,
  member: Member,
  { name, currentPassword }: DeletionInput,
  address: string,
): Promise<void> {
  const { db, live, now, departures } = deps
  if (foldName(name) !== foldName(member.name)) throw refuse('bad_username', 'account_delete_unconfirmed')
  await confirmPassword(deps, member, currentPassword, address)
  await inTransaction(db, async (tx) => {
    // Administrators are locked together and in one order, as where roles change: the last two
    // cannot delete their accounts at the same moment, nor a member who has just become the last.
    const admins = await lockAdmins(tx)
    const user = await lockUser(tx, member.id)
    if (user === undefined) throw refuse('unauthorized', 'session_expired')
    if (user.isAdmin && admins.every(({ id }) => id === user.id)) throw refuse('last_admin', 'last_admin')
    const ended = await deleteSessions(tx, member.id)
    await insertDeparture(tx, { userId: member.id, picture: user.picture, at: new Date(now()) })
    await deleteUser(tx, member.id)
    afterCommit(tx, () => live.endSessions(ended))
  })
  await Promise.race([departures.erase(member.id), setTimeout(WAIT_MS, undefined, { ref: false })])
}
