/** Changing a password, and replacing a forgotten one. */
import { randomInt } from 'node:crypto'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Db } from '../../db/client.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { refusePassword } from './account-rules.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { confirmPassword } from './accounts.service.ts'
import { deleteMailTokens, selectMailToken, takeMailToken } from './mail-tokens.queries.ts'
import { hashPassword } from './passwords.ts'
import { deleteSessions } from './sessions.queries.ts'
import { lockPassword, mailboxOf, selectUserByEmail, updateUser, type UserChange } from './users.queries.ts'

export interface PasswordChange {
  /** Not needed by an account without a password. */
  readonly currentPassword?: string | undefined
  readonly password: string
}

/**
 * Changes the member's password and ends their other sessions.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError bad_password (the current one is wrong, the new one is too common),
 * too_many_requests, unavailable
 */
export async function changePassword(
  deps: AccountsDeps,
  member: Member,
  { currentPassword, password }: PasswordChange,
  address: string,
): Promise<void> {
  const confirmed = await confirmPassword(deps, member, currentPassword, address)
  refusePassword(password, member)
  const passwordHash = await hashPassword(password, address)
  await inTransaction(deps.db, async (tx) => {
    // A concurrent change, such as by a mailed link: the old password is no longer valid.
    if ((await lockPassword(tx, member.id)) !== confirmed) throw refuse('bad_password', 'password_wrong')
    const ended = await replacePassword(tx, member.id, { passwordHash }, { except: member.sessionId })
    afterCommit(tx, () => deps.live.endSessions(ended))
  })
}

/**
 * Writes a password's hash, and revokes mailed links and sessions of the old one. Within a
 * transaction.
 * @returns the sessions that ended; the caller closes their sockets after the commit
 */
export async function replacePassword(
  tx: Db,
  userId: string,
  change: UserChange,
  which: { readonly except?: string } = {},
): Promise<string[]> {
  await updateUser(tx, userId, change)
  await deleteMailTokens(tx, userId, 'reset')
  return deleteSessions(tx, userId, which)
}

/**
 * Milliseconds between the answer and the look-up of the address, so that timing does not reveal
 * whether a member has it.
 */
const MAIL_AFTER_MS = [200, 800] as const

/**
 * Mails a link that sets a new password, if a member has confirmed the address: the reader of an
 * unconfirmed address may be a stranger to the account. The answer reveals nothing, not even by its
 * timing: everything that depends on the address happens after the answer.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError unavailable without a mail server, too_many_requests, both independent of the
 * address's owner
 */
export async function requestReset(deps: AccountsDeps, email: string, address: string): Promise<void> {
  const { accountLimits, background, mails } = deps
  if (mails === null) throw refuse('unavailable', 'password_reset_unavailable')
  await accountLimits.mailsFrom.take(address)
  await accountLimits.resetMailsTo.take(mailboxOf(email))
  background.run(() => mailReset(deps, email), randomInt(...MAIL_AFTER_MS))
}

async function mailReset({ db, mails }: AccountsDeps, typed: string): Promise<void> {
  const user = await selectUserByEmail(db, typed)
  // Sent to the address as its member entered it: the one in the request only folds to the same.
  if (user?.email == null || mails === null) return
  const { id: userId, email } = user
  await inTransaction(db, async (tx) => {
    await mails.queue(tx, 'reset', { userId, email })
    afterCommit(tx, mails.wake)
  })
}

/**
 * Sets a new password with the token of a mailed link, once, and ends all sessions.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError bad_token, bad_password (then the link stays valid), too_many_requests,
 * unavailable
 */
export async function resetPassword(
  deps: AccountsDeps,
  token: string,
  password: string,
  address: string,
): Promise<void> {
  const { db, now, live, accountLimits } = deps
  const at = new Date(now())
  const user = await findReset(db, token, at)
  refusePassword(password, user)
  const passwordHash = await hashPassword(password, address)
  await inTransaction(db, async (tx) => {
    // Of two concurrent requests, the second finds the token consumed.
    if (!(await takeMailToken(tx, 'reset', token, at))) throw refuse('bad_token', 'link_invalid')
    const ended = await replacePassword(tx, user.id, { passwordHash })
    afterCommit(tx, () => live.endSessions(ended))
  })
  for (const account of [foldName(user.name), user.emailKey]) await accountLimits.logins.forgive({ account, address })
}

async function findReset(db: Db, token: string, at: Date) {
  const link = await selectMailToken(db, 'reset', token, at)
  const user = link === undefined ? undefined : await selectUserByEmail(db, link.email)
  if (link === undefined || user?.id !== link.userId) throw refuse('bad_token', 'link_invalid')
  return user
}
