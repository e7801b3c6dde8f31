/** Whether a mail address is really its member's: links that confirm it. */
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { selectMailToken, type MailToken } from './mail-tokens.queries.ts'
import { foldEmail, selectUser, updateUser } from './users.queries.ts'

/** Permission to send one confirmation mail, for a registration. */
export interface VerificationMail {
  /** Queues it, in the transaction of the registration. */
  queue(tx: Transaction<Tables>, to: MailToken): Promise<void>
  /** The registration failed: the mail does not count. */
  giveBack(): Promise<void>
}

/**
 * Takes one from the hourly limit of mails to an address, so that repeated registrations and
 * deletions do not flood its owner.
 * @returns null when none may be sent
 */
export async function takeVerificationMail(
  { mails, accountLimits }: Pick<Deps, 'mails' | 'accountLimits'>,
  email: string,
): Promise<VerificationMail | null> {
  if (mails === null) return null
  const key = foldEmail(email)
  try {
    await accountLimits.verificationMailsTo.take(key)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
  return {
    async queue(tx, to) {
      await mails.queue(tx, 'verify', to)
      afterCommit(tx, mails.wake)
    },
    giveBack: () => accountLimits.verificationMailsTo.giveBack(key),
  }
}

/**
 * Mails the link because the member asks for it, and waits until the mail server has it.
 * @returns 'waiting' when the mail server is away: then it is sent later; 'verified' when the
 *   address is confirmed already
 * @throws ApiError bad_email without an address, or when the mail server refuses it,
 *   too_many_requests, unavailable when the board sends no mails
 */
export async function sendVerification(deps: Deps, userId: string): Promise<'sent' | 'waiting' | 'verified'> {
  const { db, mails } = deps
  const user = await selectUser(db, userId)
  if (user === undefined) throw refuse('unauthorized', 'session_expired')
  const { email } = user
  if (email === null) throw refuse('bad_email', 'email_missing')
  if (user.emailVerifiedAt !== null) return 'verified'
  if (mails === null) throw refuse('unavailable', 'mail_unavailable')
  const { verificationMailsTo } = deps.accountLimits
  const key = foldEmail(email)
  await verificationMailsTo.take(key)
  const id = await inTransaction(db, (tx) => mails.queue(tx, 'verify', { userId, email }))
  const outcome = await mails.tryNow(id)
  if (outcome !== 'refused') return outcome
  await verificationMailsTo.giveBack(key)
  throw refuse('bad_email', 'mail_refused')
}

/**
 * Confirms the address that a link was mailed to. The link stays good until it expires, as opening it twice says nothing new.
 * @throws ApiError bad_token for a link that is wrong, has expired, or was mailed to another address than the member's present one
 */
export async function verifyEmail({ db, now }: Deps, token: string): Promise<void> {
  const at = new Date(now())
  const link = await selectMailToken(db, 'verify', token, at)
  const user = link === undefined ? undefined : await selectUser(db, link.userId)
  if (link === undefined || user === undefined || user.emailKey !== foldEmail(link.email)) {
    throw refuse('bad_token', 'link_invalid')
  }
  if (user.emailVerifiedAt === null) await updateUser(db, user.id, { emailVerifiedAt: at })
}
