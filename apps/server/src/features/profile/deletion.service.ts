/** The end of an account. */
import { setTimeout } from 'node:timers/promises'
import { inTransaction, afterCommit } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { confirmPassword } from '../accounts/accounts.service.ts'
import { deleteSessions } from '../accounts/sessions.queries.ts'
import { deleteUser, lockAdmins, lockMember, selectUser } from '../accounts/users.queries.ts'
import { insertDeparture } from './departures.queries.ts'

export interface DeletionInput {
  /** The own name, typed to confirm; however it is spelled. */
  readonly name: string
  readonly currentPassword?: string | undefined
}

/** Most accounts are off all their posts within this time; nobody waits longer for the answer. */
const WAIT_MS = 1_000

/**
 * Deletes a member's account. In one short transaction sessions, name, mail address, password and picture go, and it is noted
 * that somebody left; from then on there is no account any more. The name comes off the posts afterwards, in small steps that
 * a crash only puts off (see departures.service.ts).
 * @param address prefix of the address that asks, see addressPrefix()
 * @throws ApiError bad_username (not the own name), bad_password, too_many_requests, last_admin, unauthorized (it is gone already)
 */
export async function deleteAccount(
  deps: Deps,
  member: Member,
  { name, currentPassword }: DeletionInput,
  address: string,
): Promise<void> {
  const { db, live, now, departures } = deps
  if (foldName(name) !== foldName(member.name)) throw refuse('bad_username', 'account_delete_unconfirmed')
  await confirmPassword(deps, member, currentPassword, address)
  await inTransaction(db, async (tx) => {
    const gone = () => refuse('unauthorized', 'session_expired')
    // Those who run the board are locked together and in one order, so that the last two cannot leave at the same moment.
    if ((await selectUser(tx, member.id))?.isAdmin === true) {
      const others = (await lockAdmins(tx)).filter(({ id }) => id !== member.id)
      if (others.length === 0) throw refuse('last_admin', 'last_admin')
    }
    if (!(await lockMember(tx, member.id))) throw gone()
    const user = await selectUser(tx, member.id)
    if (user === undefined) throw gone()
    const ended = await deleteSessions(tx, member.id)
    await insertDeparture(tx, { userId: member.id, picture: user.picture, at: new Date(now()) })
    await deleteUser(tx, member.id)
    afterCommit(tx, () => live.endSessions(ended))
  })
  await Promise.race([departures.erase(member.id), setTimeout(WAIT_MS, undefined, { ref: false })])
}
