/** Confirmation of mail addresses by mailed links. */
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { ApiError, isUniqueViolation, refuse } from '../../lib/api-error.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { confirmPassword } from './accounts.service.ts'
import { deleteMailTokens, selectMailToken, type MailToken } from './mail-tokens.queries.ts'
import { foldEmail, lockUser, mailboxOf, selectUser, selectUserByEmail, updateUser } from './users.queries.ts'

/**
 * Permission to send one mail that verifies the address of an account, within the hourly limits.
 */
export interface VerificationMail {
  /** Queues it in a transaction. @returns the mail's id */
  queue(tx: Transaction<Tables>): Promise<string>
  /** Takes the mail off the limits, when it is not sent. */
  giveBack(): Promise<void>
}

/**
 * Counts one mail towards the hourly limits of the address and of the member, so that repeated
 * registrations and deletions do not flood the owner of the address.
 * @returns null when the board sends no mails, or the limit of the address is used up
 * @throws ApiError too_many_requests when the member has asked too often
 */
export async function allowVerificationMail(
  { mails, accountLimits }: Pick<AccountsDeps, 'mails' | 'accountLimits'>,
  account: MailToken,
): Promise<VerificationMail | null> {
  if (mails === null) return null
  const { verificationMailsTo, verificationMailsOf } = accountLimits
  const key = mailboxOf(account.email)
  await verificationMailsOf.take(account.userId)
  try {
    await verificationMailsTo.take(key)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
  return {
    async queue(tx) {
      // Another member has confirmed this address: its holder gets a notice that somebody typed it
      // in, instead of a link.
      const holder = await selectUserByEmail(tx, account.email)
      return holder === undefined
        ? mails.queue(tx, 'verify', account)
        : mails.queue(tx, 'in_use', { userId: holder.id, email: holder.email! })
    },
    async giveBack() {
      await verificationMailsTo.giveBack(key)
      await verificationMailsOf.giveBack(account.userId)
    },
  }
}

/**
 * Mails the link at the member's request, and waits until the mail server has accepted it. The
 * answer does not reveal whether another member has confirmed the address (then its holder gets a
 * notice instead), or has used up the limit of mails to it (then no mail is sent).
 * @param address prefix of the client's address, see addressPrefix()
 * @returns 'sent' in these cases as well; 'waiting' when the mail server is unreachable: then the
 * mail is sent later; 'verified' when this member has confirmed the address already
 * @throws ApiError bad_email without an address, or when the mail server refuses it,
 * too_many_requests, unavailable when the board sends no mails
 */
export async function sendVerification(
  deps: AccountsDeps,
  userId: string,
  address: string,
): Promise<'sent' | 'waiting' | 'verified'> {
  const { db, mails, accountLimits } = deps
  const user = await selectUser(db, userId)
  if (user === undefined) throw refuse('unauthorized', 'session_expired')
  const { email } = user
  if (email === null) throw refuse('bad_email', 'email_missing')
  if (user.emailVerifiedAt !== null) return 'verified'
  if (mails === null) throw refuse('unavailable', 'mail_unavailable')
  // Also for a mail that is refused, and then not counted as one to this address: it costs the mail
  // server as much.
  await accountLimits.mailsFrom.take(address)
  const mail = await allowVerificationMail(deps, { userId, email })
  // The limit of mails to this address is used up; the answer must not reveal it.
  if (mail === null) return 'sent'
  const id = await inTransaction(db, (tx) => mail.queue(tx)).catch(async (error: unknown) => {
    await mail.giveBack()
    throw error
  })
  const outcome = await mails.tryNow(id)
  if (outcome !== 'refused') return outcome
  await mail.giveBack()
  throw refuse('bad_email', 'mail_refused')
}

export interface EmailChange {
  readonly email: string
  /** Not needed by an account without a password. */
  readonly currentPassword?: string | undefined
}

/**
 * Replaces an address that is not confirmed, such as a mistyped one, and ends the links that were
 * mailed to it. The mail to the new address is sent in the background, as after a registration, and
 * counts towards the same limits, and as one that was requested from the client's address.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError bad_password, already_done for a confirmed address, bad_email without an
 * address, too_many_requests, unavailable
 */
export async function changeEmail(
  deps: AccountsDeps,
  member: Member,
  { email, currentPassword }: EmailChange,
  address: string,
): Promise<void> {
  const passwordHash = await confirmPassword(deps, member, currentPassword, address)
  if (deps.mails !== null) await deps.accountLimits.mailsFrom.take(address)
  const mail = await allowVerificationMail(deps, { userId: member.id, email })
  try {
    await inTransaction(deps.db, async (tx) => {
      const user = await lockUser(tx, member.id)
      // A concurrent change, such as by a mailed link: the old password is no longer valid.
      if (user?.passwordHash !== passwordHash) throw refuse('bad_password', 'password_wrong')
      if (user.email === null) throw refuse('bad_email', 'email_missing')
      if (user.emailVerifiedAt !== null) throw refuse('already_done', 'email_confirmed')
      await updateUser(tx, member.id, { email, emailKey: foldEmail(email) })
      await deleteMailTokens(tx, member.id)
      if (mail === null) return
      await mail.queue(tx)
      afterCommit(tx, () => deps.mails?.wake())
    })
  } catch (error) {
    await mail?.giveBack()
    throw error
  }
}

/**
 * Confirms the address that a link was mailed to. The link stays valid until it expires, as opening
 * it twice has no further effect.
 * @throws ApiError bad_token for a link that is wrong, has expired, or was mailed to another
 * address than the member's present one; and while another member has confirmed that address
 */
export async function verifyEmail({ db, now }: AccountsDeps, token: string): Promise<void> {
  const at = new Date(now())
  const confirming = inTransaction(db, async (tx) => {
    const link = await selectMailToken(tx, 'verify', token, at)
    // Locked, so that it is not another address by now that is confirmed.
    const user = link === undefined ? undefined : await lockUser(tx, link.userId)
    if (link === undefined || user === undefined || user.emailKey !== foldEmail(link.email)) {
      throw refuse('bad_token', 'link_invalid')
    }
    if (user.emailVerifiedAt === null) await updateUser(tx, user.id, { emailVerifiedAt: at })
  })
  await confirming.catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('bad_token', 'link_invalid') : error
  })
}
